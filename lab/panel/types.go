package panel

import (
	"kafkalab/engine"
	"kafkalab/engine/record"
	"kafkalab/engine/storage"
)

// What engine.Reader gives, by short names: here alone the panels name the
// packages that these come from.
type (
	replica     = engine.ReplicaName
	segmentInfo = storage.SegmentInfo
	batchInfo   = storage.BatchInfo
	indexEntry  = storage.IndexEntry
	timeEntry   = storage.TimeIndexEntry
	lookup      = storage.Lookup
	timeLookup  = storage.TimestampLookup
	verdict     = storage.Verdict
	scanned     = storage.ScannedBatch
	field       = record.Field
	passPhase   = storage.Phase
)

const (
	entryBelow = storage.EntryBelow
	entryAbove = storage.EntryAbove
	noTime     = record.NoTimestamp
)

// Why a pass of the cleaner keeps a record or leaves it out.
const (
	whyNewest    = storage.WhyNewest
	whyBeyond    = storage.WhyBeyond
	whyOlder     = storage.WhyOlder
	whyTombstone = storage.WhyTombstone
	whyHorizon   = storage.WhyHorizon
	whyAborted   = storage.WhyAborted
	whyMarker    = storage.WhyMarker
	whyEmptyTxn  = storage.WhyEmptyTxn
)

// What comes next in a pass of the cleaner, and why a segment went that one has
// replaced.
const (
	phaseMap         = storage.PhaseMap
	phaseCopy        = storage.PhaseCopy
	phaseSwap        = storage.PhaseSwap
	phaseEnd         = storage.PhaseEnd
	deletedByCleaner = storage.DeletedByCleaner
)

// Sizes of index entries in their files, in bytes.
const (
	indexEntrySize = 8
	timeEntrySize  = 12
)

func indexBytes(e indexEntry) []byte { return storage.AppendOffsetEntry(nil, e) }
func timeBytes(e timeEntry) []byte   { return storage.AppendTimeEntry(nil, e) }
func batchFields(b []byte) []field   { return record.Fields(b) }

// segmentFile is the name of one of a segment's files: .log, .index, …
func segmentFile(base int64, suffix string) string { return storage.FileName(base, suffix) }

// topicID is a topic's id as the view writes it.
func topicID(id [16]byte) string { return storage.FormatUUID(id) }
