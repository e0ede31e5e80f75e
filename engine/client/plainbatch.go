package client

import (
	"bytes"
	"strconv"
	"strings"

	"kafkalab/engine/record"
	"kafkalab/engine/sim"
)

// build cuts the call's records into batches, one for each partition, or of
// Batch records each.
func (k *producing) build(c *Client, ctx *sim.Ctx) error {
	open := map[int32]*record.Builder{}
	var order []int32
	closeBatch := func(p int32) {
		b := open[p]
		k.pending = append(k.pending, outgoing{partition: p, count: b.Count(), batch: b.Build()})
		delete(open, p)
	}
	timestamp := k.calledMs
	if k.Timestamp != nil {
		timestamp = *k.Timestamp
	}
	for n := range k.Count {
		key, value := k.record(n)
		p, sticks := k.choose(c, ctx, key)
		before := 0
		if open[p] == nil {
			open[p] = record.NewBuilder(record.Defaults())
			order = append(order, p)
		} else {
			before = open[p].Size()
		}
		if _, err := open[p].Append(timestamp, key, value, k.Headers...); err != nil {
			return err
		}
		if sticks {
			c.sticky[k.Topic].wrote(open[p].Size()-before, defaultBatchSize, true)
		}
		if open[p].Count() == k.Batch {
			closeBatch(p)
		}
	}
	for _, p := range order {
		if open[p] != nil {
			closeBatch(p)
		}
	}
	return nil
}

// record is the n-th key and value of a call. What is empty is not null: a
// null key is one that was not given, a null value a tombstone's.
func (k *producing) record(n int) (key, value []byte) {
	if k.Key != nil {
		key = numbered(*k.Key, n)
	}
	switch {
	case k.Tombstone:
		return key, nil
	case k.Size >= 0:
		return key, bytes.Repeat([]byte{'x'}, k.Size)
	}
	return key, numbered(k.Value, n)
}

func numbered(text string, n int) []byte {
	return append([]byte{}, strings.ReplaceAll(text, "{n}", strconv.Itoa(n))...)
}

// choose finds a record's partition. The batch that it goes to has so many
// bytes; a new one has none.
func (k *producing) choose(c *Client, ctx *sim.Ctx, key []byte) (partition int32, sticks bool) {
	switch {
	case k.Partition >= 0:
		return k.Partition, false
	case key != nil:
		return PartitionForKey(key, len(k.route.leaders)), false
	}
	s := c.sticky[k.Topic]
	if s == nil {
		s = &sticky{}
		c.sticky[k.Topic] = s
	}
	if !s.chosen || s.wrote(0, defaultBatchSize, true) || int(s.partition) >= len(k.route.leaders) {
		s.partition, s.bytes, s.chosen = s.next(ctx.Rand("partitioner"), len(k.route.leaders), k.route.available()), 0, true
	}
	return s.partition, true
}

// defaultBatchSize is batch.size, after which the plain client, too, goes on to
// another partition.
const defaultBatchSize = 16384
