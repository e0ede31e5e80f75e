package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"kafkalab/engine/disk"
)

func (p *producers) snapshotFile(offset int64) string {
	name, odd := p.oddNames[offset]
	if !odd {
		name = paddedName(offset, snapshotSuffix)
	}
	return path.Join(p.dir, name)
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
	delete(p.oddNames, p.mapEnd)
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
