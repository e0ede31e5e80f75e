package broker

import (
	"fmt"

	"kafkalab/engine/kerror"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// refusedUncleanable is a log that an earlier pass could not read: the cleaner
// leaves it alone until the broker is started again.
const refusedUncleanable storage.Refusal = "uncleanable"

// refusedAborted is a pass that was broken off.
const refusedAborted storage.Refusal = "aborted"

// refusedOff is a broker without a cleaner.
const refusedOff storage.Refusal = "off"

// armCleaner sets the cleaner's next waking, if it will find a log to clean or
// segments to delete. Between two looks it sleeps log.cleaner.backoff.ms. A log
// that it cannot clean it leaves alone altogether.
// Source: LogCleaner.CleanerThread#doWork, LogCleanerManager#deletableLogs.
func (b *Broker) armCleaner(p *Partition) {
	if p.uncleanable != "" || !b.cleanerOn() {
		return
	}
	backoff := b.configs().Int("log.cleaner.backoff.ms")
	for _, due := range []func() (int64, bool){func() (int64, bool) { return p.log.CleanDue(b.firstDirty(p)) }, p.log.RetentionDue} {
		if ms, ok := due(); ok {
			b.earlier(&b.chores.cleanAt, b.nextRun(b.chores.threadsFrom, b.virtual(ms), backoff, backoff), "clean")
		}
	}
}

// reconfigurable are the configs whose change ends the cleaner's threads and
// starts others (LogCleaner#RECONFIGURABLE_CONFIGS).
var reconfigurable = []string{
	"log.cleaner.threads", "log.cleaner.dedupe.buffer.size", "log.cleaner.io.buffer.load.factor", "log.cleaner.io.buffer.size",
	"message.max.bytes", "log.cleaner.io.max.bytes.per.second", "log.cleaner.backoff.ms",
}

// startCleaner has the cleaner's threads run from now on, unless some run that
// were made of the same configs.
func (b *Broker) startCleaner() (fresh bool) {
	if b.points.cleanerErr != nil { // met at the first look, whether there is a log to clean or not
		b.earlier(&b.chores.cleanAt, b.ctx.Now()+b.configs().Int("log.cleaner.backoff.ms"), "clean")
	}
	v, made := b.configs(), ""
	for _, name := range reconfigurable {
		made += v.String(name) + "\n"
	}
	if made == b.chores.threadsMade {
		return false
	}
	b.chores.cleaner, b.chores.threadsFrom, b.chores.threadsMade = nil, b.ctx.Now(), made
	return true
}

// reconfigureCleaner makes the cleaner's threads anew when their configs have
// changed. New threads look for a log at once (LogCleaner#reconfigure).
func (b *Broker) reconfigureCleaner() {
	if !b.serving || b.image.ConfigRevision == b.chores.revision {
		return
	}
	b.chores.revision = b.image.ConfigRevision
	if !b.startCleaner() {
		return
	}
	b.chores.cleanAt = 0
	b.ctx.CancelTimer("clean")
	if b.cleanerOn() {
		b.wakeCleaner()
	}
}

// cleanerOn tells whether there are cleaner threads at all; without them nobody
// deletes segments of compacted logs either (LogManager#startup).
func (b *Broker) cleanerOn() bool { return !b.chores.dead && b.configs().Bool("log.cleaner.enable") }

// firstDirty is what the cleaner's checkpoint says of a log.
func (b *Broker) firstDirty(p *Partition) int64 {
	if offset, ok := b.points.cleaner[storage.TopicPartition{Topic: p.topic, Partition: p.partition}]; ok {
		return offset
	}
	return storage.NoOffset
}

// filthiest is the log with the highest ratio of those that may be cleaned
// (LogCleanerManager#grabFilthiestCompactedLog).
func (b *Broker) filthiest() *Partition {
	var best *Partition
	ratio := -1.0
	for _, p := range b.sorted() {
		if p.uncleanable != "" {
			continue
		}
		c := p.log.Cleanable(b.firstDirty(p))
		if c.Reset && p.log.Config().Compact {
			b.cleanedTo(p, c.FirstDirty)
		}
		if why, _ := p.log.Refused(c); why == "" && c.Ratio() > ratio {
			best, ratio = p, c.Ratio()
		}
	}
	return best
}

// cleaner is made when it is needed first. One thread is simulated, with the
// memory of one.
func (b *Broker) cleaner() *storage.Cleaner {
	if b.chores.cleaner == nil {
		v := b.configs()
		memory := v.Int("log.cleaner.dedupe.buffer.size") / max(v.Int("log.cleaner.threads"), 1)
		b.chores.cleaner = &storage.Cleaner{Map: storage.NewOffsetMap(memory, v.Float("log.cleaner.io.buffer.load.factor"))}
	}
	return b.chores.cleaner
}

// notCleaned marks a log that cannot be read so that the cleaner does not try
// again and again (LogCleanerManager#markPartitionUncleanable).
func (b *Broker) notCleaned(p *Partition, err error) {
	if kerr, ok := err.(*kerror.Error); ok && kerr.Code == kerror.KafkaStorageError {
		b.choreFailed(p, "compaction", err)
		return
	}
	p.uncleanable = err.Error()
	p.pass.Refusal, p.pass.Why = refusedUncleanable, p.uncleanable
	b.emit(trace.LogUncleanable{Partition: p.String(), Error: err.Error()})
}

// cleanedTo writes down where the dirty part of a log begins
// (LogCleanerManager#updateCheckpoints).
func (b *Broker) cleanedTo(p *Partition, offset int64) {
	if b.points.cleaner == nil {
		b.points.cleaner = storage.OffsetCheckpoint{}
	}
	b.points.cleaner.Set(p.topic, p.partition, offset)
	b.writeCleanerCheckpoint()
}

func (b *Broker) writeCleanerCheckpoint() {
	if err := storage.WriteOffsetCheckpoint(b.FS, storage.CleanerOffsetFile, b.points.cleaner); err != nil {
		b.fail(fmt.Errorf("%s: %w", b.Name(b.ID), err))
		return
	}
	b.emit(trace.CheckpointWritten{File: storage.CleanerOffsetFile})
}

// truncatedCheckpoint lowers the cleaner's checkpoint after a truncation: what
// comes after the active segment's base will be dirty again. Of a log that is
// not compacted now it is left as it is
// (LogCleanerManager#maybeTruncateCheckpoint).
func (b *Broker) truncatedCheckpoint(p *Partition) {
	if !p.log.Config().Compact {
		return
	}
	segments := p.log.Segments()
	base := segments[len(segments)-1].Base
	if first := b.firstDirty(p); first != storage.NoOffset && first > base {
		b.cleanedTo(p, base)
	}
}

// forgetCheckpoint drops a deleted log from the cleaner's checkpoint.
func (b *Broker) forgetCheckpoint(p *Partition) {
	key := storage.TopicPartition{Topic: p.topic, Partition: p.partition}
	if _, ok := b.points.cleaner[key]; ok {
		delete(b.points.cleaner, key)
		b.writeCleanerCheckpoint()
	}
}
