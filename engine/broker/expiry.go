package broker

// armExpiry sets the next run of a log's task that forgets producers that have
// been silent for producer.id.expiration.ms, if it will find one. Their
// duplicates are not known any more afterwards, and what compaction keeps for
// their sake may go. Each log has a task of its own, set up when the log was
// opened.
// Source: UnifiedLog, PeriodicProducerExpirationCheck.
func (b *Broker) armExpiry(p *Partition) {
	if ms, ok := p.log.ProducersDue(); ok {
		period := b.configs().Int("producer.id.expiration.check.interval.ms")
		p.expireAt = b.nextRun(p.opened, b.virtual(ms), period, period)
		b.earlier(&b.chores.expireAt, p.expireAt, "expire")
	}
}

func (b *Broker) expireProducers() {
	b.chores.expireAt = 0
	for _, p := range b.sorted() {
		if p.expireAt <= b.ctx.Now() {
			p.log.ExpireProducers()
		}
		b.armExpiry(p)
	}
}
