package trace

import (
	"fmt"
	"strings"
)

// logBodies has one of each kind of event in this file.
var logBodies = []Body{
	RecordsAppended{}, DuplicateIgnored{}, SegmentRolled{}, SegmentDeleted{}, FilesRemoved{}, LogStartMoved{}, LogTruncated{},
	LogOpened{}, SegmentRecovered{}, LogFlushed{}, LogFailed{}, EpochStarted{}, TransactionStarted{}, TransactionEnded{},
	ProducersExpired{},
}

// RecordsAppended is an append to a replica's log, on the leader or on a
// follower.
type RecordsAppended struct {
	Partition string `json:"partition"`
	Base      int64  `json:"base"`
	Last      int64  `json:"last"`
	Count     int    `json:"count"`
	Segment   int64  `json:"segment"`  // base offset of the segment
	Position  int32  `json:"position"` // of the first byte in its .log file
	Bytes     int    `json:"bytes"`
	Epoch     int32  `json:"epoch"` // leader epoch of the last batch
}

func (r RecordsAppended) Line() string {
	return fmt.Sprintf("appends %s at offset %s of %s, %d bytes at position %d, epoch %d",
		plural(r.Count, "record"), offsets(r.Base, r.Last), r.Partition, r.Bytes, r.Position, r.Epoch)
}

// DuplicateIgnored is a batch that a producer sent again: it is in the log
// already, so the answer tells where, and nothing is appended.
type DuplicateIgnored struct {
	Partition string `json:"partition"`
	Base      int64  `json:"base"`
	Last      int64  `json:"last"`
}

func (d DuplicateIgnored) Line() string {
	return fmt.Sprintf("knows the batch already: offset %s of %s, nothing appended", offsets(d.Base, d.Last), d.Partition)
}

// SegmentRolled is a new active segment.
type SegmentRolled struct {
	Partition string `json:"partition"`
	Base      int64  `json:"base"`
	Previous  int64  `json:"previous"` // base offset of the segment that was closed
	Reason    string `json:"reason"`   // size, time, offset index full, time index full, offset range, forced, deletion
	Bytes     int64  `json:"bytes"`    // of the segment that was closed
}

func (s SegmentRolled) Line() string {
	return fmt.Sprintf("rolls %s: segment %d closed with %d bytes, segment %d begins (%s)", s.Partition, s.Previous, s.Bytes, s.Base, s.Reason)
}

// SegmentDeleted is a segment that left the log; its files are renamed and wait
// to be unlinked.
type SegmentDeleted struct {
	Partition string `json:"partition"`
	Base      int64  `json:"base"`
	Bytes     int64  `json:"bytes"`
	Reason    string `json:"reason"`
}

func (s SegmentDeleted) Line() string {
	return fmt.Sprintf("deletes segment %d of %s, %d bytes (%s)", s.Base, s.Partition, s.Bytes, s.Reason)
}

// FilesRemoved are files unlinked after file.delete.delay.ms.
type FilesRemoved struct {
	Partition string   `json:"partition"`
	Files     []string `json:"files"`
}

func (f FilesRemoved) Line() string {
	return fmt.Sprintf("unlinks %s of %s: %s", plural(len(f.Files), "file"), f.Partition, strings.Join(f.Files, ", "))
}

// LogStartMoved is a log that begins later than before.
type LogStartMoved struct {
	Partition string `json:"partition"`
	From      int64  `json:"from"`
	To        int64  `json:"to"`
}

func (l LogStartMoved) Line() string {
	return fmt.Sprintf("moves the start of %s from offset %d to %d", l.Partition, l.From, l.To)
}

// LogTruncated is a log that lost its end.
type LogTruncated struct {
	Partition string `json:"partition"`
	From      int64  `json:"from"` // log end offset before
	To        int64  `json:"to"`   // and after
}

func (l LogTruncated) Line() string {
	return fmt.Sprintf("truncates %s from log end %d to %d", l.Partition, l.From, l.To)
}

