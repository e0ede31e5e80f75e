package record

import "fmt"

// Iterator walks over the records of a batch without allocating: each view
// shares the memory of the batch, or of its decompressed records. Use it as
//
//	it := batch.Iterator()
//	for it.Next() {
//		view := it.Record()
//	}
//	if err := it.Err(); err != nil { … }
//
// It is as strict as Kafka (DefaultRecordBatch.RecordIterator,
// DefaultRecord.readFrom): a record must fill its declared length exactly, and
// the records must fill the batch.
type Iterator struct {
	rest  []byte // records not read yet
	left  int32  // their number
	total int32
	base  base
	view  View
	err   error
}

// base is what a record's deltas count from.
type base struct {
	offset     int64
	timestamp  int64
	appendTime int64
	appended   bool // timestamps are appendTime
	sequence   int32
}

// View is one record, its fields decoded, its bytes in place.
type View struct {
	Attributes int8
	Offset     int64
	Timestamp  int64 // ms
	Sequence   int32
	Key        []byte // nil for null
	Value      []byte // nil for null
	Size       int    // bytes in the batch, length field included
	headers    []byte
	count      int32
}

// Iterator starts before the first record. A compressed batch is decompressed
// here, up to DefaultLimit; what goes wrong comes from Err.
func (b Batch) Iterator() Iterator { return b.IteratorWithin(DefaultLimit) }

// IteratorWithin is Iterator with a limit, in bytes, for the decompressed
// records.
func (b Batch) IteratorWithin(limit int) Iterator {
	it := Iterator{
		left: b.Count(),
		base: base{
			offset:     b.BaseOffset(),
			timestamp:  b.BaseTimestamp(),
			appendTime: b.MaxTimestamp(),
			appended:   b.TimestampType() == LogAppendTime,
			sequence:   b.BaseSequence(),
		},
	}
	it.total = it.left
	if it.left < 0 {
		it.err = fmt.Errorf("%w: batch declares %d records", ErrInvalid, it.left)
		it.left = 0
	}
	// An emptied batch is not looked into, whatever follows its header.
	if it.left == 0 {
		return it
	}
	it.rest = b.Payload()
	if b.Codec() != None {
		it.rest, it.err = Decompress(b.Codec(), it.rest, limit)
		if it.err != nil {
			it.left = 0
		}
	}
	return it
}

// Next moves to the next record. It is false at the end and at an error.
func (it *Iterator) Next() bool {
	if it.left <= 0 {
		return false
	}
	it.left--
	if err := it.read(); err != nil {
		return it.fail(err)
	}
	if it.left == 0 && len(it.rest) > 0 {
		return it.fail(fmt.Errorf("%d bytes remain after the last record", len(it.rest)))
	}
	return true
}

// Record is the current record; valid after Next was true.
func (it *Iterator) Record() View { return it.view }

// Key is the key of the record that Next came to, and its offset, for who needs
// no more of it.
func (it *Iterator) Key() (key []byte, offset int64) { return it.view.Key, it.view.Offset }

// Err is what stopped the iteration, nil at the end of a sound batch.
func (it *Iterator) Err() error { return it.err }

func (it *Iterator) fail(err error) bool {
	it.err = fmt.Errorf("%w: record %d of %d: %w", ErrInvalid, it.total-it.left, it.total, err)
	it.left = 0
	return false
}

// read decodes the record at the start of rest into view.
func (it *Iterator) read() error {
	size, n := ReadVarint(it.rest)
	if n <= 0 {
		return errVarint("length", n)
	}
	if size < 0 || int(size) > len(it.rest)-n {
		return fmt.Errorf("length %d, %d bytes are left in the batch", size, len(it.rest)-n)
	}
	end := n + int(size)
	body := it.rest[n:end:end]
	it.rest = it.rest[end:]
	it.view = View{Size: end}
	return it.view.decode(body, &it.base)
}
