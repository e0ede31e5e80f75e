package storage

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A .snapshot file holds the producers as they were known at its offset:
// version, checksum, count, then 46 bytes for each (ProducerSnapshot,
// ProducerStateManager#writeSnapshot).
const (
	snapshotVersion    = 1
	snapshotHeaderSize = 10
	snapshotCRCFrom    = 6 // the checksum covers the count and the entries
	snapshotEntrySize  = 46
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// FormatSnapshot is the contents of a .snapshot file. Of each producer only the
// last batch is kept.
func FormatSnapshot(list []ProducerState) []byte {
	b := make([]byte, snapshotHeaderSize, snapshotHeaderSize+len(list)*snapshotEntrySize)
	binary.BigEndian.PutUint16(b, snapshotVersion)
	binary.BigEndian.PutUint32(b[snapshotCRCFrom:], uint32(len(list)))
	be := binary.BigEndian
	for i := range list {
		p := &list[i]
		b = be.AppendUint64(b, uint64(p.ID))
		b = be.AppendUint16(b, uint16(p.Epoch))
		b = be.AppendUint32(b, uint32(p.LastSequence()))
		b = be.AppendUint64(b, uint64(p.LastOffset()))
		b = be.AppendUint32(b, uint32(p.lastOffsetDelta()))
		b = be.AppendUint64(b, uint64(p.LastTimestamp))
		b = be.AppendUint32(b, uint32(p.CoordinatorEpoch))
		b = be.AppendUint64(b, uint64(p.TxnFirstOffset))
	}
	binary.BigEndian.PutUint32(b[2:], crc32.Checksum(b[snapshotCRCFrom:], castagnoli))
	return b
}

// ParseSnapshot reads the contents of a .snapshot file.
func ParseSnapshot(data []byte) ([]ProducerState, error) {
	be := binary.BigEndian
	if len(data) < snapshotHeaderSize {
		return nil, fmt.Errorf("%d bytes, a snapshot has at least %d", len(data), snapshotHeaderSize)
	}
	if version := int16(be.Uint16(data)); version != snapshotVersion {
		return nil, fmt.Errorf("version %d, only %d is known", version, snapshotVersion)
	}
	if stored, sum := be.Uint32(data[2:]), crc32.Checksum(data[snapshotCRCFrom:], castagnoli); stored != sum {
		return nil, fmt.Errorf("stored crc %d, computed %d", stored, sum)
	}
	count, body := int64(int32(be.Uint32(data[6:]))), data[snapshotHeaderSize:]
	if count < 0 || count*snapshotEntrySize != int64(len(body)) {
		return nil, fmt.Errorf("%d producers declared, %d bytes follow: want %d for each", count, len(body), snapshotEntrySize)
	}
	list := make([]ProducerState, 0, count)
	for ; len(body) > 0; body = body[snapshotEntrySize:] {
		p := ProducerState{
			ID:               int64(be.Uint64(body)),
			Epoch:            int16(be.Uint16(body[8:])),
			LastTimestamp:    int64(be.Uint64(body[26:])),
			CoordinatorEpoch: int32(be.Uint32(body[34:])),
			TxnFirstOffset:   int64(be.Uint64(body[38:])),
		}
		last := ProducerBatch{
			LastSequence: int32(be.Uint32(body[10:])),
			LastOffset:   int64(be.Uint64(body[14:])),
			OffsetDelta:  int32(be.Uint32(body[22:])),
			Timestamp:    p.LastTimestamp,
		}
		if p.TxnFirstOffset < 0 {
			p.TxnFirstOffset = NoTxn
		}
		if last.LastOffset >= 0 {
			p.Batches = append(make([]ProducerBatch, 0, cachedBatches), last)
		}
		list = append(list, p)
	}
	return list, nil
}
