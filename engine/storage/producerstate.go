package storage

import (
	"io"
	"math"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// producerChanges is what some batches will change about producers, once they
// are in the file.
type producerChanges struct {
	appends   []*producerAppend // one a producer, in the order of their first batches
	byID      map[int64]*producerAppend
	completed []completedTxn
}

// of gives the changes of one producer.
func (c *producerChanges) of(id int64, p *producers, origin Origin) *producerAppend {
	if len(c.appends) > 0 && c.appends[0].updated.ID == id {
		return c.appends[0]
	}
	if a := c.byID[id]; a != nil {
		return a
	}
	a := p.prepare(id, origin)
	c.appends = append(c.appends, a)
	if len(c.appends) > 1 { // nearly always there is only one
		if c.byID == nil {
			c.byID = map[int64]*producerAppend{}
		}
		c.byID[id] = a
	}
	return a
}

// add takes a batch in, of which head is the header as it is stored.
func (c *producerChanges) add(p *producers, head, batch record.Batch, o AppendOptions) *kerror.Error {
	done, err := c.of(head.ProducerID(), p, o.Origin).add(head, batch, o.TxnVersion)
	if done != nil {
		c.completed = append(c.completed, *done)
	}
	return err
}

// replay is add for a batch that is in the log already.
func (c *producerChanges) replay(p *producers, head, batch record.Batch) error {
	done, err := c.of(head.ProducerID(), p, Replication).replay(head, batch)
	if done != nil {
		c.completed = append(c.completed, *done)
	}
	return err
}

// analyzeProducers holds the batches in l.headers to the rules for idempotent
// and transactional producers. A batch that a client sends a second time is
// found here; it must not be appended (UnifiedLog#analyzeAndValidateProducerState).
func (l *Log) analyzeProducers(o AppendOptions) (producerChanges, *ProducerBatch, *kerror.Error) {
	var changes producerChanges
	for i := range l.headers {
		b := &l.headers[i]
		id := b.head.ProducerID()
		if id == record.NoProducerID {
			continue
		}
		if have := l.producers.byID[id]; have != nil && o.Origin == Client {
			if again, found := have.duplicate(b.head); found {
				return changes, &again, nil
			}
		}
		if o.Origin == Client || o.Origin == Coordinator {
			if err := l.checkTransaction(b.head, o); err != nil {
				return changes, nil, err
			}
		}
		if err := changes.add(l.producers, b.head, b.records, o); err != nil {
			return changes, nil, err
		}
		// A marker or the first batch: nothing is left to be verified.
		if b.head.IsTransactional() {
			delete(l.producers.verifications, id)
		}
	}
	return changes, nil, nil
}

// Producers lists what the partition knows of its producers, in the order of
// Kafka's snapshot files.
func (l *Log) Producers() []ProducerState {
	list := l.producers.list()
	out := make([]ProducerState, len(list))
	for i, p := range list {
		out[i] = p.clone()
	}
	return out
}

// Producer is what the partition knows of one producer.
func (l *Log) Producer(id int64) (ProducerState, bool) {
	p := l.producers.byID[id]
	if p == nil {
		return newProducerState(id), false
	}
	return p.clone(), true
}

// OpenTxn is a transaction that holds back the last stable offset: open, or
// decided while its marker is not below the high watermark.
type OpenTxn struct {
	ProducerID  int64
	FirstOffset int64
	Marker      int64 // offset of the marker, NoTxn while the transaction is open
}

// OpenTxns lists these transactions by first offset, the open ones first.
func (l *Log) OpenTxns() []OpenTxn {
	var out []OpenTxn
	for _, t := range l.producers.ongoing {
		out = append(out, OpenTxn{t.producerID, t.firstOffset, NoTxn})
	}
	for _, t := range l.producers.unreplicated {
		out = append(out, OpenTxn{t.producerID, t.firstOffset, t.lastOffset})
	}
	return out
}

// ExpireProducers forgets producers that wrote nothing for
// producer.id.expiration.ms, as their records' timestamps tell, and returns
// their number. Kafka does so every ten minutes
// (ProducerStateManager#removeExpiredProducers).
func (l *Log) ExpireProducers() int {
	n := l.producers.expire(l.now())
	if n > 0 {
		l.tell(trace.ProducersExpired{Partition: l.label, Producers: n})
	}
	return n
}

// ProducersDue is the first moment (ms) at which ExpireProducers would forget a
// producer, if nothing else happens; false when there is none to forget.
func (l *Log) ProducersDue() (ms int64, ok bool) {
	// order: the smallest does not depend on it
	for _, p := range l.producers.byID {
		if due := p.LastTimestamp + l.producers.expirationMs; p.TxnFirstOffset == NoTxn && (!ok || due < ms) {
			ms, ok = due, true
		}
	}
	return ms, ok
}

// rebuildProducers brings p to what it is at an offset: from the newest
// snapshot, and by reading the batches behind it. Snapshots are taken at the
// bases of the last two segments and at the offset. After a clean shutdown a
// log without any snapshot is taken to have no producers, and is not read.
// Source: UnifiedLog#rebuildProducerState.
func (l *Log) rebuildProducers(p *producers, segments []*segment, logStart, offset int64, clean bool) error {
	at := snapshotPoints(segments, offset)
	if len(p.snapshots) == 0 && clean {
		for _, point := range at {
			p.mapEnd = point
			if err := p.takeSnapshot(true); err != nil {
				return err
			}
		}
		return nil
	}
	nothingKnown := p.empty() && p.mapEnd >= offset
	if err := p.reload(logStart, offset, l.now()); err != nil {
		return err
	}
	if offset > p.mapEnd && !nothingKnown {
		for i, s := range segments {
			if i+1 < len(segments) && segments[i+1].base <= p.mapEnd || s.base >= offset {
				continue
			}
			p.mapEnd = max(s.base, p.mapEnd, logStart)
			if contains(at, s.base) {
				if err := p.takeSnapshot(true); err != nil {
					return err
				}
			}
			end := int64(math.MaxInt64)
			if i+1 == len(segments) || segments[i+1].base > offset {
				end = offset
			}
			if err := l.replaySegment(p, s, end); err != nil {
				return err
			}
		}
	}
	p.mapEnd = offset
	return p.takeSnapshot(true)
}

// snapshotPoints are the bases of the last two segments, and the offset.
func snapshotPoints(segments []*segment, offset int64) []int64 {
	var at []int64
	for _, s := range segments[max(len(segments)-2, 0):] {
		at = append(at, s.base)
	}
	return append(at, offset)
}

func contains(list []int64, n int64) bool {
	for _, have := range list {
		if have == n {
			return true
		}
	}
	return false
}

// replaySegment feeds the batches of a segment, from p.mapEnd up to an end, to p.
// Their checksums are not looked at, so damage that Kafka meets here ends its
// start (UnifiedLog#loadProducersFromRecords).
func (l *Log) replaySegment(p *producers, s *segment, end int64) error {
	until := int64(s.size)
	if end != math.MaxInt64 {
		f, ok, err := s.find(end)
		if err != nil {
			return err
		}
		if ok {
			until = int64(f.position)
		}
	}
	from, ok, err := s.find(p.mapEnd)
	if err != nil || !ok {
		return err
	}
	if until < int64(from.position) {
		return s.damage(int64(from.position), throw(illegalArgument, "Invalid size: %d: the batch of offset %d lies behind that of offset %d", until-int64(from.position), p.mapEnd, end))
	}
	var changes producerChanges
	scan := s.headers(int64(from.position))
	scan.end = until
	for {
		h, err := scan.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return s.damage(scan.pos, err)
		}
		if err := s.replayBatch(p, h, &changes); err != nil {
			return s.damage(h.at, err)
		}
	}
	p.apply(&changes)
	for _, done := range changes.completed {
		if err := p.complete(done); err != nil {
			return s.damage(int64(from.position), err)
		}
	}
	return nil
}

// replayBatch adds one batch to the changes. Only markers are looked into; of all
// others the header is enough.
func (s *segment) replayBatch(p *producers, h head, changes *producerChanges) error {
	if h.legacy() {
		return nil
	}
	b, err := h.header()
	if err != nil || b.ProducerID() < 0 {
		return err
	}
	batch := b
	if b.IsControl() {
		if batch, err = s.read(h.at, int(h.size)); err != nil {
			return err
		}
	}
	return changes.replay(p, b, batch)
}
