package broker

import (
	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
)

// chores are the periodic tasks that look at the logs: retention and the
// cleaner. Kafka runs them on a period whether there is something to do or not;
// here each is set for the first moment of its period at which it will find
// something, so that an idle log costs nothing.
type chores struct {
	retainAt sim.Time // next run of the retention task, 0 when none is set
	cleanAt  sim.Time // next waking of the cleaner that finds something, 0 when none is set
	expireAt sim.Time // next run that forgets a producer, 0 when none is set
	cleaner  *storage.Cleaner
	cleaning cleaning

	dead        bool     // the cleaner's thread has ended of an error
	threadsFrom sim.Time // since when the cleaner's threads run
	threadsMade string   // of which configs they were made
	revision    int64    // of the configs that were looked at for that
}

// logChanged looks at what a change of a log or its configs means for the
// chores.
func (b *Broker) logChanged(p *Partition) {
	if !b.serving || b.ctx == nil {
		return
	}
	b.armExpiry(p)
	if p.log.Config().Compact {
		b.armCleaner(p)
		return
	}
	b.armRetention(p)
}

// armChores looks at all logs: the broker has just begun to serve.
func (b *Broker) armChores() {
	for _, p := range b.sorted() {
		b.logChanged(p)
	}
}

// virtual turns a time of records and files into one of the loop.
func (b *Broker) virtual(wallMs int64) sim.Time { return wallMs - b.wall + b.ctx.Now() }

// nextRun is the first run of a task at or after due, and after now. A task runs
// first ms after it was set up, and then every period ms.
func (b *Broker) nextRun(setUp, due sim.Time, first, period int64) sim.Time {
	due = max(due, b.ctx.Now()+1)
	at := setUp + first
	if due > at {
		at += (due - at + period - 1) / period * period
	}
	return at
}

// earlier keeps the earlier of a run that is set and another, and sets its
// timer.
func (b *Broker) earlier(set *sim.Time, at sim.Time, timer string) {
	if *set == 0 || at < *set {
		*set = at
		b.ctx.SetPeriodic(timer, at-b.ctx.Now())
	}
}

// choreFailed takes an error of a chore: one of the disk takes the log
// directory offline.
func (b *Broker) choreFailed(p *Partition, doing string, err error) {
	kerr, ok := err.(*kerror.Error)
	if !ok {
		kerr = kerror.New(kerror.UnknownServerError, "%s", err.Error())
	}
	b.refuse(doing, p.tp, kerr)
	b.diskFailed = b.diskFailed || kerr.Code == kerror.KafkaStorageError
}
