// Package record is Kafka's record batch, magic 2: the unit that producers
// send, leaders store, followers copy and consumers fetch, always as the same
// bytes.
//
// A [Batch] is those bytes. Its accessors read the 61-byte header where it
// lies; nothing is copied or allocated, and the records inside stay encoded
// until someone looks at them with an [Iterator] or [Batch.Records]. A broker
// changes three header fields only, in place: the base offset, the leader
// epoch and, seldom, the largest timestamp.
//
// The header, big-endian (Kafka: DefaultRecordBatch):
//
//	 0  8  base offset
//	 8  4  length: the bytes after this field
//	12  4  partition leader epoch
//	16  1  magic, 2
//	17  4  CRC-32C over everything from the attributes on
//	21  2  attributes: 0-2 codec, 3 timestamp type, 4 transactional,
//	       5 control, 6 delete horizon set
//	23  4  last offset delta
//	27  8  base timestamp, or the delete horizon when bit 6 is set
//	35  8  max timestamp
//	43  8  producer id
//	51  2  producer epoch
//	53  4  base sequence
//	57  4  record count
//	61     the records, compressed as one block
//
// Offset, length, epoch and magic lie outside the checksum, so that the leader
// can give a batch its place in the log without touching the rest.
package record
