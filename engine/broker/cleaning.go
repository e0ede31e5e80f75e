package broker

import (
	"errors"

	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// cleaning is the cleaner thread: the pass that it is making, and what it has
// to look at next. It does one thing per event of the loop - take a log, or one
// phase of its pass - so that requests are served in between, as they are
// beside Kafka's thread, and a broker can die in the middle of a pass. All of a
// pass happens at one moment of virtual time.
type cleaning struct {
	awake bool         // by its back-off: it looks for the filthiest log until there is none
	asked []*Partition // by operators, each looked at once
	of    *Partition   // whose log is being cleaned
	told  bool         // by an operator
	pass  *storage.Cleaning
}

// idle tells that there is nothing to do before the next waking.
func (c *cleaning) idle() bool { return !c.awake && len(c.asked) == 0 && c.pass == nil }

// wakeCleaner is the end of the cleaner's back-off.
func (b *Broker) wakeCleaner() {
	b.chores.cleanAt = 0
	if err := b.points.cleanerErr; err != nil {
		if DiskError(err) {
			b.fail(err)
			return
		}
		b.chores.dead = true // the thread ends, the broker does not notice
		b.emit(trace.CleanerDied{Error: err.Error()})
		return
	}
	b.chores.cleaning.awake = true
	b.clean()
}

// askCleaner has the cleaner look at a log, when it has done what it is doing.
func (b *Broker) askCleaner(p *Partition) {
	b.chores.cleaning.asked = append(b.chores.cleaning.asked, p)
	b.clean()
}

// clean does the cleaner's next thing and comes back for the one after it.
func (b *Broker) clean() {
	switch c := &b.chores.cleaning; {
	case c.pass != nil:
		b.cleanOn()
	case len(c.asked) > 0:
		p := c.asked[0]
		c.asked, c.told = c.asked[1:], true
		b.take(p)
		if c.pass == nil {
			b.logChanged(p)
		}
	case c.awake:
		if p := b.filthiest(); p != nil {
			c.told = false
			b.take(p)
		}
		if c.pass == nil {
			c.awake = false
			b.rest()
		}
	}
	if !b.chores.cleaning.idle() {
		b.ctx.SetTimer("pass", 0)
	}
}

// take begins a pass over a log, if the cleaner's conditions hold.
func (b *Broker) take(p *Partition) {
	todo := p.log.Cleanable(b.firstDirty(p))
	p.pass.Refusal, p.pass.Why = b.refused(p, todo)
	if p.pass.Refusal != "" {
		return
	}
	cleaner := b.cleaner()
	p.pass.watch(cleaner)
	p.pass.AtMs = b.ctx.Now()
	pass, err := cleaner.Begin(p.log, todo)
	if err != nil {
		b.notCleaned(p, err)
		return
	}
	p.pass.Next = pass.Next()
	b.chores.cleaning.of, b.chores.cleaning.pass = p, pass
}

// refused is why the cleaner leaves a log alone.
func (b *Broker) refused(p *Partition, todo storage.Cleanable) (storage.Refusal, string) {
	switch {
	case p.uncleanable != "":
		return refusedUncleanable, p.uncleanable
	case b.chores.dead:
		return refusedOff, "the cleaner's thread has ended of an error"
	case !b.cleanerOn():
		return refusedOff, "log.cleaner.enable is false"
	}
	return p.log.Refused(todo)
}

// cleanOn does the next phase of the pass.
func (b *Broker) cleanOn() {
	c := &b.chores.cleaning
	p := c.of
	done, err := c.pass.Step()
	p.pass.Next = c.pass.Next()
	p.pass.Stats = c.pass.Stats()
	if err == nil && !done {
		return
	}
	stats := c.pass.Stats()
	c.of, c.pass = nil, nil
	cleaner := b.cleaner()
	cleaner.Watch, cleaner.Noted, p.pass.Next = nil, nil, ""
	switch {
	case errors.Is(err, storage.ErrCleaningAborted):
		p.pass.Refusal, p.pass.Why, err = refusedAborted, "the log was truncated meanwhile", nil
	case err != nil:
		if b.notCleaned(p, err); !b.failed() {
			b.cleanedTo(p, stats.FirstDirty)
		}
		c.awake = false // its back-off comes first, without a look at what may be deleted
	default:
		p.pass.Number++
		b.cleanedTo(p, stats.EndOffset)
		// A map without room for a single key gets nowhere. Kafka's thread tries
		// again without a pause, for ever; this one sleeps.
		c.awake = c.awake && stats.EndOffset > stats.FirstDirty
	}
	switch {
	case !c.told && err == nil:
		b.rest()
	case !c.told:
		b.armChores()
	case b.partitions[p.tp] == p:
		b.logChanged(p)
		b.scheduleUnlink()
	}
}

// rest deletes old segments of the compacted logs, as the cleaner does after
// each look for a log to clean, and sets the next waking
// (LogCleaner.CleanerThread#cleanFilthiestLog).
func (b *Broker) rest() {
	for _, p := range b.sorted() {
		if p.log.Config().Compact && p.uncleanable == "" {
			b.deleteOld(p)
		}
	}
	b.scheduleUnlink()
	b.armChores()
}
