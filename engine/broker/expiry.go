package broker

// armExpiry sets the next run of the task that forgets producers that have been
// silent for producer.id.expiration.ms, if it will find one in a log. Their
// duplicates are not known any more afterwards, and what compaction keeps for
// their sake may go.
// Source: UnifiedLog, PeriodicProducerExpirationCheck.
func (b *Broker) armExpiry(p *Partition) {
	if ms, ok := p.log.ProducersDue(); ok {
		period := b.configs().Int("producer.id.expiration.check.interval.ms")
		b.earlier(&b.chores.expireAt, b.nextRun(b.virtual(ms), period, period), "expire")
	}
}

func (b *Broker) expireProducers() {
	b.chores.expireAt = 0
	for _, p := range b.sorted() {
		p.log.ExpireProducers()
		b.armExpiry(p)
	}
}
