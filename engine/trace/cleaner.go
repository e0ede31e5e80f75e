package trace

import (
	"fmt"
	"strings"
)

// cleanerBodies has one of each kind of event in this file.
var cleanerBodies = []Body{
	CleaningBegun{}, OffsetMapBuilt{}, SegmentsCopied{}, SegmentsReplaced{}, LogCleaned{}, CleaningAborted{}, LogUncleanable{}, CleanerDied{},
}

// CleaningBegun is a log that the cleaner has taken: a pass begins.
type CleaningBegun struct {
	Partition        string `json:"partition"`
	FirstDirty       int64  `json:"first_dirty"`
	FirstUncleanable int64  `json:"first_uncleanable"` // where the pass has to stop
	CleanBytes       int64  `json:"clean_bytes"`       // of .log files
	CleanableBytes   int64  `json:"cleanable_bytes"`
}

func (c CleaningBegun) Line() string {
	return fmt.Sprintf("begins a pass over %s: dirty from %d up to %d, %d B beside %d B that are clean",
		c.Partition, c.FirstDirty, c.FirstUncleanable, c.CleanableBytes, c.CleanBytes)
}

// OffsetMapBuilt is the first phase of a pass: the newest offset of each key of
// the dirty part is noted.
type OffsetMapBuilt struct {
	Partition  string `json:"partition"`
	FirstDirty int64  `json:"first_dirty"`
	End        int64  `json:"end"`  // first offset that was not looked at
	Keys       int    `json:"keys"` // entries
	Full       bool   `json:"full"` // the map ended the phase
}

func (o OffsetMapBuilt) Line() string {
	full := ""
	if o.Full {
		full = "; there is no room for another"
	}
	return fmt.Sprintf("notes the newest offset of %s in %s, from %d up to %d%s", plural(o.Keys, "key"), o.Partition, o.FirstDirty, o.End, full)
}

// SegmentsCopied is the second phase: what stays of a group of segments is
// copied into one, a file that ends in .cleaned.
type SegmentsCopied struct {
	Partition   string  `json:"partition"`
	Sources     []int64 `json:"sources"` // base offsets
	Into        int64   `json:"into"`    // base offset
	Read        int64   `json:"read"`    // records
	Kept        int64   `json:"kept"`
	BytesBefore int64   `json:"bytes_before"` // of the .log files
	BytesAfter  int64   `json:"bytes_after"`
}

func (s SegmentsCopied) Line() string {
	return fmt.Sprintf("copies %d of %s of %s of %s into %020d.log.cleaned, %d B to %d B",
		s.Kept, plural(int(s.Read), "record"), segmentList(s.Sources), s.Partition, s.Into, s.BytesBefore, s.BytesAfter)
}

// SegmentsReplaced is the third phase: the copy takes the place of its sources.
type SegmentsReplaced struct {
	Partition string  `json:"partition"`
	Sources   []int64 `json:"sources"` // base offsets
	Into      int64   `json:"into"`    // base offset
}

func (s SegmentsReplaced) Line() string {
	return fmt.Sprintf("puts the copy %d in place of %s of %s", s.Into, segmentList(s.Sources), s.Partition)
}

// LogCleaned is a pass of the cleaner over a log.
type LogCleaned struct {
	Partition   string `json:"partition"`
	FirstDirty  int64  `json:"first_dirty"` // before the pass
	End         int64  `json:"end"`         // first dirty offset after it
	Read        int64  `json:"read"`        // records
	Kept        int64  `json:"kept"`
	BytesBefore int64  `json:"bytes_before"` // of the .log files
	BytesAfter  int64  `json:"bytes_after"`
	Keys        int    `json:"keys"`     // in the offset map
	MapFull     bool   `json:"map_full"` // the pass ended early because of it
}

func (l LogCleaned) Line() string {
	full := ""
	if l.MapFull {
		full = ", the offset map is full"
	}
	return fmt.Sprintf("cleans %s: %d of %s kept, %d B to %d B, first dirty offset %d, was %d%s",
		l.Partition, l.Kept, plural(int(l.Read), "record"), l.BytesBefore, l.BytesAfter, l.End, l.FirstDirty, full)
}

// LogUncleanable is a log that the cleaner could not read: it is left alone
// until the broker is started again.
type LogUncleanable struct {
	Partition string `json:"partition"`
	Error     string `json:"error"`
}

func (l LogUncleanable) Line() string {
	return fmt.Sprintf("will not clean %s any more: %s", l.Partition, l.Error)
}

// CleanerDied is a cleaner that met an error which its thread does not survive:
// nothing is cleaned any more.
type CleanerDied struct {
	Error string `json:"error"`
}

func (c CleanerDied) Line() string { return "its cleaner ends: " + c.Error }

// CleaningAborted is a pass that was broken off before Phase (map, copy, swap
// or end): the log was truncated or is going.
type CleaningAborted struct {
	Partition string `json:"partition"`
	Phase     string `json:"phase"`
}

func (c CleaningAborted) Line() string {
	return fmt.Sprintf("breaks the pass over %s off, before its phase %s", c.Partition, c.Phase)
}

func segmentList(bases []int64) string {
	if len(bases) == 1 {
		return fmt.Sprintf("segment %d", bases[0])
	}
	return fmt.Sprintf("segments %s", strings.Trim(fmt.Sprint(bases), "[]"))
}