// LogOpened is a log that was loaded, with what was found.
type LogOpened struct {
	Partition string `json:"partition"`
	Start     int64  `json:"start"`
	End       int64  `json:"end"`
	Segments  int    `json:"segments"`
	Clean     bool   `json:"clean"` // after a clean shutdown: nothing was scanned
	New       bool   `json:"new"`   // there was none before
}

func (l LogOpened) Line() string {
	how := "after an unclean shutdown"
	if l.Clean {
		how = "after a clean shutdown"
	}
	if l.New {
		return fmt.Sprintf("makes the log of %s, at offset %d", l.Partition, l.Start)
	}
	return fmt.Sprintf("opens %s %s: offsets %d to %d in %s", l.Partition, how, l.Start, l.End, plural(l.Segments, "segment"))
}

// SegmentRecovered is a segment that was read through and indexed anew.
type SegmentRecovered struct {
	Partition string `json:"partition"`
	Base      int64  `json:"base"`
	Bytes     int64  `json:"bytes"`  // that are left
	Lost      int64  `json:"lost"`   // bytes cut from its end
	Damage    string `json:"damage"` // what was found there, "" if nothing
}

func (s SegmentRecovered) Line() string {
	if s.Lost == 0 {
		return fmt.Sprintf("recovers segment %d of %s: %d bytes are valid", s.Base, s.Partition, s.Bytes)
	}
	return fmt.Sprintf("recovers segment %d of %s: %d bytes are valid, %d cut off (%s)", s.Base, s.Partition, s.Bytes, s.Lost, s.Damage)
}

// LogFlushed is a log whose records up to an offset were synced to the disk.
type LogFlushed struct {
	Partition string `json:"partition"`
	From      int64  `json:"from"` // recovery point before
	To        int64  `json:"to"`   // and after
}

func (l LogFlushed) Line() string {
	return fmt.Sprintf("flushes %s: recovery point from %d to %d", l.Partition, l.From, l.To)
}

// LogFailed is a log that the disk failed; it takes no more writes.
type LogFailed struct {
	Partition string `json:"partition"`
	Doing     string `json:"doing"`
	Error     string `json:"error"`
}

func (l LogFailed) Line() string {
	return fmt.Sprintf("fails while %s %s: %s", l.Doing, l.Partition, l.Error)
}

// EpochStarted is a leader epoch that a log did not know of.
type EpochStarted struct {
	Partition string `json:"partition"`
	Epoch     int32  `json:"epoch"`
	Start     int64  `json:"start"`
}

func (e EpochStarted) Line() string {
	return fmt.Sprintf("notes that epoch %d of %s begins at offset %d", e.Epoch, e.Partition, e.Start)
}

// TransactionStarted is the first batch of a transaction in a partition.
type TransactionStarted struct {
	Partition string `json:"partition"`
	Producer  int64  `json:"producer"`
	First     int64  `json:"first"`
}

func (t TransactionStarted) Line() string {
	return fmt.Sprintf("opens a transaction of producer %d in %s at offset %d", t.Producer, t.Partition, t.First)
}

// TransactionEnded is a marker that closed a transaction in a partition.
type TransactionEnded struct {
	Partition string `json:"partition"`
	Producer  int64  `json:"producer"`
	First     int64  `json:"first"`
	Marker    int64  `json:"marker"` // offset of the marker
	Aborted   bool   `json:"aborted"`
}

func (t TransactionEnded) Line() string {
	how := "committed"
	if t.Aborted {
		how = "aborted"
	}
	return fmt.Sprintf("closes the transaction of producer %d in %s, from offset %d to the marker at %d: %s", t.Producer, t.Partition, t.First, t.Marker, how)
}

// ProducersExpired are idempotent producers that a partition forgot.
type ProducersExpired struct {
	Partition string `json:"partition"`
	Producers int    `json:"producers"`
}

func (p ProducersExpired) Line() string {
	return fmt.Sprintf("forgets %s of %s", plural(p.Producers, "silent producer"), p.Partition)
}

// offsets writes a range, or the one offset that it is.
func offsets(base, last int64) string {
	if base == last {
		return fmt.Sprint(base)
	}
	return fmt.Sprintf("%d-%d", base, last)
}
