package storage

import (
	"errors"
	"io"
	"math"
	"os"
	"path"

	"github.com/spf13/afero"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// segment is one stretch of a log: a .log file of whole batches and the indexes
// into it. Offsets in the indexes are relative to base, the lowest offset that
// the segment may hold (LogSegment).
type segment struct {
	fs   disk.FS
	dir  string
	base int64

	file     afero.File
	size     int32
	offsets  offsetIndex
	times    timeIndex
	aborted  txnIndex
	interval int32 // index.interval.bytes when the segment was opened
	jitterMs int64
	created  int64 // ms, virtual

	bytesSinceIndex int32
	first           firstTimestamp
	largest         timestampOffset
	scan            *scanner // the log's, lent
}

// timestampOffset is the largest timestamp of a segment, with the last offset
// of the batch that has it. Without a timestamp it is that of an empty index.
type timestampOffset struct {
	timestamp int64
	offset    int64
}

// firstTimestamp is the largest timestamp of the segment's first batch, from
// which its age counts. It is read when it is first needed.
type firstTimestamp struct {
	ms    int64
	known bool
}

func (s *segment) name(suffix string) string { return path.Join(s.dir, FileName(s.base, suffix)) }

// segmentOptions is what a log gives to its segments.
type segmentOptions struct {
	fs     disk.FS
	dir    string
	config *Config
	jitter int64
	now    int64
	scan   *scanner
}

// openSegment opens the files of a segment, or creates them. problem tells why
// the indexes must be built anew: the offset index is missing, or the
// transaction index cannot be true. The other indexes are not looked at: above
// the recovery point they are rebuilt anyway (LogSegment#sanityCheck).
func openSegment(o segmentOptions, base int64) (s *segment, problem, err error) {
	s = &segment{
		fs: o.fs, dir: o.dir, base: base, interval: o.config.IndexIntervalBytes,
		jitterMs: o.jitter, created: o.now, scan: o.scan,
	}
	if s.file, err = o.fs.OpenFile(s.name(logSuffix), os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, nil, err
	}
	info, err := s.file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > math.MaxInt32 {
		return nil, nil, &os.PathError{Op: "open", Path: s.name(logSuffix), Err: errors.New("larger than 2147483647 bytes")}
	}
	s.size = int32(info.Size())
	var found bool
	if s.offsets, found, err = loadOffsetIndex(o.fs, s.name(indexSuffix), o.config.maxIndexEntries(offsetEntrySize)); err != nil {
		return nil, nil, err
	}
	if !found && s.size > 0 {
		problem = errors.New("the offset index is missing")
	}
	if s.times, _, err = loadTimeIndex(o.fs, s.name(timeIndexSuffix), o.config.maxIndexEntries(timeEntrySize)); err != nil {
		return nil, nil, err
	}
	var damage error
	if s.aborted, damage, err = loadTxnIndex(o.fs, s.name(txnIndexSuffix), base); err != nil {
		return nil, nil, err
	}
	if damage != nil {
		problem = damage
	}
	s.largest = s.lastIndexedTime()
	return s, problem, nil
}

// activate makes the files of both indexes, and lets them grow to what the
// config says now.
func (s *segment) activate(c *Config) error {
	s.offsets.maxEntries = c.maxIndexEntries(offsetEntrySize)
	s.times.maxEntries = c.maxIndexEntries(timeEntrySize)
	return errors.Join(s.offsets.open(), s.times.open())
}

func (s *segment) lastIndexedTime() timestampOffset {
	e := s.times.last()
	return timestampOffset{e.Timestamp, s.base + int64(e.Relative)}
}

// fits tells whether an offset can be indexed in this segment.
func (s *segment) fits(offset int64) bool {
	return offset >= s.base && offset-s.base <= math.MaxInt32
}

// append writes head and body, which together are whole batches, and indexes
// them. batches walks over their headers in order.
func (s *segment) append(head, body []byte, batches []batchHeader) error {
	n, err := disk.Append(s.file, int64(s.size), head, body)
	if err != nil {
		return err
	}
	pos := s.size
	s.size += int32(n)
	for i := range batches {
		b := &batches[i]
		if !s.first.known {
			s.first = firstTimestamp{b.maxTimestamp, true}
		}
		if err := s.index(b, pos, &s.bytesSinceIndex); err != nil && !isOffsetError(err) {
			return err
		}
		pos += b.size
		s.bytesSinceIndex += b.size
	}
	return nil
}

// index takes note of a batch at a position: its timestamp, and an entry in
// both indexes if more than index.interval.bytes were written since the last.
// The bytes of the batch itself do not count yet, so the first batch of a
// segment has no entry (LogSegment#append).
func (s *segment) index(b *batchHeader, pos int32, since *int32) error {
	if b.maxTimestamp > s.largest.timestamp {
		s.largest = timestampOffset{b.maxTimestamp, b.last}
	}
	if *since <= s.interval {
		return nil
	}
	// A follower's append may fill an index half way. Kafka fails there, with
	// the bytes already in the file; a sparser index is as good.
	if s.offsets.full() || s.times.full() {
		return nil
	}
	if err := s.offsets.append(IndexEntry{Relative: int32(b.last - s.base), Position: pos}); err != nil {
		return err
	}
	*since = 0
	return s.times.maybeAppend(s.timeEntry())
}

func (s *segment) timeEntry() TimeIndexEntry {
	return TimeIndexEntry{Timestamp: s.largest.timestamp, Relative: int32(s.largest.offset - s.base)}
}

// headers starts a scan of the segment's batches at a position.
func (s *segment) headers(pos int64) *scanner {
	s.scan.reset(s.file, pos, int64(s.size))
	return s.scan
}

// found is a batch that a search came to.
type found struct {
	base, last int64
	position   int32
	size       int32
	epoch      int32
}

// find gives the first batch whose last offset is at or past an offset. ok is
// false when there is none in this segment.
func (s *segment) find(offset int64) (f found, ok bool, err error) {
	_, e := s.lookup(offset)
	return s.findFrom(offset, int64(e.Position))
}

// lookup asks the offset index for the place from which to scan.
func (s *segment) lookup(offset int64) (slot int, e IndexEntry) {
	return s.offsets.lookup(int32(min(max(offset-s.base, 0), math.MaxInt32)))
}

func (s *segment) findFrom(offset, pos int64) (f found, ok bool, err error) {
	scan := s.headers(pos)
	for {
		head, at, err := scan.next()
		if errors.Is(err, io.EOF) || errors.Is(err, record.ErrTruncated) {
			return found{}, false, nil
		}
		if err != nil {
			return found{}, false, s.damage(at, err)
		}
		if head.LastOffset() >= offset {
			return foundBatch(head, at), true, nil
		}
	}
}

func foundBatch(head record.Batch, at int64) found {
	return found{
		base: head.BaseOffset(), last: head.LastOffset(), position: int32(at),
		size: int32(head.Size()), epoch: head.PartitionLeaderEpoch(),
	}
}

// read gives the bytes of a batch.
func (s *segment) read(pos int64, size int) (record.Batch, error) {
	b := make([]byte, size)
	if _, err := s.file.ReadAt(b, pos); err != nil {
		return nil, s.damage(pos, err)
	}
	return b, nil
}

// damage says where in which file a scan met something that is no batch.
func (s *segment) damage(at int64, err error) error {
	return &DamageError{File: s.name(logSuffix), Position: at, Err: err}
}

// nextOffset is the offset after the last batch, or the base of an empty
// segment.
func (s *segment) nextOffset() (int64, error) {
	pos := int64(0)
	if n := len(s.offsets.entries); n > 0 {
		pos = int64(s.offsets.entries[n-1].Position)
	}
	next := s.base
	scan := s.headers(pos)
	for {
		head, at, err := scan.next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, record.ErrTruncated):
			return next, nil
		case err != nil:
			return next, s.damage(at, err)
		}
		next = head.NextOffset()
	}
}

