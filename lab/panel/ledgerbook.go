package panel

import (
	"kafkalab/engine"
	"kafkalab/engine/trace"
)

// entry is an append to the leader's log.
type entry struct {
	base, last int64
	epoch      int32
	event      trace.ID // of the append
	acks       string   // 0, 1, all; empty when it is not known
	from       string   // the producer
	told       int64    // virtual ms at which it heard that all is well, None if it did not
	gone       bool     // truncated: no leader has it any more
	refused    bool     // the answer was an error, though it was appended
}

func (e *entry) acked() bool { return e.told != None }

// book is what was appended to one partition and what producers were told of
// it, read from the events, each of them once.
type book struct {
	of      replica
	topic   string // id
	reader  engine.Reader
	upTo    trace.ID // the newest event that was read
	entries []entry
	asked   map[produceKey]string // acks of the requests that are under way
	acked   int64                 // records
	lost    int64                 // acknowledged ones that are gone
}

// produceKey is a Produce by who sent it to whom, and its number.
type produceKey struct {
	from, to, conn string
	corr           int32
}

// read reads the events that are new. A cluster that went back is another one,
// and is read from its beginning.
func (b *book) read(m Model, r replica) {
	r.Broker = 0
	last := m.View.LastEvent
	if b.reader != m.Reader || b.of != r || last < b.upTo || b.asked == nil {
		*b = book{of: r, reader: m.Reader, asked: map[produceKey]string{}}
	}
	if last == b.upTo {
		return
	}
	for _, t := range m.View.Topics {
		if t.Name == r.Topic {
			b.topic = t.ID
		}
	}
	name := partitionName(r)
	for _, e := range m.Reader.EventsSince(b.upTo) {
		b.take(m, e, name)
	}
	b.upTo = last
}

func (b *book) take(m Model, e trace.Event, name string) {
	switch body := e.Body.(type) {
	case trace.MessageSent:
		if acks, ok := acksOf(body.Message); ok {
			b.asked[keyOfProduce(body.Message)] = acks
		}
	case trace.MessageReceived:
		if body.API == "Produce" && body.Response {
			b.answered(body.Message, e.Time)
			delete(b.asked, produceKey{body.To, body.From, body.Conn, body.Correlation})
		}
	case trace.RecordsAppended:
		if body.Partition == name {
			b.append(m, e, body)
		}
	case trace.BecameLeader:
		if body.Partition == name {
			b.truncate(body.Start)
		}
	}
}

func keyOfProduce(msg trace.Message) produceKey {
	return produceKey{msg.From, msg.To, msg.Conn, msg.Correlation}
}

// append takes down what a producer's request appended. Followers append the
// same; they have it from a fetch.
func (b *book) append(m Model, e trace.Event, a trace.RecordsAppended) {
	cause, ok := m.Reader.Event(e.Cause)
	request, isMessage := trace.MessageReceived{}, false
	if ok {
		request, isMessage = cause.Body.(trace.MessageReceived)
	}
	if !isMessage || request.API != "Produce" || request.Response {
		return
	}
	it := entry{base: a.Base, last: a.Last, epoch: a.Epoch, event: e.ID, told: None, from: request.From}
	it.acks = b.asked[keyOfProduce(request.Message)]
	if it.acks == "0" {
		delete(b.asked, keyOfProduce(request.Message))
	}
	b.entries = append(b.entries, it)
}

// answered takes down what a producer hears.
func (b *book) answered(msg trace.Message, ms int64) {
	for _, p := range answeredParts(msg) {
		if topicID(p.topic) != b.topic || p.partition != b.of.Partition {
			continue
		}
		it := b.find(p.base)
		switch {
		case it == nil || it.gone || it.acked():
		case p.err != 0:
			it.refused = true
		default:
			it.told = ms
			b.acked += it.last - it.base + 1
		}
	}
}

// find is the entry that begins at an offset, the newest one: offsets are given
// out again after a truncation.
func (b *book) find(base int64) *entry {
	for i := len(b.entries) - 1; i >= 0; i-- {
		if e := &b.entries[i]; e.base == base {
			return e
		} else if e.last < base && !e.gone {
			return nil
		}
	}
	return nil
}

// truncate strikes out what a new leader does not have.
func (b *book) truncate(start int64) {
	for i := len(b.entries) - 1; i >= 0; i-- {
		e := &b.entries[i]
		if e.gone {
			continue
		}
		if e.last < start {
			return
		}
		e.gone = true
		if e.acked() {
			b.lost += e.last - e.base + 1
		}
	}
}
