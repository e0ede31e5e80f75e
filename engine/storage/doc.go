// Package storage is one replica's log: a partition's folder with its
// segments, their indexes, the producers' state and the leader epochs, written
// and recovered as Apache Kafka 4.4 does it, byte for byte.
//
// A [Log] is a sequence of segments, each named by the first offset it may
// hold. Only the last one, the active segment, is written to; when an append
// does not fit any more the log rolls. Beside each .log file lie a sparse
// .index (offset to position) and .timeindex (timestamp to offset), and after
// the first aborted transaction a .txnindex; a .snapshot holds what was known
// of the producers at its offset, so that a start need not read the whole log.
//
// Four offsets bound a log: the log start, the last stable offset, the high
// watermark and the log end, in this order. All are exclusive ends but the
// first: the log end is the offset that the next record gets.
//
// Bytes that cannot be read are one thing, a disk that fails another. Recovery cuts
// a segment at its first batch that is not whole; everywhere else Kafka trusts what
// it finds, and so does a Log: it takes the entries of an index as they are, and of
// a batch it looks at size and offset only. What it then cannot get past is a
// [DamageError], from [Open] a [FatalError]; see testdata/damage for what Kafka
// itself does.
//
// What Kafka does on threads of its own is done here at once (the flush after a
// roll) or offered as data with the time at which it is due (files waiting to
// be unlinked): see [Log.NextDue]. A Log is not safe for concurrent use.
package storage
