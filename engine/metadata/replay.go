package metadata

import (
	"errors"
	"fmt"
	"io"

	"kafkalab/engine/record"
)

// Replay applies the records at and above offset of the batches in buf to im
// and returns the offset after the last whole batch. Control records carry no
// metadata and are passed over.
func Replay(im *Image, buf []byte, offset int64) (next int64, err error) {
	next = offset
	for len(buf) > 0 {
		batch, err := record.Next(buf)
		if errors.Is(err, io.EOF) || errors.Is(err, record.ErrTruncated) {
			return next, nil
		}
		if err != nil {
			return next, err
		}
		buf = buf[batch.Size():]
		if err := replayBatch(im, batch, offset); err != nil {
			return next, err
		}
		next = batch.NextOffset()
	}
	return next, nil
}

func replayBatch(im *Image, batch record.Batch, from int64) error {
	if batch.IsControl() {
		return nil
	}
	records, err := batch.Records()
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Offset < from {
			continue
		}
		rec, err := Decode(r.Value)
		if err != nil {
			return fmt.Errorf("offset %d: %w", r.Offset, err)
		}
		im.Apply(rec)
	}
	return nil
}
