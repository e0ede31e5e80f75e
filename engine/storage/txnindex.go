package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"kafkalab/engine/disk"
)

const txnEntrySize = 34

// AbortedTxn is an entry of a transaction index: an aborted transaction, from
// its first record in the partition to its marker, and the last stable offset
// once the marker is written (AbortedTxn, version 0).
type AbortedTxn struct {
	ProducerID       int64
	FirstOffset      int64
	LastOffset       int64 // of the marker
	LastStableOffset int64
}

// ParseTxnIndex reads the entries of a .txnindex file, up to the first of another
// version than 0, of which the error tells. Half an entry at the end is none, and
// no error: Kafka does not look at it (TransactionIndex#iterable).
func ParseTxnIndex(data []byte) ([]AbortedTxn, error) {
	var list []AbortedTxn
	for at := 0; len(data)-at >= txnEntrySize; at += txnEntrySize {
		b := data[at:]
		if version := int16(binary.BigEndian.Uint16(b)); version != 0 {
			return list, throw(kafkaException, "byte %d: Unexpected aborted transaction version %d, only 0 is known", at, version)
		}
		list = append(list, AbortedTxn{
			ProducerID:       int64(binary.BigEndian.Uint64(b[2:])),
			FirstOffset:      int64(binary.BigEndian.Uint64(b[10:])),
			LastOffset:       int64(binary.BigEndian.Uint64(b[18:])),
			LastStableOffset: int64(binary.BigEndian.Uint64(b[26:])),
		})
	}
	return list, nil
}

// AppendTxnEntry writes an entry as it stands in the file.
func AppendTxnEntry(dst []byte, t AbortedTxn) []byte {
	dst = binary.BigEndian.AppendUint16(dst, 0) // version
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.ProducerID))
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.FirstOffset))
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.LastOffset))
	return binary.BigEndian.AppendUint64(dst, uint64(t.LastStableOffset))
}

// txnIndex lists the aborted transactions whose markers lie in a segment. Its
// file is there only if there are any.
type txnIndex struct {
	indexFile // size is that of the whole file: half an entry at its end stays
	entries   []AbortedTxn
	bad       error  // what Kafka finds behind the entries, nil if all can be read
	tail      []byte // half an entry at the end
	base      int64
	last      int64 // LastOffset of the entry that was appended last
	appended  bool  // since the index was opened or emptied
}

// loadTxnIndex reads the file of an index, which may be missing.
func loadTxnIndex(d disk.FS, path string, base int64) (x txnIndex, err error) {
	x = txnIndex{indexFile: indexFile{fs: d, path: path}, base: base}
	data, _, err := x.load()
	if err == nil {
		x.size = int64(len(data))
		x.parse(data)
	}
	return x, err
}

// parse takes entries in from bytes that follow those known.
func (x *txnIndex) parse(data []byte) {
	list, err := ParseTxnIndex(data)
	x.entries = append(x.entries, list...)
	x.bad = damaged(x.path, -1, err)
	x.tail = bytes.Clone(data[len(list)*txnEntrySize:])
}

// check tells what is wrong with the entries. A problem makes the segment be
// recovered, which empties the index; an error is one of damage that Kafka does
// not get past: an entry of a version that it does not know
// (TransactionIndex#sanityCheck).
func (x *txnIndex) check() (problem, err error) {
	for i, t := range x.entries {
		if t.LastOffset < x.base {
			return fmt.Errorf("entry %d: last offset %d lies before the segment's base %d", i, t.LastOffset, x.base), nil
		}
	}
	return nil, x.bad
}

// append adds an entry at the end of the file. Behind half an entry it is out of
// step, and those that are then read are neither this one nor another.
func (x *txnIndex) append(t AbortedTxn) error {
	if x.appended && x.last >= t.LastOffset {
		return damaged(x.path, -1, throw(illegalArgument, "a transaction ends at %d, the last one at %d: ends must grow", t.LastOffset, x.last))
	}
	entry := AppendTxnEntry(x.entry[:0], t)
	if err := x.indexFile.append(entry); err != nil {
		return err
	}
	x.last, x.appended = t.LastOffset, true
	if x.bad == nil && len(x.tail) == 0 {
		x.entries = append(x.entries, t)
	} else if x.bad == nil {
		x.parse(append(x.tail, entry...))
	}
	return nil
}

// truncateTo drops the transactions whose markers lie at or above an offset, and
// all that follows the first of them.
func (x *txnIndex) truncateTo(offset int64) error {
	n := 0
	for n < len(x.entries) && x.entries[n].LastOffset < offset {
		n++
	}
	if n == len(x.entries) {
		return x.bad
	}
	x.appended = n > 0
	if n > 0 {
		x.last = x.entries[n-1].LastOffset
	}
	x.entries, x.bad, x.tail = x.entries[:n], nil, nil
	return x.truncate(int64(n * txnEntrySize))
}

// reset empties the index; a file that is there stays, empty.
func (x *txnIndex) reset() error {
	x.entries, x.bad, x.tail, x.appended = nil, nil, nil, false
	if x.size == 0 {
		return nil
	}
	return x.truncate(0)
}

// collect appends to list the transactions that a reader of [from, upper) must
// know of. complete tells that no later segment has one: once the last stable
// offset has passed upper, every transaction that began before it is decided
// (TransactionIndex#collectAbortedTxns).
func (x *txnIndex) collect(list []AbortedTxn, from, upper int64) (_ []AbortedTxn, complete bool) {
	for _, t := range x.entries {
		if t.LastOffset >= from && t.FirstOffset < upper {
			list = append(list, t)
		}
		if t.LastStableOffset >= upper {
			return list, true
		}
	}
	return list, false
}
