package engine

import (
	"slices"

	"kafkalab/engine/broker"
	"kafkalab/engine/storage"
)

// CleanerReader is a Reader that can tell how the log cleaner and retention see
// a replica.
type CleanerReader interface {
	CleanerView(topic string, partition, broker int32) (CleanerView, bool)
}

// CleanerView is a replica's log as the log cleaner and retention see it now.
type CleanerView struct {
	Partition string
	Broker    int32
	Policy    string // compact, delete, compact,delete or empty
	TimeMs    int64  // virtual

	FirstDirty       int64
	FirstUncleanable int64
	CleanBytes       int64
	CleanableBytes   int64
	Ratio            float64
	MinRatio         float64 // min.cleanable.dirty.ratio, which has to be exceeded
	Must             bool    // max.compaction.lag.ms is over
	Refusal          string  // why a pass would not be made now, a word of scripts; empty if it would
	Why              string  // the same in a few words
	NextWakingMs     int64   // virtual ms at which the cleaner will find something, -1 when that is not to be foreseen

	Passes        int
	LastPass      broker.Pass   // Next tells the phase that comes next while it is on its way
	Dirty         []DirtyRecord // what the map is filled from, until the copy is made; at most 500
	Files         []FolderFile  // of the folder, those that end in .cleaned, .swap or .deleted
	Empty         []EmptyBatch  // at most 500
	Segments      []CleanerSegment
	Horizons      []Horizon // of batches that have one, oldest first, at most 500
	RetentionMs   int64     // -1 without a limit, or where the policy has no delete
	RetentionB    int64     // retention.bytes, -1 without a limit
	Bytes         int64     // of the .log files
	Start         int64     // log start offset
	NextCheckMs   int64     // virtual ms of the next retention check that deletes something, -1 when that is not to be foreseen
	DeleteDelayMs int64
	Doomed        []DoomedFile // renamed to .deleted, earliest first
}

// CleanerSegment is one segment.
type CleanerSegment struct {
	Base, Next int64
	Bytes      int32
	Active     bool
	Clean      bool  // a pass has looked at all of it
	LargestMs  int64 // largest timestamp, ms since the Unix epoch; -1 for none
	OverMs     int64 // how long retention.ms has been over, negative until it is; 0 with HasAge false
	HasAge     bool
	Goes       string // why the next retention check deletes it, a reason of storage; empty if it does not
	Held       string // why a segment that is too old stays: "high watermark", "segment before it"; else empty
}

// Horizon is a batch whose tombstones or marker may go from AtMs (virtual ms) on.
type Horizon struct {
	Base, Last int64
	AtMs       int64
}

// DoomedFile is a file that waits to be unlinked.
type DoomedFile struct {
	Path string
	AtMs int64 // virtual
}

const maxHorizons = 500

// CleanerView copies what the cleaner and retention see of a replica; false
// when there is none, or its broker is down.
func (c *Cluster) CleanerView(topic string, partition, id int32) (CleanerView, bool) {
	p := c.replica(topic, partition, id)
	b := c.broker(id)
	if p == nil || b == nil || !c.isUp(id) {
		return CleanerView{}, false
	}
	log, config := p.Log(), p.Log().Config()
	first, found := b.FirstDirty(p)
	refusal, why := log.Refused(found)
	pass := p.LastPass()
	toVirtual := c.Now() - c.loop.WallMs()
	v := CleanerView{
		Partition: p.String(), Broker: id, Policy: config.Policy(), TimeMs: c.Now(),
		FirstDirty: first, FirstUncleanable: found.FirstUncleanable, CleanBytes: found.CleanBytes, CleanableBytes: found.CleanableBytes,
		Ratio: found.Ratio(), MinRatio: config.MinCleanableDirtyRatio, Must: found.Must, Refusal: string(refusal), Why: why,
		Passes: pass.Number, LastPass: pass, RetentionMs: -1, RetentionB: -1, Bytes: log.Size(), Start: log.LogStartOffset(),
		DeleteDelayMs: config.FileDeleteDelayMs, NextWakingMs: -1, NextCheckMs: -1,
	}
	clean, retain := b.Chores()
	if config.Compact && clean > 0 {
		v.NextWakingMs = clean
	}
	if !config.Compact && retain > 0 {
		v.NextCheckMs = retain
	}
	if config.Delete {
		v.RetentionMs, v.RetentionB = config.RetentionMs, config.RetentionBytes
	}
	for _, s := range log.Segments() {
		seg := CleanerSegment{Base: s.Base, Next: s.Next, Bytes: s.Bytes, Active: s.Active, Clean: !s.Active && s.Next <= first, LargestMs: s.LargestTimestamp}
		seg.OverMs, seg.HasAge = log.RetentionOf(s.Base)
		v.Segments = append(v.Segments, seg)
	}
	v.judge(log.HighWatermark(), config.Delete)
	v.Horizons, v.Empty = marked(log, toVirtual)
	v.Files = passFiles(b.FS, log.Dir())
	if pass.Next == storage.PhaseMap { // it has done nothing so far
		v.LastPass.Stats = storage.CleanStats{FirstDirty: first, EndOffset: first}
	}
	if pass.Next == storage.PhaseMap || pass.Next == storage.PhaseCopy && len(pass.Verdicts) == 0 {
		v.Dirty = dirtyRecords(log, v.LastPass.Stats.FirstDirty, found.FirstUncleanable)
	}
	for _, f := range log.Pending() {
		v.Doomed = append(v.Doomed, DoomedFile{f.Path, f.Due + toVirtual})
	}
	v.LastPass.Verdicts = slices.Clone(pass.Verdicts)
	v.LastPass.Map = slices.Clone(pass.Map)
	return v, true
}

// judge tells of each segment what the next retention check does with it: each
// rule walks from the oldest on and stops at the first that it does not meet.
// Source: UnifiedLog#deleteOldSegments, #deletableSegments.
func (v *CleanerView) judge(hw int64, deletes bool) {
	at := 0
	walk := func(reason string, gone func(s *CleanerSegment) bool) {
		for ; at < len(v.Segments); at++ {
			s := &v.Segments[at]
			if s.Next > hw || s.Active && s.Bytes == 0 || !gone(s) {
				return
			}
			s.Goes = reason
		}
	}
	walk(storage.DeletedByLogStart, func(s *CleanerSegment) bool { return !s.Active && s.Next <= v.Start })
	size := v.Bytes
	for _, s := range v.Segments[:at] {
		size -= int64(s.Bytes)
	}
	if excess := size - v.RetentionB; deletes && v.RetentionB >= 0 {
		walk(storage.DeletedBySize, func(s *CleanerSegment) bool {
			excess -= int64(s.Bytes)
			return excess >= 0
		})
	}
	walk(storage.DeletedByTime, func(s *CleanerSegment) bool { return deletes && s.HasAge && s.OverMs > 0 })
	for i := at; i < len(v.Segments); i++ {
		switch s := &v.Segments[i]; {
		case !s.HasAge || s.OverMs <= 0:
		case s.Next > hw:
			s.Held = "high watermark"
		case i > at:
			s.Held = "segment before it"
		}
	}
}
