package storage

import (
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

// ParseTxnIndex reads the entries of a .txnindex file.
func ParseTxnIndex(data []byte) ([]AbortedTxn, error) {
	var list []AbortedTxn
	for at := 0; at < len(data); at += txnEntrySize {
		b := data[at:]
		if len(b) < txnEntrySize {
			return list, fmt.Errorf("byte %d: %d bytes are left, an entry has %d", at, len(b), txnEntrySize)
		}
		if version := int16(binary.BigEndian.Uint16(b)); version < 0 || version > 0 {
			return list, fmt.Errorf("byte %d: version %d, only 0 is known", at, version)
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
	indexFile
	entries []AbortedTxn
}

// loadTxnIndex reads the file of an index, which may be missing. damage tells
// why its entries cannot be true: the segment must then be recovered
// (TransactionIndex#sanityCheck).
func loadTxnIndex(d disk.FS, path string, base int64) (x txnIndex, damage, err error) {
	x = txnIndex{indexFile: indexFile{fs: d, path: path}}
	data, _, err := x.load()
	if err != nil {
		return x, nil, err
	}
	x.entries, damage = ParseTxnIndex(data)
	for i, t := range x.entries {
		if t.LastOffset < base && damage == nil {
			damage = fmt.Errorf("entry %d: last offset %d lies before the segment's base %d", i, t.LastOffset, base)
		}
	}
	x.size = int64(len(x.entries) * txnEntrySize)
	x.dirty = x.size < int64(len(data))
	return x, damage, nil
}

func (x *txnIndex) append(t AbortedTxn) error {
	if n := len(x.entries); n > 0 && x.entries[n-1].LastOffset >= t.LastOffset {
		return fmt.Errorf("%s: transaction ends at %d, the last one at %d: ends must grow", x.path, t.LastOffset, x.entries[n-1].LastOffset)
	}
	if err := x.indexFile.append(AppendTxnEntry(x.entry[:0], t)); err != nil {
		return err
	}
	x.entries = append(x.entries, t)
	return nil
}

// truncateTo drops the transactions whose markers lie at or above an offset.
func (x *txnIndex) truncateTo(offset int64) error {
	n := 0
	for n < len(x.entries) && x.entries[n].LastOffset < offset {
		n++
	}
	if n == len(x.entries) && !x.dirty {
		return nil
	}
	x.entries = x.entries[:n]
	return x.truncate(int64(n * txnEntrySize))
}

// reset empties the index; a file that is there stays, empty.
func (x *txnIndex) reset() error {
	x.entries = nil
	if x.size == 0 && !x.dirty {
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
