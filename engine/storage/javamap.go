package storage

import (
	"cmp"
	"slices"
)

// updateOrder is the order in which Kafka takes the producers of one append in:
// that of another HashMap, filled by computeIfAbsent, which puts a new key
// before the others of its bucket.
func updateOrder(list []*producerAppend) []*producerAppend {
	if len(list) < 2 {
		return list
	}
	var o javaOrder
	o.arrive(len(list) - 1) // it grows at the next call only
	sorted := slices.Clone(list)
	slices.Reverse(sorted)
	slices.SortStableFunc(sorted, func(a, b *producerAppend) int {
		return cmp.Compare(o.bucket(a.updated.ID), o.bucket(b.updated.ID))
	})
	return sorted
}

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
