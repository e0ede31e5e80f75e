package broker

import (
	"errors"

	"kafkalab/engine/disk"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// The checkpoint files of a log directory, by the names that timers give them.
const (
	checkpointHW       = "hw"
	checkpointStart    = "start"
	checkpointRecovery = "recovery"
)

// checkpoints are what the files at the root of the log directory say: where
// each log starts, how far it is flushed, and its high watermark.
type checkpoints struct {
	recovery, start, hw storage.OffsetCheckpoint
	cleaner             storage.OffsetCheckpoint // first dirty offsets of compacted logs
	clean               bool
	previousEpoch       int64
	armed               map[string]bool

	hwErr      error // why the high watermarks could not be read: partitions cannot be hosted
	cleanerErr error // why the first dirty offsets could not: the cleaner meets it at its first look
}

func (c *checkpoints) load(fs disk.FS) (err error) {
	c.armed = map[string]bool{}
	c.previousEpoch = -1
	if c.clean, c.previousEpoch, err = storage.TakeCleanShutdown(fs); err != nil {
		return err
	}
	c.hw, c.hwErr = storage.ReadOffsetCheckpoint(fs, storage.HighWatermarkFile)
	c.cleaner, c.cleanerErr = storage.ReadOffsetCheckpoint(fs, storage.CleanerOffsetFile)
	if c.recovery, err = readOrReset(fs, storage.RecoveryPointFile); err == nil {
		c.start, err = readOrReset(fs, storage.LogStartOffsetFile)
	}
	return err
}

// readOrReset reads what can be found again: without recovery points a log is
// scanned from its first byte, without start offsets it begins with its first
// segment. A file with a number that is none is passed over like that; any other
// that cannot be read takes the log directory offline all the same
// (LogManager#loadLogs, CheckpointFileWithFailureHandler#read).
func readOrReset(fs disk.FS, name string) (storage.OffsetCheckpoint, error) {
	c, err := storage.ReadOffsetCheckpoint(fs, name)
	if bad, ok := errors.AsType[*storage.TextError](err); ok && bad.Unchecked {
		return storage.OffsetCheckpoint{}, nil
	}
	return c, err
}

// checkpointFiles says of each checkpoint where it is kept, and which configs
// give the first run of its task, after the broker's start, and its period
// (ReplicaManager#startHighWatermarkCheckPointThread, LogManager#startup).
var checkpointFiles = map[string]struct{ file, first, interval string }{
	checkpointHW:       {storage.HighWatermarkFile, "", "replica.high.watermark.checkpoint.interval.ms"},
	checkpointStart:    {storage.LogStartOffsetFile, "log.initial.task.delay.ms", "log.flush.start.offset.checkpoint.interval.ms"},
	checkpointRecovery: {storage.RecoveryPointFile, "log.initial.task.delay.ms", "log.flush.offset.checkpoint.interval.ms"},
}

// dirty arms the next writing of a checkpoint, on the grid that Kafka's
// periodic task has: a task that would write the same again is skipped.
func (c *checkpoints) dirty(b *Broker, which string) {
	if c.armed[which] || !b.serving {
		return
	}
	c.armed[which] = true
	v, task, first := b.configs(), checkpointFiles[which], int64(0)
	if task.first != "" {
		first = v.Int(task.first)
	}
	at := b.nextRun(b.started, 0, first, v.Int(task.interval))
	b.ctx.SetPeriodic("checkpoint/"+which, at-b.ctx.Now())
}

// checkpoint writes one of the files: its task has come, or something has
// happened after which it must not be old.
func (b *Broker) checkpoint(which string) {
	b.points.armed[which] = false
	b.ctx.CancelTimer("checkpoint/" + which)
	if err := b.writeCheckpoint(which); err != nil {
		b.fail(err)
		return
	}
	b.emit(trace.CheckpointWritten{File: checkpointFiles[which].file})
}

func (b *Broker) writeCheckpoint(which string) error {
	entries := storage.OffsetCheckpoint{}
	for _, p := range b.sorted() {
		if offset, ok := p.checkpointed(which); ok {
			entries.Set(p.topic, p.partition, offset)
		}
	}
	return storage.WriteOffsetCheckpoint(b.FS, checkpointFiles[which].file, entries)
}

// checkpointed is what a checkpoint says of one log, if anything: a start
// offset is written only when it is above the first segment's base, which the
// file names do not say.
func (p *Partition) checkpointed(which string) (int64, bool) {
	switch which {
	case checkpointHW:
		return p.log.HighWatermark(), true
	case checkpointRecovery:
		return p.log.RecoveryPoint(), true
	default:
		s := p.log.Segments()
		return p.log.LogStartOffset(), len(s) > 0 && p.log.LogStartOffset() > s[0].Base
	}
}

func (b *Broker) writeCheckpoints() error {
	for _, which := range []string{checkpointRecovery, checkpointStart, checkpointHW} {
		if err := b.writeCheckpoint(which); err != nil {
			return err
		}
	}
	return nil
}
