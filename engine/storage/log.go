package storage

import (
	"path"
	"slices"
	"strings"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// Options are what a log is opened with.
type Options struct {
	FS        disk.FS
	Dir       string // folder of the partition inside FS, such as "orders-0"
	Topic     string
	Partition int32
	TopicID   [16]byte // zero when it is not known
	Config    Config

	Now    func() int64 // virtual ms since the Unix epoch
	Jitter func() int32 // random, for segment.jitter.ms; nil draws 0

	RecoveryPoint  int64 // from the checkpoint: first offset not known to be flushed
	LogStartOffset int64 // from the checkpoint, 0 if not listed
	CleanShutdown  bool  // the logs were closed: nothing is scanned

	Emit                   func(trace.Body) // may be nil
	ProducerIDExpirationMs int64            // producer.id.expiration.ms; 0 stands for Kafka's default
}

// defaultProducerExpirationMs is Kafka's producer.id.expiration.ms.
const defaultProducerExpirationMs = 24 * 3600 * 1000

// Log is one replica of a partition (UnifiedLog). After an error of the disk it
// is broken: every change answers KAFKA_STORAGE_ERROR until it is opened again.
type Log struct {
	fs      disk.FS
	dir     string
	folder  folder
	topic   string
	number  int32
	name    string // topic-partition, as Kafka's messages have it
	label   string // topic/partition, as this lab writes it
	topicID [16]byte
	config  Config
	now     func() int64
	jitter  func() int32
	emit    func(trace.Body)

	segments  []*segment // ascending, the last one is active
	epochs    *epochCache
	producers *producers
	pending   []PendingFile
	guards    Guard

	start         int64 // log start offset
	end           int64 // log end offset
	highWatermark int64
	firstUnstable int64 // NoOffset if no transaction holds readers back
	recoveryPoint int64
	lastFlushMs   int64

	cleaning *Cleaning // the pass over the log that is on its way, nil if there is none

	broken error
	closed bool

	// Kept between calls, so that these allocate nothing.
	scan    scanner
	headers []batchHeader
	head    [record.HeaderSize]byte
	limits  limitCache
	opened  int64      // end of the log when it was opened or cut
	stable  limitCache // the batch of the first unstable offset
}

func newLog(o Options) *Log {
	dir := strings.TrimPrefix(path.Clean("/"+o.Dir), "/")
	return &Log{
		fs: o.FS, dir: dir, folder: folder{fs: o.FS, dir: dir}, topic: o.Topic, number: o.Partition,
		name: DirName(o.Topic, o.Partition), label: label(o.Topic, o.Partition), topicID: o.TopicID,
		config: o.Config, now: o.Now, jitter: o.Jitter, emit: o.Emit,
		firstUnstable: NoOffset, scan: scanner{buf: make([]byte, scanWindow)},
	}
}

// tell emits a trace event, if anyone listens.
func (l *Log) tell(body trace.Body) {
	if l.emit != nil {
		l.emit(body)
	}
}

// Topic is the name of the log's topic.
func (l *Log) Topic() string { return l.topic }

// Partition is the number of the log's partition.
func (l *Log) Partition() int32 { return l.number }

// TopicID is the topic's id, zero when neither the opener nor the folder knows.
func (l *Log) TopicID() [16]byte { return l.topicID }

// Dir is the log's folder inside its disk.
func (l *Log) Dir() string { return l.dir }

// Config is the log's present configuration.
func (l *Log) Config() Config { return l.config }

// SetConfig changes it. Segments keep the jitter they drew; index sizes and the
// index interval count from the next segment on.
func (l *Log) SetConfig(c Config) { l.config = c }

// Err tells why the log is broken, nil if it is not.
func (l *Log) Err() error { return l.broken }

// LogStartOffset is the first offset that may be read. It may lie inside a
// segment, even inside a batch.
func (l *Log) LogStartOffset() int64 { return l.start }

// LogEndOffset is the offset that the next record gets.
func (l *Log) LogEndOffset() int64 { return l.end }

// HighWatermark is the end of what is known to be replicated, exclusive.
func (l *Log) HighWatermark() int64 { return l.highWatermark }

// RecoveryPoint is the first offset not known to be flushed.
func (l *Log) RecoveryPoint() int64 { return l.recoveryPoint }

// LastFlushMs is when the log was last flushed up to its end, for flush.ms.
func (l *Log) LastFlushMs() int64 { return l.lastFlushMs }

// LastStableOffset is the end of what a read_committed consumer may read: the
// first offset of the earliest transaction that is open, or decided but not
// replicated, and at most the high watermark (UnifiedLog#lastStableOffset).
func (l *Log) LastStableOffset() int64 {
	if l.firstUnstable != NoOffset && l.firstUnstable < l.highWatermark {
		return l.firstUnstable
	}
	return l.highWatermark
}

// UpdateHighWatermark sets the high watermark, no lower than the log's start
// and no higher than its end, and returns what it is now. It may go back:
// followers set what their leader tells them.
func (l *Log) UpdateHighWatermark(hw int64) int64 {
	l.highWatermark = min(max(hw, l.start), l.end)
	l.producers.replicatedTo(l.highWatermark)
	l.refreshFirstUnstable()
	return l.highWatermark
}

// refreshFirstUnstable looks anew for the offset that holds readers back, which
// is never before the log's start. Should the log not be readable there it is
// what the producers say.
func (l *Log) refreshFirstUnstable() {
	if first := l.producers.firstUnstable(); first != NoOffset {
		first = max(first, l.start)
		l.firstUnstable = first
		if base, err := l.unstable(first); err == nil {
			l.firstUnstable = base
		}
		return
	}
	l.firstUnstable = NoOffset
}

// unstable is the base offset of the batch that holds an offset. Of a transaction
// that this log has not seen begin, Kafka knows the offset only, and takes that of
// the batch which it finds there: the same one, unless a base offset is damaged
// (UnifiedLog#maybeIncrementFirstUnstableOffset).
func (l *Log) unstable(offset int64) (int64, error) {
	if offset >= l.opened {
		return offset, nil // appended since; or damage made it lie past the end
	}
	if l.stable.known && l.stable.offset == offset {
		return l.stable.place.base, nil
	}
	base := l.end
	for _, s := range l.segments[max(l.floor(offset), 0):] {
		f, ok, err := s.find(offset)
		if err != nil {
			return offset, err
		}
		if ok {
			base = f.base
			break
		}
	}
	l.stable = limitCache{offset: offset, place: place{base: base}, known: true}
	return base, nil
}

// checkFirstUnstable is unstable for a log that is being opened.
func (l *Log) checkFirstUnstable() error {
	first := l.producers.firstUnstable()
	if first == NoOffset {
		return nil
	}
	_, err := l.unstable(max(first, l.start))
	return err
}

// Size is the number of bytes in the .log files, those marked for deletion left
// out.
func (l *Log) Size() int64 {
	total := int64(0)
	for _, s := range l.segments {
		total += int64(s.size)
	}
	return total
}

func (l *Log) active() *segment { return l.segments[len(l.segments)-1] }

// floor is the index of the segment that may hold an offset: the last one whose
// base is not above it. -1 when there is none.
func (l *Log) floor(offset int64) int {
	i, found := slices.BinarySearchFunc(l.segments, offset, func(s *segment, o int64) int {
		return compareInt64(s.base, o)
	})
	if found {
		return i
	}
	return i - 1
}

// setEnd moves the log's end, and the marks that may not be beyond it.
func (l *Log) setEnd(end int64) {
	l.end = end
	l.highWatermark = min(l.highWatermark, end)
	l.recoveryPoint = min(l.recoveryPoint, end)
}

// setStart moves the log's start, and the marks that may not be before it.
func (l *Log) setStart(start int64) {
	l.start = start
	if l.highWatermark < start {
		l.UpdateHighWatermark(start)
	}
	l.recoveryPoint = max(l.recoveryPoint, start)
}

// storageError breaks the log: after a failed write nobody knows what the disk
// holds. Kafka takes the whole log directory offline.
func (l *Log) storageError(doing string, err error) *kerror.Error {
	if l.broken == nil {
		l.broken = err
		l.tell(trace.LogFailed{Partition: l.label, Doing: doing, Error: err.Error()})
	}
	return kerror.New(kerror.KafkaStorageError, "Error while %s %s in dir %s: %s", doing, l.name, l.dir, err.Error())
}

// check refuses to work on a log that is broken or closed.
func (l *Log) check() *kerror.Error {
	switch {
	case l.broken != nil:
		return kerror.New(kerror.KafkaStorageError, "The log dir of %s is already offline due to a previous IO exception: %s", l.name, l.broken.Error())
	case l.closed:
		return kerror.New(kerror.KafkaStorageError, "The log of %s is closed", l.name)
	}
	return nil
}

// checkErr is check for functions that give a Go error.
func (l *Log) checkErr() error {
	if err := l.check(); err != nil {
		return err
	}
	return nil
}

func (l *Log) segmentOptions() segmentOptions {
	return segmentOptions{
		fs: l.fs, dir: l.dir, config: &l.config, jitter: l.config.jitterMs(l.jitter), now: l.now(), scan: &l.scan,
	}
}
