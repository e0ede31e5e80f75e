package storage

import (
	"kafkalab/engine/kerror"
)

// FetchInfo is what a read gives: whole bytes of the log, as they are stored.
// The first batch may begin before the offset asked for, and the last one may
// be cut off; the reader drops both ends (FetchDataInfo).
type FetchInfo struct {
	Offset   int64 // base offset of the first batch, or of the one that holds the offset if nothing was read
	Segment  int64 // base of the segment it lies in
	Position int32 // of the first batch in that segment's .log file
	Records  []byte
	// FirstIncomplete tells that not even the first batch fitted.
	FirstIncomplete bool
}

// place is where a batch lies.
type place struct {
	base     int64 // offset of the batch
	segment  int64 // base of the segment
	position int32
}

// limitCache keeps the place of the offset up to which was read last: readers
// at the high watermark ask for the same one many times.
type limitCache struct {
	offset int64
	place  place
	known  bool
}

// Read gives the records from an offset on, at most maxBytes of them, up to a
// limit: the high watermark, the last stable offset or the log end, according
// to who reads. With minOne the first batch is given whole even if it is larger
// than maxBytes. One read never spans two segments. An offset between the limit
// and the log end reads nothing, without an error.
// Source: UnifiedLog#read, LocalLog#read, LogSegment#read.
func (l *Log) Read(offset int64, maxBytes int32, limit int64, minOne bool) (FetchInfo, *kerror.Error) {
	if err := l.check(); err != nil {
		return FetchInfo{}, err
	}
	at, err := l.bounds(offset)
	if err != nil {
		return FetchInfo{}, err
	}
	limit = min(limit, l.end)
	if offset >= limit {
		return l.emptyAt(offset)
	}
	upper, kerr := l.place(limit)
	if kerr != nil {
		return FetchInfo{}, kerr
	}
	for _, s := range l.segments[at:] {
		f, ok, err := s.find(offset)
		if err != nil {
			return FetchInfo{}, l.readError(err)
		}
		if !ok {
			continue // all that followed here is compacted away
		}
		end := s.size
		switch {
		case s.base == upper.segment:
			end = upper.position
		case s.base > upper.segment:
			end = nothing
		}
		return l.slice(s, f, end, maxBytes, minOne)
	}
	return FetchInfo{Offset: l.end, Segment: l.active().base, Position: l.active().size}, nil
}

// bounds refuses an offset that the log does not have, and gives the index of
// the segment in which to look for it.
func (l *Log) bounds(offset int64) (int, *kerror.Error) {
	if offset < l.start {
		return 0, kerror.New(kerror.OffsetOutOfRange, "Received request for offset %d for partition %s, but we only have log segments starting from offset: %d.", offset, l.name, l.start)
	}
	at := l.floor(offset)
	if offset > l.end || at < 0 {
		return 0, kerror.New(kerror.OffsetOutOfRange, "Received request for offset %d for partition %s, but we only have log segments upto %d.", offset, l.name, l.end)
	}
	return at, nil
}

// emptyAt is a read of nothing at an offset.
func (l *Log) emptyAt(offset int64) (FetchInfo, *kerror.Error) {
	p, err := l.place(offset)
	return FetchInfo{Offset: p.base, Segment: p.segment, Position: p.position}, err
}

// place gives the place of the batch that holds an offset; of the log's end,
// where the next batch will be.
func (l *Log) place(offset int64) (place, *kerror.Error) {
	end := place{l.end, l.active().base, l.active().size}
	if offset >= l.end {
		return end, nil
	}
	if c := &l.limits; c.known && c.offset == offset {
		return c.place, nil
	}
	for _, s := range l.segments[max(l.floor(offset), 0):] {
		f, ok, err := s.find(offset)
		if err != nil {
			return place{}, l.readError(err)
		}
		if ok {
			l.limits = limitCache{offset, place{f.base, s.base, f.position}, true}
			return l.limits.place, nil
		}
	}
	return end, nil
}

// nothing stands for the end of what may be read of a segment behind the limit.
const nothing = -1

// slice reads from a batch on.
func (l *Log) slice(s *segment, f found, end, maxBytes int32, minOne bool) (FetchInfo, *kerror.Error) {
	info := FetchInfo{Offset: f.base, Segment: s.base, Position: f.position}
	size := max(maxBytes, 0)
	if minOne {
		size = max(size, f.size)
	}
	info.FirstIncomplete = size < f.size
	if size <= 0 || end == nothing {
		return info, nil
	}
	if end < f.position {
		return FetchInfo{}, l.readError(s.damage(int64(f.position), throw(illegalArgument, "Invalid size: %d: the batch lies behind the position up to which may be read", end-f.position)))
	}
	size = min(size, end-f.position)
	if size == 0 {
		return info, nil
	}
	records, err := s.read(int64(f.position), int(size))
	if err != nil {
		return FetchInfo{}, l.readError(err)
	}
	info.Records = records
	return info, nil
}

// CollectAborted lists the aborted transactions that a read_committed consumer
// must know of to skip their records in what a read from an offset gave. The
// list may hold some that lie beyond the slice.
// Source: LocalLog#addAbortedTransactions.
func (l *Log) CollectAborted(offset int64, info FetchInfo) []AbortedTxn {
	at := l.floor(info.Segment)
	if at < 0 {
		return nil
	}
	upper := l.end
	if e, ok := l.segments[at].offsets.firstAt(int64(info.Position) + int64(len(info.Records))); ok {
		upper = l.segments[at].base + int64(e.Relative)
	} else if at+1 < len(l.segments) {
		upper = l.segments[at+1].base
	}
	return l.AbortedBetween(info.Segment, offset, upper)
}

// AbortedBetween lists the aborted transactions that touch [from, upper), from
// the segment of a base offset on.
func (l *Log) AbortedBetween(segment, from, upper int64) []AbortedTxn {
	var list []AbortedTxn
	for _, s := range l.segments[max(l.floor(segment), 0):] {
		var complete bool
		if list, complete = s.aborted.collect(list, from, upper); complete {
			break
		}
	}
	return list
}
