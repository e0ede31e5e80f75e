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

func (s *segment) name(suffix string) string {
	return path.Join(s.dir, paddedName(s.base, suffix)+s.ext)
}

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

// openSegment opens the files of a segment, or creates them, and tells whether
// the offset index was there.
func openSegment(o segmentOptions, base int64) (s *segment, indexed bool, err error) {
	s = &segment{
		fs: o.fs, dir: o.dir, base: base, ext: o.ext, interval: o.config.IndexIntervalBytes,
		jitterMs: o.jitter, created: o.now, scan: o.scan,
	}
	if err := s.openLog(); err != nil {
		return nil, false, err
	}
	if indexed, err = s.loadIndexes(o.config); err != nil {
		return nil, false, errors.Join(err, s.close())
	}
	s.largest = s.lastIndexedTime()
	return s, indexed, nil
}

func (s *segment) openLog() (err error) {
	name := s.name(logSuffix)
	if s.file, err = s.fs.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	info, err := s.file.Stat()
	if err == nil && info.Size() > math.MaxInt32 {
		err = damaged(name, -1, throw(kafkaException, "%d bytes, a segment has at most 2147483647", info.Size()))
	}
	if err != nil {
		return errors.Join(err, s.close())
	}
	s.size = int32(info.Size())
	return nil
}

func (s *segment) loadIndexes(c *Config) (indexed bool, err error) {
	if s.offsets, indexed, err = loadOffsetIndex(s.fs, s.name(indexSuffix), c.maxIndexEntries(offsetEntrySize)); err != nil {
		return false, err
	}
	if s.times, _, err = loadTimeIndex(s.fs, s.name(timeIndexSuffix), c.maxIndexEntries(timeEntrySize)); err != nil {
		return false, err
	}
	s.aborted, err = loadTxnIndex(s.fs, s.name(txnIndexSuffix), s.base)
	return indexed, err
}

// activate makes the files of both indexes, and lets them grow to what the
// config says now.
func (s *segment) activate(c *Config) error {
	if err := s.resizeIndexes(c); err != nil {
		return err
	}
	return errors.Join(s.offsets.open(), s.times.open())
}

// resizeIndexes lets both indexes grow to what the config says now.
func (s *segment) resizeIndexes(c *Config) error {
	if err := s.offsets.resize(c.maxIndexEntries(offsetEntrySize)); err != nil {
		return err
	}
	return s.times.resize(c.maxIndexEntries(timeEntrySize))
}

func (s *segment) lastIndexedTime() timestampOffset {
	e := s.times.last()
	return timestampOffset{e.Timestamp, s.base + int64(e.Relative)}
}

// indexTime takes the largest timestamp so far into the time index.
func (s *segment) indexTime(closing bool) error {
	return s.times.maybeAppend(s.largest.timestamp, s.largest.offset-s.base, closing)
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
		// A damaged index may hold what contradicts the batch. Kafka fails, with the
		// bytes already in the file; here the entry is left out.
		if err := s.index(b, pos, &s.bytesSinceIndex); err != nil && !isDamage(err) {
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
	// An append of many batches, as followers make it, may fill an index half way,
	// and recovery may be allowed a smaller one than the appends were. Kafka fails
	// there, with the bytes already in the file; a sparser index is as good.
	if *since <= s.interval || s.offsets.full() || s.times.full() {
		return nil
	}
	if err := s.offsets.append(b.last-s.base, pos); err != nil {
		return err
	}
	if err := s.indexTime(false); err != nil {
		return err
	}
	*since = 0
	return nil
}

// truncateTo cuts the segment at the start of the batch that holds an offset,
// and the indexes with it. It returns the bytes cut (LogSegment#truncateTo).
func (s *segment) truncateTo(offset, now int64, c *Config) (int32, error) {
	f, ok, err := s.find(offset)
	if err != nil {
		return 0, err
	}
	if err := s.truncateIndexes(offset, c); err != nil {
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
	if s.largest.timestamp < 0 {
		return cut, nil
	}
	return cut, s.findLargestTime()
}

func (s *segment) truncateIndexes(offset int64, c *Config) error {
	err := errors.Join(s.offsets.truncateTo(offset-s.base), s.times.truncateTo(offset-s.base))
	if err != nil {
		return err
	}
	if err := s.aborted.truncateTo(offset); err != nil {
		return err
	}
	return s.resizeIndexes(c)
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
	if err := s.indexTime(true); err != nil {
		return err
	}
	return errors.Join(s.offsets.trim(), s.times.trim())
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
