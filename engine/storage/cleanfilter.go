package storage

import (
	"kafkalab/engine/record"
)

// Why a pass keeps a record or leaves it out.
const (
	WhyNewest    = "newest of its key"
	WhyBeyond    = "beyond what the offset map has seen"
	WhyOlder     = "an older value of its key"
	WhyTombstone = "a tombstone, kept until its delete horizon"
	WhyHorizon   = "a tombstone whose delete horizon has passed"
	WhyKeyless   = "no key"
	WhyAborted   = "of an aborted transaction"
	WhyMarker    = "a marker whose transaction has records left, or whose horizon has not passed"
	WhyEmptyTxn  = "a marker whose transaction has no records left"
)

// lastRecord is the newest batch of a producer that the broker still knows: it
// must not vanish, or the producer's next sequence number would be refused when
// the log is opened again.
type lastRecord struct {
	offset int64 // of its data, -1 if it has none
	epoch  int16
}

// batchFilter decides batch by batch what a pass keeps
// (MemoryRecords#filterTo, the filter of Cleaner#cleanInto).
type batchFilter struct {
	offsets   *OffsetMap
	txns      *cleanedTxns
	producers map[int64]lastRecord
	endMark   int64 // the batch that ends here stays, emptied: the high watermark
	now       int64
	retention int64 // delete.retention.ms
	watch     func(CleanVerdict)
	builder   *record.Builder
	views     []record.View // of the batch
	aims      []aim         // of the same records

	seen, kept, invalid int64 // records
}

func newBatchFilter(l *Log, c *Cleaner) batchFilter {
	f := batchFilter{
		offsets: c.Map, txns: newCleanedTxns(), endMark: l.highWatermark,
		now: l.now(), retention: l.config.DeleteRetentionMs, watch: c.Watch, builder: c.filter.builder,
		views: c.filter.views, aims: c.filter.aims,
	}
	if f.builder == nil {
		f.builder = record.NewBuilder(record.Defaults())
	}
	return f
}

// begin prepares for a group of segments: which producers are alive is asked
// for each (UnifiedLog#lastRecordsOfActiveProducers). keep is told of each
// aborted transaction whose marker stays.
func (f *batchFilter) begin(l *Log, keep func(AbortedTxn) error) {
	f.txns.keep = keep
	f.producers = map[int64]lastRecord{}
	for _, p := range l.producers.list() {
		f.producers[p.ID] = lastRecord{p.LastOffset(), p.Epoch}
	}
}

// batch gives what is to be written in a batch's place, nil for nothing. The
// result is good until the next call.
func (f *batchFilter) batch(b record.Batch) (record.Batch, error) {
	emptyTxn, discard, err := f.discard(b)
	if err != nil {
		return nil, err
	}
	keepEmpty := f.isLastOfProducer(b) || b.NextOffset() == f.endMark
	f.seen += int64(b.Count())
	kept, tombstones, err := f.choose(b, discard, emptyTxn)
	if err != nil {
		return nil, err
	}
	f.kept += int64(len(kept))
	switch {
	case len(kept) == 0 && keepEmpty:
		return record.EmptyHeader(b), nil
	case len(kept) == 0:
		return nil, nil
	}
	horizon, set := b.DeleteHorizon()
	needs := !set && (tombstones || emptyTxn)
	if len(kept) == int(b.Count()) && !needs {
		return b, nil
	}
	if needs {
		horizon, set = f.now+f.retention, true
	}
	return f.rebuild(b, kept, horizon, set)
}

// discard tells whether a batch goes as a whole, whatever its keys: data of an
// aborted transaction, or a marker that has nothing left to decide about and
// whose horizon has passed. emptyTxn is such a marker, passed or not.
func (f *batchFilter) discard(b record.Batch) (emptyTxn, discard bool, err error) {
	if !b.IsControl() {
		return false, f.txns.data(b), nil
	}
	if emptyTxn, err = f.txns.marker(b); err != nil {
		return false, false, err
	}
	horizon, set := b.DeleteHorizon()
	return emptyTxn, emptyTxn && set && horizon <= f.now, nil
}

func (f *batchFilter) isLastOfProducer(b record.Batch) bool {
	last, ok := f.producers[b.ProducerID()]
	switch {
	case !ok || b.ProducerID() < 0:
		return false
	case last.offset >= 0:
		return b.LastOffset() == last.offset
	default:
		return b.IsControl() && b.ProducerEpoch() == last.epoch
	}
}

// choose gives the records of a batch that stay, and whether one of them is a
// tombstone.
func (f *batchFilter) choose(b record.Batch, discard, emptyTxn bool) (kept []record.View, tombstones bool, err error) {
	if discard && f.watch == nil {
		return nil, false, nil
	}
	if err := f.read(b); err != nil {
		return nil, false, err
	}
	kept = f.views[:0]
	horizon, set := b.DeleteHorizon()
	for i := range f.views {
		r := &f.views[i]
		stays, why := false, WhyAborted
		switch {
		case discard && b.IsControl():
			why = WhyEmptyTxn
		case discard:
		case b.IsControl():
			stays, why = true, WhyMarker
		default:
			stays, why = f.retain(r, &f.aims[i], set && horizon <= f.now)
		}
		if f.watch != nil {
			f.watch(CleanVerdict{Offset: r.Offset, Key: r.Key, Kept: stays, Why: why})
		}
		if stays {
			tombstones = tombstones || r.Value == nil
			if len(kept) < i {
				kept = append(kept, *r)
			} else {
				kept = f.views[:i+1]
			}
		}
	}
	return kept, tombstones, nil
}

// read takes a batch's records apart and aims at their places in the map.
func (f *batchFilter) read(b record.Batch) error {
	f.views, f.aims = f.views[:0], f.aims[:0]
	it := b.Iterator()
	for it.Next() {
		f.views = append(f.views, it.Record())
	}
	if err := it.Err(); err != nil {
		return err
	}
	for i := range f.views {
		f.aims = append(f.aims, aim{})
		if r := &f.views[i]; r.Key != nil && r.Offset <= f.offsets.latest {
			f.offsets.aim(r.Key, &f.aims[i])
		}
	}
	f.offsets.approach(f.aims)
	return nil
}

// retain decides about a record of data (Cleaner#shouldRetainRecord).
func (f *batchFilter) retain(r *record.View, a *aim, expired bool) (bool, string) {
	switch {
	case r.Offset > f.offsets.latest:
		return true, WhyBeyond
	case r.Key == nil:
		f.invalid++
		return false, WhyKeyless
	case r.Offset < f.offsets.get(a):
		return false, WhyOlder
	case r.Value != nil:
		return true, WhyNewest
	case expired:
		return false, WhyHorizon
	}
	return true, WhyTombstone
}

func (f *batchFilter) rebuild(b record.Batch, kept []record.View, horizon int64, set bool) (record.Batch, error) {
	f.builder.Compacted(b, horizon, set)
	for i := range kept {
		if err := f.builder.AppendView(kept[i]); err != nil {
			return nil, err
		}
	}
	f.builder.OverrideLastOffset(b.LastOffset())
	return f.builder.Build(), nil
}
