package storage

import (
	"errors"
	"io/fs"
	"os"

	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
)

// Phase is a part of a pass. Between two of them the log may be appended to,
// fetched from and rolled; what cuts it breaks the pass off.
type Phase string

// The phases of a pass, in their order; copy and swap come once for each group
// of segments.
const (
	PhaseMap  Phase = "map"  // note the newest offset of each key of the dirty part
	PhaseCopy Phase = "copy" // copy what stays of a group of segments into one .cleaned segment
	PhaseSwap Phase = "swap" // put the copy in the place of its sources
	PhaseEnd  Phase = "end"  // the pass is complete, the checkpoint may say so
)

// Cleaning is a pass on its way over one log (Cleaner#doClean).
type Cleaning struct {
	cleaner *Cleaner
	log     *Log
	todo    Cleanable
	stats   CleanStats
	next    Phase
	groups  [][]*segment // not copied yet; the first is the one at work
	into    *segment     // the copy of the first group, not swapped in yet
}

// ErrCleaningAborted ends a pass over a log that was truncated, closed or
// deleted meanwhile. The log is as those made it
// (LogCleaningAbortedException).
var ErrCleaningAborted = errors.New("storage: the pass was broken off, the log was truncated, closed or deleted")

// Begin begins a pass: it will note for each key of the dirty part the newest
// offset, then copy all segments before the end of what it has noted, leaving
// out what is out of date, and put the copies in place of the sources. Step
// does it, a phase at a time. A log takes one pass at a time; a second Begin
// breaks the first off.
func (c *Cleaner) Begin(l *Log, todo Cleanable) (*Cleaning, error) {
	if err := l.checkErr(); err != nil {
		return nil, err
	}
	if err := l.abortCleaning(); err != nil {
		return nil, err
	}
	p := &Cleaning{cleaner: c, log: l, todo: todo, next: PhaseMap}
	p.stats = CleanStats{FirstDirty: todo.FirstDirty, EndOffset: todo.FirstDirty}
	l.cleaning = p
	l.tell(trace.CleaningBegun{
		Partition: l.label, FirstDirty: todo.FirstDirty, FirstUncleanable: todo.FirstUncleanable,
		CleanBytes: todo.CleanBytes, CleanableBytes: todo.CleanableBytes,
	})
	return p, nil
}

// Next is the phase that Step will do.
func (p *Cleaning) Next() Phase { return p.next }

// Stats is what the pass has done so far.
func (p *Cleaning) Stats() CleanStats { return p.stats }

// Step does the next phase; done tells that it was the last. The caller then
// writes Stats().EndOffset to the cleaner's checkpoint. After an error the pass
// is over, its copy is discarded, and unless the error is the log's own (the
// disk failed in the middle of a swap) the log is as it was.
func (p *Cleaning) Step() (done bool, err error) {
	if p.log.cleaning != p {
		return false, ErrCleaningAborted
	}
	switch p.next {
	case PhaseMap:
		err = p.buildMap()
	case PhaseCopy:
		err = p.copy()
	case PhaseSwap:
		err = p.swap()
	case PhaseEnd:
		p.end()
		return true, nil
	}
	if err != nil {
		return false, p.fail(err)
	}
	return false, nil
}

// fail ends the pass after an error. One of the disk takes the log directory
// offline, as it does anywhere (LogCleaner.CleanerThread#cleanLog); what cannot
// be read as batches is told as it is.
func (p *Cleaning) fail(err error) error {
	err = errors.Join(err, p.log.abortCleaning())
	var path *fs.PathError
	var link *os.LinkError
	if p.log.broken == nil && (errors.As(err, &path) || errors.As(err, &link)) {
		return p.log.storageError("cleaning", err)
	}
	var kerr *kerror.Error
	if errors.As(err, &kerr) {
		return kerr
	}
	return err
}

func (p *Cleaning) buildMap() error {
	c, l := p.cleaner, p.log
	full, err := c.buildMap(l, p.todo)
	if err != nil {
		return err
	}
	p.stats.MapSize, p.stats.MapFull, p.stats.EndOffset = c.Map.size, full, c.Map.latest+1
	sources := l.segments[:max(l.floor(p.stats.EndOffset-1)+1, 0)]
	p.groups = groupSegments(sources, l.config, p.todo.FirstUncleanable)
	c.filter = newBatchFilter(l, c)
	p.forward()
	l.tell(trace.OffsetMapBuilt{
		Partition: l.label, FirstDirty: p.stats.FirstDirty, End: p.stats.EndOffset, Keys: p.stats.MapSize, Full: full,
	})
	return nil
}

// forward goes on to the next group, or to the end.
func (p *Cleaning) forward() {
	p.next = PhaseCopy
	if len(p.groups) == 0 {
		p.next = PhaseEnd
	}
}

func (p *Cleaning) copy() error {
	c, l, group := p.cleaner, p.log, p.groups[0]
	seen, kept := c.filter.seen, c.filter.kept
	into, err := c.copyGroup(l, group)
	if err != nil {
		return err
	}
	p.into, p.next = into, PhaseSwap
	event := trace.SegmentsCopied{
		Partition: l.label, Sources: bases(group), Into: into.base,
		Read: c.filter.seen - seen, Kept: c.filter.kept - kept, BytesAfter: int64(into.size),
	}
	for _, s := range group {
		event.BytesBefore += int64(s.size)
	}
	p.stats.Read, p.stats.Kept, p.stats.Invalid = c.filter.seen, c.filter.kept, c.filter.invalid
	p.stats.BytesBefore += event.BytesBefore
	p.stats.BytesAfter += event.BytesAfter
	p.stats.SegmentsBefore, p.stats.SegmentsAfter = p.stats.SegmentsBefore+len(group), p.stats.SegmentsAfter+1
	l.tell(event)
	return nil
}

func (p *Cleaning) swap() error {
	l, into, group := p.log, p.into, p.groups[0]
	p.into, p.groups = nil, p.groups[1:]
	l.limits = limitCache{}
	if err := l.replace(into, group); err != nil {
		return l.storageError("replacing segments of", err)
	}
	p.forward()
	l.tell(trace.SegmentsReplaced{Partition: l.label, Sources: bases(group), Into: into.base})
	return nil
}

func (p *Cleaning) end() {
	l, s := p.log, p.stats
	l.cleaning = nil
	l.tell(trace.LogCleaned{
		Partition: l.label, FirstDirty: s.FirstDirty, End: s.EndOffset, Read: s.Read, Kept: s.Kept,
		BytesBefore: s.BytesBefore, BytesAfter: s.BytesAfter, Keys: s.MapSize, MapFull: s.MapFull,
	})
}

// abortCleaning breaks off the pass over the log, if there is one: its sources
// are about to change. What it has swapped in stays, what it has copied since
// goes (LogCleanerManager#abortCleaning).
func (l *Log) abortCleaning() error {
	p := l.cleaning
	if p == nil {
		return nil
	}
	l.cleaning = nil
	l.tell(trace.CleaningAborted{Partition: l.label, Phase: string(p.next)})
	if p.into == nil {
		return nil
	}
	return p.into.discard()
}

// dropCleaning forgets the pass over a log that is closed: its cleaner ends
// with the broker, and the copy is left for the next start to remove
// (LogCleaner.CleanerThread#checkDone).
func (l *Log) dropCleaning() error {
	p := l.cleaning
	l.cleaning = nil
	if p == nil || p.into == nil {
		return nil
	}
	return p.into.close()
}

func bases(segments []*segment) []int64 {
	list := make([]int64, len(segments))
	for i, s := range segments {
		list[i] = s.base
	}
	return list
}
