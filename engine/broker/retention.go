package broker

// armRetention sets the next run of the retention task, if it will find
// something to delete in a log (LogManager#startup, #cleanupLogs).
func (b *Broker) armRetention(p *Partition) {
	if ms, ok := p.log.RetentionDue(); ok {
		v := b.configs()
		at := b.nextRun(b.started, b.virtual(ms), v.Int("log.initial.task.delay.ms"), v.Int("log.retention.check.interval.ms"))
		b.earlier(&b.chores.retainAt, at, "retain")
	}
}

// retain is the retention task. Logs with compaction are not its business: the
// cleaner sees to them.
func (b *Broker) retain() {
	b.chores.retainAt = 0
	for _, p := range b.sorted() {
		if !p.log.Config().Compact {
			b.deleteOld(p)
		}
	}
	b.scheduleUnlink()
	b.armChores()
}

// deleteOld deletes what retention lets go of one log, and returns the bases of
// the segments that are gone.
func (b *Broker) deleteOld(p *Partition) []int64 {
	before, start := p.log.Segments(), p.log.LogStartOffset()
	if _, err := p.log.DeleteOldSegments(); err != nil {
		b.choreFailed(p, "retention", err)
		return nil
	}
	var gone []int64
	first := p.log.Segments()[0].Base
	for _, s := range before {
		if s.Base < first {
			gone = append(gone, s.Base)
		}
	}
	if p.log.LogStartOffset() != start {
		b.startMoved()
		b.tryFetches(p)
		b.tryDeletes(p)
	}
	return gone
}

// startMoved follows a log start that has moved: the checkpoint is due.
func (b *Broker) startMoved() { b.points.dirty(b, checkpointStart) }
