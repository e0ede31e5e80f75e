package broker

import (
	"fmt"
	"slices"

	"kafkalab/engine/fetchsession"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// removedDir is a log that is renamed for deletion and whose files go later
// (LogManager#asyncDelete).
type removedDir struct {
	dir string
	due sim.Time
}

// remove takes a deleted partition's replica away: its folder is renamed at
// once, its files go after log.segment.delete.delay.ms, whatever the topic's
// file.delete.delay.ms was (LogManager#deleteLogs).
func (b *Broker) remove(key tp) {
	p := b.partitions[key]
	delete(b.partitions, key)
	b.order = nil
	id := sim.UUID(b.ctx.Rand("delete.id"))
	dir, err := p.log.MarkDeleted(fmt.Sprintf("%x", id))
	if err != nil {
		b.fail(err)
		return
	}
	b.removed = append(b.removed, removedDir{dir: dir, due: b.ctx.Now() + b.configs().Int("log.segment.delete.delay.ms")})
	b.emit(trace.ReplicaDeleted{Partition: key.String(), Dir: dir})
	b.forgetCheckpoint(p)
	b.failWaiting(p)
	b.removedAny = true
	b.scheduleUnlink()
}

// afterRemovals writes the checkpoints anew, so that none speaks of a log that
// is gone (LogManager#asyncDelete).
func (b *Broker) afterRemovals() {
	if b.removedAny && b.serving && !b.failed() {
		b.checkpoint(checkpointRecovery)
		b.checkpoint(checkpointStart)
	}
	b.removedAny = false
}

// failWaiting answers what waits for a partition that is gone.
func (b *Broker) failWaiting(p *Partition) {
	for _, d := range slices.Clone(b.parked) {
		if slices.ContainsFunc(d.context.Parts, func(part fetchsession.Part) bool {
			return part.Wanted.Partition == p.partition && (part.TopicID == p.topicID || part.Topic == p.topic)
		}) {
			b.complete(d)
		}
	}
	b.tryProduces(p)
	b.tryDeletes(p)
}

// leftover takes up the folders of deleted partitions that an earlier life of
// this broker did not get to remove.
func (b *Broker) leftover() {
	_, deleted, err := storage.PartitionDirs(b.FS)
	if err != nil {
		b.fail(err)
		return
	}
	for _, dir := range deleted {
		b.removed = append(b.removed, removedDir{dir: dir, due: b.ctx.Now() + b.configs().Int("log.segment.delete.delay.ms")})
	}
	b.scheduleUnlink()
}

// scheduleUnlink sets the timer for the first file that is due to go.
func (b *Broker) scheduleUnlink() {
	due, ok := int64(0), false
	for _, l := range b.removed {
		if !ok || l.due < due {
			due, ok = l.due, true
		}
	}
	for _, p := range b.sorted() {
		if ms, any := p.log.NextDue(); any {
			if at := ms - b.wall + b.ctx.Now(); !ok || at < due {
				due, ok = at, true
			}
		}
	}
	if ok {
		b.ctx.SetPeriodic("unlink", max(due-b.ctx.Now(), 0))
	}
}

// unlink removes the files whose time has come.
func (b *Broker) unlink() {
	b.unlinkRemoved()
	for _, p := range b.sorted() {
		if err := p.log.DeleteExpired(); err != nil {
			b.fail(err)
			return
		}
	}
	b.scheduleUnlink()
}

func (b *Broker) unlinkRemoved() {
	kept := b.removed[:0]
	for _, l := range b.removed {
		if l.due > b.ctx.Now() {
			kept = append(kept, l)
			continue
		}
		if err := b.FS.RemoveAll(l.dir); err != nil {
			b.fail(err)
			continue
		}
		b.emit(trace.FolderRemoved{Dir: l.dir})
	}
	b.removed = kept
}
