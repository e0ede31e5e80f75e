package storage

import (
	"cmp"
	"slices"
)

// javaOrder sorts producer ids as Java's HashMap<Long, …> lists them, so that a
// snapshot of several producers is the same file that Kafka writes. A map lists
// its buckets in turn, and within one the keys in the order in which they came.
type javaOrder struct {
	buckets  int // of the table, a power of two
	arrivals int64
}

const (
	javaMapBuckets = 16 // of a new HashMap
	javaMapLoad    = 4  // it doubles when more than 3 of 4 buckets would be in use
)

// arrive counts a new key; size is how many there are with it.
func (o *javaOrder) arrive(size int) int64 {
	if o.buckets == 0 {
		o.buckets = javaMapBuckets
	}
	for size > o.buckets/javaMapLoad*(javaMapLoad-1) {
		o.buckets *= 2
	}
	o.arrivals++
	return o.arrivals
}

// bucket is where a key lies: Long.hashCode, spread as HashMap does it.
func (o *javaOrder) bucket(id int64) uint32 {
	h := uint32(id ^ int64(uint64(id)>>32))
	return (h ^ h>>16) & uint32(o.buckets-1)
}

func (o *javaOrder) sort(list []*producer) {
	slices.SortFunc(list, func(a, b *producer) int {
		return cmp.Or(cmp.Compare(o.bucket(a.ID), o.bucket(b.ID)), cmp.Compare(a.arrival, b.arrival))
	})
}
