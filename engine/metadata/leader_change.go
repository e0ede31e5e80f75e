package metadata

import "kafkalab/engine/record"

// LeaderChangeBatch is the control batch with which a new leader of the
// metadata log opens its epoch (LeaderChangeMessage.json, version 0).
func LeaderChangeBatch(offset, timestampMs int64, epoch, leader int32, voters, granting []int32) (record.Batch, error) {
	var w writer
	w.i16(0)
	w.i32(leader)
	for _, ids := range [][]int32{voters, granting} {
		w.count(len(ids))
		for _, id := range ids {
			w.i32(id)
			w.tags()
		}
	}
	w.tags()
	o := record.Defaults()
	o.BaseOffset, o.LeaderEpoch, o.Control = offset, epoch, true
	b := record.NewBuilder(o)
	if _, err := b.Append(timestampMs, record.AppendControlKey(nil, record.LeaderChange), w.b); err != nil {
		return nil, err
	}
	return b.Build(), nil
}

// Batch gathers records of the metadata log into one batch.
func Batch(offset, timestampMs int64, epoch int32, records []Record) (record.Batch, error) {
	o := record.Defaults()
	o.BaseOffset, o.LeaderEpoch = offset, epoch
	b := record.NewBuilder(o)
	for _, rec := range records {
		if _, err := b.Append(timestampMs, nil, Encode(rec)); err != nil {
			return nil, err
		}
	}
	return b.Build(), nil
}