// firstMs is the largest timestamp of the first batch, record.NoTimestamp if
// there is none.
func (s *segment) firstMs() int64 {
	if !s.first.known && s.size > 0 {
		if head, _, err := s.headers(0).next(); err == nil {
			s.first = firstTimestamp{head.MaxTimestamp(), true}
		}
	}
	if !s.first.known {
		return record.NoTimestamp
	}
	return s.first.ms
}

// largestTimestamp is that of the records or, when none has one, the time at
// which the file was last written.
func (s *segment) largestTimestamp() int64 {
	if s.largest.timestamp >= 0 {
		return s.largest.timestamp
	}
	info, err := s.file.Stat()
	if err != nil {
		return record.NoTimestamp
	}
	return info.ModTime().UnixMilli()
}

// truncateTo cuts the segment at the start of the batch that holds an offset,
// and the indexes with it. It returns the bytes cut (LogSegment#truncateTo).
func (s *segment) truncateTo(offset, now int64) (int32, error) {
	f, ok, err := s.find(offset)
	if err != nil {
		return 0, err
	}
	err = errors.Join(s.offsets.truncateTo(offset-s.base), s.times.truncateTo(offset-s.base), s.aborted.truncateTo(offset))
	if err != nil {
		return 0, err
	}
	cut := int32(0)
	if ok {
		cut = s.size - f.position
		if err := s.cut(f.position); err != nil {
			return 0, err
		}
	}
	if s.size == 0 {
		s.created, s.first = now, firstTimestamp{}
	}
	s.bytesSinceIndex = 0
	return cut, s.findLargestTime()
}

// findLargestTime looks for the largest timestamp anew: in the last entry of the
// time index, and in the batches behind it (LogSegment#readLargestTimestamp).
// Kafka does not if nobody had asked for it before, and then may index a smaller
// one for a later offset.
func (s *segment) findLargestTime() error {
	s.largest = s.lastIndexedTime()
	_, e := s.lookup(s.largest.offset)
	scan := s.headers(int64(e.Position))
	for {
		head, at, err := scan.next()
		if isCutOff(err) {
			return nil
		}
		if err != nil {
			return s.damage(at, err)
		}
		if head.MaxTimestamp() > s.largest.timestamp {
			s.largest = timestampOffset{head.MaxTimestamp(), head.LastOffset()}
		}
	}
}

// cut shortens the .log file.
func (s *segment) cut(size int32) error {
	if size == s.size {
		return nil
	}
	if err := s.file.Truncate(int64(size)); err != nil {
		return err
	}
	s.size = size
	return nil
}

// deactivate is what happens to the active segment when it is rolled or closed:
// the largest timestamp goes into the time index, and the indexes are trimmed
// (LogSegment#onBecomeInactiveSegment).
func (s *segment) deactivate() error {
	if err := s.times.maybeAppend(s.timeEntry()); err != nil && !isOffsetError(err) {
		return err
	}
	return errors.Join(s.offsets.trim(), s.times.trim(), s.aborted.trim())
}

// flush makes all files of the segment durable.
func (s *segment) flush() error {
	return errors.Join(s.file.Sync(), s.offsets.sync(), s.times.sync(), s.aborted.sync())
}

// releaseIndexes closes the index files of a segment that is no longer written.
func (s *segment) releaseIndexes() error {
	return errors.Join(s.offsets.close(), s.times.close(), s.aborted.close())
}

func (s *segment) close() error {
	err := s.releaseIndexes()
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
		s.file = nil
	}
	return err
}
