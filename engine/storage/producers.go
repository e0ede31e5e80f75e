package storage

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
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

	snapshots  []int64 // offsets of the snapshot files, ascending
	mapEnd     int64   // the offset up to which batches were taken in
	snapshotAt int64   // offset of the last snapshot taken or loaded
}

// openProducers knows of no producer yet, but of the snapshot files.
func openProducers(d disk.FS, dir, partition string, expirationMs int64) (*producers, error) {
	p := &producers{
		fs: d, dir: dir, partition: partition, expirationMs: expirationMs,
		byID: map[int64]*producer{}, verifications: map[int64]*verification{},
	}
	names, err := disk.Names(d, dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if offset, ok := offsetOfName(name); ok && strings.HasSuffix(name, snapshotSuffix) {
			p.snapshots = append(p.snapshots, offset)
		}
	}
	slices.Sort(p.snapshots)
	return p, nil
}

func (p *producers) empty() bool { return len(p.byID) == 0 }

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
// meet its records before it can know how it ended.
func (p *producers) complete(done completedTxn) {
	i := slices.IndexFunc(p.ongoing, func(t openTxn) bool { return t.firstOffset == done.firstOffset })
	if i < 0 {
		return
	}
	t := p.ongoing[i]
	p.ongoing = slices.Delete(p.ongoing, i, i+1)
	t.lastOffset = done.lastOffset
	p.unreplicated = insertTxn(p.unreplicated, t)
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

func (p *producers) snapshotFile(offset int64) string {
	return path.Join(p.dir, FileName(offset, snapshotSuffix))
}

// takeSnapshot writes the producers as they are at mapEnd, unless that was done
// already. sync is false when the log rolls: Kafka leaves it to a background
// task then.
func (p *producers) takeSnapshot(sync bool) error {
	if p.mapEnd <= p.snapshotAt {
		return nil
	}
	list := p.list()
	states := make([]ProducerState, len(list))
	for i, have := range list {
		states[i] = have.ProducerState
	}
	f, err := p.fs.OpenFile(p.snapshotFile(p.mapEnd), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(FormatSnapshot(states))
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if i, found := slices.BinarySearch(p.snapshots, p.mapEnd); !found {
		p.snapshots = slices.Insert(p.snapshots, i, p.mapEnd)
	}
	p.snapshotAt = p.mapEnd
	return nil
}

// syncSnapshot makes the snapshot at an offset durable, if there is one.
func (p *producers) syncSnapshot(offset int64) error {
	if !slices.Contains(p.snapshots, offset) {
		return nil
	}
	f, err := p.fs.OpenFile(p.snapshotFile(offset), os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// removeSnapshots unlinks the snapshots for which drop is true.
func (p *producers) removeSnapshots(drop func(offset int64) bool) error {
	var errs error
	p.snapshots = slices.DeleteFunc(p.snapshots, func(offset int64) bool {
		if !drop(offset) {
			return false
		}
		if err := p.fs.Remove(p.snapshotFile(offset)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = errors.Join(errs, err)
		}
		return true
	})
	return errs
}

// forgetSnapshot takes a snapshot off the list whose file is renamed by the
// caller, and tells whether there was one.
func (p *producers) forgetSnapshot(offset int64) bool {
	i, found := slices.BinarySearch(p.snapshots, offset)
	if found {
		p.snapshots = slices.Delete(p.snapshots, i, i+1)
	}
	return found
}

// removeStray unlinks snapshots that belong to no segment. The newest one may
// lie beyond all bases: it is the one at the log's end
// (ProducerStateManager#removeStraySnapshots).
func (p *producers) removeStray(bases []int64) error {
	newest := int64(-1)
	if n := len(p.snapshots); n > 0 {
		newest = p.snapshots[n-1]
	}
	maxBase := int64(-1)
	if n := len(bases); n > 0 {
		maxBase = bases[n-1]
	}
	return p.removeSnapshots(func(offset int64) bool {
		if offset == newest && offset > maxBase {
			return false
		}
		_, found := slices.BinarySearch(bases, offset)
		return !found
	})
}

// clear forgets all producers and transactions.
func (p *producers) clear() {
	clear(p.byID)
	p.ongoing, p.unreplicated = nil, nil
}

// restart begins anew at an offset, without snapshots
// (ProducerStateManager#truncateFullyAndStartAt).
func (p *producers) restart(offset int64) error {
	p.clear()
	err := p.removeSnapshots(func(int64) bool { return true })
	p.snapshotAt, p.mapEnd = 0, offset
	return err
}

// reload goes back to the newest good snapshot in [logStart, logEnd]
// (ProducerStateManager#truncateAndReload).
func (p *producers) reload(logStart, logEnd, now int64) error {
	err := p.removeSnapshots(func(offset int64) bool { return offset > logEnd || offset <= logStart })
	if err != nil {
		return err
	}
	if logEnd == p.mapEnd {
		p.logStartMoved(logStart)
		return nil
	}
	p.clear()
	return p.load(logStart, now)
}

// load reads the newest snapshot; one that is damaged is removed, and the next
// older one tried.
func (p *producers) load(logStart, now int64) error {
	for len(p.snapshots) > 0 {
		offset := p.snapshots[len(p.snapshots)-1]
		states, err := p.readSnapshot(offset)
		if err == nil {
			for _, state := range states {
				p.restore(state, now)
			}
			p.snapshotAt, p.mapEnd = offset, offset
			return nil
		}
		if err := p.removeSnapshots(func(o int64) bool { return o == offset }); err != nil {
			return err
		}
	}
	p.snapshotAt, p.mapEnd = logStart, logStart
	return nil
}

func (p *producers) readSnapshot(offset int64) ([]ProducerState, error) {
	data, err := disk.ReadFile(p.fs, p.snapshotFile(offset))
	if err != nil {
		return nil, err
	}
	states, err := ParseSnapshot(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.snapshotFile(offset), err)
	}
	return states, nil
}

func (p *producers) restore(state ProducerState, now int64) {
	if state.expired(now, p.expirationMs) {
		return
	}
	if have := p.byID[state.ID]; have != nil {
		have.ProducerState = state
	} else {
		p.insert(state)
	}
	if state.TxnFirstOffset != NoTxn {
		p.ongoing = insertTxn(p.ongoing, openTxn{state.ID, state.TxnFirstOffset, NoTxn})
	}
}

// replay takes in a batch that is in the log already, and gives the transaction
// it closes, with the last stable offset after it.
func (p *producers) replay(b record.Batch) (done *completedTxn, stable int64) {
	if b.ProducerID() >= 0 {
		a := p.prepare(b.ProducerID(), Replication)
		// What is in the log was accepted once: a broken marker ends nothing.
		done, _ = a.add(b, b, 0)
		p.update(a)
		if done != nil {
			stable = p.stableAfter(*done)
			p.complete(*done)
		}
	}
	p.mapEnd = b.NextOffset()
	return done, stable
}
