package storage

import (
	"cmp"
	"slices"

	"kafkalab/engine/record"
)

// cleanedTxns knows during a pass which transactions the batches belong to, and
// whether anything is left of one whose marker comes by. Data of aborted
// transactions goes at once; a marker may go when nothing that it decides about
// is left. Source: CleanedTransactionMetadata.
type cleanedTxns struct {
	committed map[int64]bool          // producers with data since their last marker
	aborted   map[int64]*abortedClean // by producer: the aborted transaction that is being passed
	ahead     []AbortedTxn            // by first offset, not reached yet
	keep      func(AbortedTxn) error  // writes an entry of the new transaction index; nil while the map is built
}

type abortedClean struct {
	txn  AbortedTxn
	seen bool // a batch of it was met
}

func newCleanedTxns() *cleanedTxns {
	return &cleanedTxns{committed: map[int64]bool{}, aborted: map[int64]*abortedClean{}}
}

// add takes in the aborted transactions of another segment.
func (c *cleanedTxns) add(txns []AbortedTxn) {
	c.ahead = append(c.ahead, txns...)
	slices.SortStableFunc(c.ahead, func(a, b AbortedTxn) int { return cmp.Compare(a.FirstOffset, b.FirstOffset) })
}

// upTo begins the transactions whose first offset is passed.
func (c *cleanedTxns) upTo(offset int64) {
	for len(c.ahead) > 0 && c.ahead[0].FirstOffset <= offset {
		txn := c.ahead[0]
		c.ahead = c.ahead[1:]
		if c.aborted[txn.ProducerID] == nil {
			c.aborted[txn.ProducerID] = &abortedClean{txn: txn}
		}
	}
}

// data tells whether a batch of data belongs to an aborted transaction.
func (c *cleanedTxns) data(b record.Batch) bool {
	c.upTo(b.LastOffset())
	if !b.IsTransactional() {
		return false
	}
	if a := c.aborted[b.ProducerID()]; a != nil {
		a.seen = true
		return true
	}
	c.committed[b.ProducerID()] = true
	return false
}

// marker tells whether a control batch may go: nothing of its transaction was
// met. While data of an aborted one is still there, so is its index entry.
func (c *cleanedTxns) marker(b record.Batch) (gone bool, err error) {
	c.upTo(b.LastOffset())
	if b.Count() == 0 {
		return true, nil // it was emptied by an earlier pass
	}
	kind, ok := record.ControlTypeOf(b)
	id := b.ProducerID()
	switch {
	case ok && kind == record.Abort:
		a := c.aborted[id]
		delete(c.aborted, id)
		if a == nil || !a.seen {
			return true, nil
		}
		if c.keep != nil {
			err = c.keep(a.txn)
		}
		return false, err
	case ok && kind == record.Commit:
		met := c.committed[id]
		delete(c.committed, id)
		return !met, nil
	}
	return false, nil
}
