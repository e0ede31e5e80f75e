package storage

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path"

	"github.com/spf13/afero"

	"kafkalab/engine/disk"
)

// segment is one stretch of a log: a .log file of whole batches and the indexes
// into it. Offsets in the indexes are relative to base, the lowest offset that
// the segment may hold (LogSegment).
type segment struct {
	fs   disk.FS
	dir  string
	base int64
	ext  string // behind the names of its files: .cleaned or .swap while it is compaction's output

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

func (s *segment) name(suffix string) string { return path.Join(s.dir, FileName(s.base, suffix)+s.ext) }

// segmentOptions is what a log gives to its segments.
type segmentOptions struct {
	fs     disk.FS
	dir    string
	config *Config
	jitter int64
	now    int64
	scan   *scanner
	ext    string
}

// openSegment opens the files of a segment, or creates them. problem tells why
// the indexes must be built anew: the offset index is missing, or the
// transaction index cannot be true. The other indexes are not looked at: above
// the recovery point they are rebuilt anyway (LogSegment#sanityCheck).
func openSegment(o segmentOptions, base int64) (s *segment, problem, err error) {
	s = &segment{
		fs: o.fs, dir: o.dir, base: base, ext: o.ext, interval: o.config.IndexIntervalBytes,
		jitterMs: o.jitter, created: o.now, scan: o.scan,
	}
	if err := s.openLog(); err != nil {
		return nil, nil, err
	}
	if problem, err = s.loadIndexes(o.config); err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	s.largest = s.lastIndexedTime()
	return s, problem, nil
}

func (s *segment) openLog() (err error) {
	name := s.name(logSuffix)
	if s.file, err = s.fs.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	info, err := s.file.Stat()
	if err == nil && info.Size() > math.MaxInt32 {
		err = &os.PathError{Op: "open", Path: name, Err: errors.New("larger than 2147483647 bytes")}
	}
	if err != nil {
		return errors.Join(err, s.close())
	}
	s.size = int32(info.Size())
	return nil
}

func (s *segment) loadIndexes(c *Config) (problem, err error) {
	var found bool
	if s.offsets, found, err = loadOffsetIndex(s.fs, s.name(indexSuffix), c.maxIndexEntries(offsetEntrySize)); err != nil {
		return nil, err
	}
	if !found {
		problem = errors.New("the offset index is missing")
	}
	if s.times, _, err = loadTimeIndex(s.fs, s.name(timeIndexSuffix), c.maxIndexEntries(timeEntrySize)); err != nil {
		return nil, err
	}
	var damage error
	if s.aborted, damage, err = loadTxnIndex(s.fs, s.name(txnIndexSuffix), s.base); damage != nil {
		problem = damage
	}
	return problem, err
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

// append writes head and body, which together are the batches given, and indexes
// them.
func (s *segment) append(head, body []byte, batches []batchHeader) error {
	n, err := disk.Append(s.file, int64(s.size), head, body)
	if err != nil {
		return err
	}
	return s.appended(n, batches)
}

// adopt is append for records that nobody changes any more: the disk may keep
// them instead of a copy.
func (s *segment) adopt(records []byte, batches []batchHeader) error {
	n, err := disk.Adopt(s.file, int64(s.size), records)
	if err != nil {
		return err
	}
	return s.appended(n, batches)
}

// appended indexes the batches that are the last n bytes of the file.
func (s *segment) appended(n int, batches []batchHeader) error {
	pos := s.size
	s.size += int32(n)
	for i := range batches {
		b := &batches[i]
		if pos == 0 {
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

// rename changes what stands behind the names of the segment's files.
func (s *segment) rename(ext string) error {
	from := s.ext
	for _, suffix := range segmentSuffixes {
		s.ext = from
		old := s.name(suffix)
		s.ext = ext
		if err := s.fs.Rename(old, s.name(suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	s.ext = ext
	s.offsets.path, s.times.path, s.aborted.path = s.name(indexSuffix), s.name(timeIndexSuffix), s.name(txnIndexSuffix)
	return nil
}

// discard removes the files of compaction's output that will not be used.
func (s *segment) discard() error {
	err := s.close()
	for _, suffix := range segmentSuffixes {
		if e := s.fs.Remove(s.name(suffix)); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
