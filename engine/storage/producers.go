package storage

import (
	"cmp"
	"slices"
	"strings"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// producer is an entry of the map of producers.
type producer struct {
	ProducerState
	arrival int64
}

// producers is what a partition knows of its producers: their last batches,
// their open transactions, and the decided transactions that are not replicated
// yet. It is the same on leader and followers, because it is made from the
// batches alone (ProducerStateManager).
type producers struct {
	fs           disk.FS
	dir          string
	partition    string
	expirationMs int64

	byID          map[int64]*producer
	order         javaOrder
	verifications map[int64]*verification
	ongoing       []openTxn // by first offset
	unreplicated  []openTxn // by first offset; decided, marker not below the high watermark

	snapshots  []int64          // offsets of the snapshot files, ascending
	oddNames   map[int64]string // of those whose names are not 20 digits long; nil for none
	mapEnd     int64            // the offset up to which batches were taken in
	snapshotAt int64            // offset of the last snapshot taken or loaded
}

// openProducers knows of no producer yet, but of the snapshot files.
func openProducers(f *folder, partition string, expirationMs int64) (*producers, error) {
	p := &producers{
		fs: f.fs, dir: f.dir, partition: partition, expirationMs: expirationMs,
		byID: map[int64]*producer{}, verifications: map[int64]*verification{},
	}
	names, err := f.files()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, snapshotSuffix) {
			continue
		}
		offset, err := offsetOf(f.dir, name)
		if err != nil {
			return nil, err
		}
		p.snapshots = append(p.snapshots, offset)
		if name != paddedName(offset, snapshotSuffix) {
			if p.oddNames == nil {
				p.oddNames = map[int64]string{}
			}
			p.oddNames[offset] = name
		}
	}
	slices.Sort(p.snapshots)
	p.snapshots = slices.Compact(p.snapshots)
	return p, nil
}

// empty tells that nothing is known, neither of a producer nor of a transaction
// that waits for its marker to be replicated (ProducerStateManager#isEmpty).
func (p *producers) empty() bool { return len(p.byID) == 0 && len(p.unreplicated) == 0 }

// state is what is known of a producer; of one that is not known, nothing.
func (p *producers) state(id int64) ProducerState {
	if have := p.byID[id]; have != nil {
		return have.ProducerState
	}
	return newProducerState(id)
}

// prepare begins an append of a producer.
func (p *producers) prepare(id int64, origin Origin) *producerAppend {
	return newProducerAppend(p.partition, origin, p.state(id), p.verifications[id])
}

// apply takes changes in that are on disk.
func (p *producers) apply(c *producerChanges) {
	for _, a := range updateOrder(c.appends) {
		p.update(a)
	}
}

// update takes an append in that is on disk (ProducerStateManager#update).
func (p *producers) update(a *producerAppend) {
	have := p.byID[a.updated.ID]
	if have == nil {
		have = p.insert(newProducerState(a.updated.ID))
	}
	have.setEpoch(a.updated.Epoch)
	for _, b := range a.updated.Batches {
		have.remember(b)
	}
	have.CoordinatorEpoch = a.updated.CoordinatorEpoch
	have.TxnFirstOffset = a.updated.TxnFirstOffset
	have.LastTimestamp = a.updated.LastTimestamp
	for _, t := range a.started {
		p.ongoing = insertTxn(p.ongoing, t)
	}
}

func (p *producers) insert(state ProducerState) *producer {
	have := &producer{ProducerState: state}
	p.byID[state.ID] = have
	have.arrival = p.order.arrive(len(p.byID))
	return have
}

func insertTxn(list []openTxn, t openTxn) []openTxn {
	i, same := slices.BinarySearchFunc(list, t.firstOffset, func(have openTxn, offset int64) int {
		return cmp.Compare(have.firstOffset, offset)
	})
	if same {
		list[i] = t
		return list
	}
	return slices.Insert(list, i, t)
}

// complete moves a transaction from the open to the decided ones. It counts as
// unstable until its marker is below the high watermark: a reader must not
// meet its records before it can know how it ended. That it is not open is
// damage: another one of the same first offset has taken its place
// (ProducerStateManager#completeTxn).
func (p *producers) complete(done completedTxn) error {
	i := slices.IndexFunc(p.ongoing, func(t openTxn) bool { return t.firstOffset == done.firstOffset })
	if i < 0 {
		return throw(illegalArgument, "Attempted to complete a transaction of producer %d from %d to %d which was not started", done.producerID, done.firstOffset, done.lastOffset)
	}
	t := p.ongoing[i]
	p.ongoing = slices.Delete(p.ongoing, i, i+1)
	t.lastOffset = done.lastOffset
	p.unreplicated = insertTxn(p.unreplicated, t)
	return nil
}

// stableAfter is the last stable offset once a transaction is closed: the start
// of the earliest other one that is open, or the offset after the marker
// (ProducerStateManager#lastStableOffset).
func (p *producers) stableAfter(done completedTxn) int64 {
	for _, t := range p.ongoing {
		if t.producerID != done.producerID {
			return t.firstOffset
		}
	}
	return done.lastOffset + 1
}

// firstUnstable is the first offset of the earliest transaction that is open or
// decided but not replicated, NoOffset if there is none.
func (p *producers) firstUnstable() int64 {
	first := int64(NoOffset)
	if len(p.ongoing) > 0 {
		first = p.ongoing[0].firstOffset
	}
	if len(p.unreplicated) > 0 && (first == NoOffset || p.unreplicated[0].firstOffset < first) {
		first = p.unreplicated[0].firstOffset
	}
	return first
}

// replicatedTo forgets the decided transactions whose markers lie below an
// offset.
func (p *producers) replicatedTo(offset int64) {
	p.unreplicated = slices.DeleteFunc(p.unreplicated, func(t openTxn) bool { return t.lastOffset < offset })
}

// logStartMoved is called when the log begins at a later offset.
func (p *producers) logStartMoved(start int64) {
	p.replicatedTo(start)
	p.mapEnd = max(p.mapEnd, start)
	p.snapshotAt = start
	if n := len(p.snapshots); n > 0 {
		p.snapshotAt = p.snapshots[n-1]
	}
}

// list gives the producers in the order of Kafka's snapshot files.
func (p *producers) list() []*producer {
	list := make([]*producer, 0, len(p.byID))
	// order: sorted below
	for _, have := range p.byID {
		list = append(list, have)
	}
	p.order.sort(list)
	return list
}

// expire forgets the producers that have been silent for too long and returns
// their number; verifications that nobody waits for any more go too.
func (p *producers) expire(now int64) int {
	n := 0
	for _, have := range p.list() {
		if have.expired(now, p.expirationMs) {
			delete(p.byID, have.ID)
			n++
		}
	}
	// order: each one is looked at by itself
	for id, v := range p.verifications {
		if now-v.since >= p.expirationMs {
			delete(p.verifications, id)
		}
	}
	return n
}

// clear forgets all producers and transactions.
func (p *producers) clear() {
	clear(p.byID)
	p.ongoing, p.unreplicated = nil, nil
}

// replay takes in a batch that is in the log already, and gives the transaction
// it closes, with the last stable offset after it.
func (p *producers) replay(b record.Batch) (done *completedTxn, stable int64, err error) {
	if b.ProducerID() < 0 {
		return nil, 0, nil
	}
	a := p.prepare(b.ProducerID(), Replication)
	done, err = a.replay(b, b)
	if err != nil {
		return nil, 0, err
	}
	p.update(a)
	if done != nil {
		stable = p.stableAfter(*done)
	}
	return done, stable, nil
}
