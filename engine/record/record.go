package record

// Header is a record's header: a name, which may occur more than once, and a
// value, nil for null.
type Header struct {
	Key   string
	Value []byte
}

// Record is one decoded record. A nil key is "no key", a nil value a tombstone;
// empty ones are not nil.
type Record struct {
	Attributes int8  // unused by Kafka, 0
	Offset     int64 // in the log
	Timestamp  int64 // ms, NoTimestamp if none
	Sequence   int32 // NoSequence without an idempotent producer
	Key        []byte
	Value      []byte
	Headers    []Header
}

// Records decodes the whole batch. Keys, values and header values of an
// uncompressed batch share its memory. What is compressed may grow to
// DefaultLimit. Errors match ErrInvalid, ErrCompression or ErrTooLarge; the
// records before the broken one come with them.
func (b Batch) Records() ([]Record, error) {
	return b.RecordsWithin(DefaultLimit)
}

// RecordsWithin is Records with a limit, in bytes, for the decompressed records.
func (b Batch) RecordsWithin(limit int) ([]Record, error) {
	it := b.IteratorWithin(limit)
	var records []Record
	for it.Next() {
		records = append(records, it.Record().Record())
	}
	return records, it.Err()
}
