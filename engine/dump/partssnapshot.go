package dump

import (
	"fmt"
)

// cutSnapshot cuts a producer snapshot into its head and the producers, as many
// as there is room for, and what is left.
func (x *Parts) cutSnapshot(src *source) *Damage {
	x.add(0, 0, decodeSnapshotHead)
	at, n := int64(snapshotHead), 0
	for ; at+producerSize <= src.size; n++ {
		x.add(at, n, decodeProducer)
		at += producerSize
	}
	if at < src.size {
		x.add(at, n, decodeSnapshotRest)
	}
	return nil
}

func decodeSnapshotHead(x *Parts, src *source, _ int, p *Part) {
	p.Title, p.Fields = "head", snapshotLayout.fields(p.Data)
	all, damage := src.all()
	if damage == nil {
		damage = checkSnapshot(all)
	}
	p.Damage = damage
	if len(p.Data) < snapshotHead || len(all) < snapshotHead {
		return
	}
	h := readSnapshotHead(all)
	p.Summary = fmt.Sprintf("%d producers", h.count)
	if h.count == 1 {
		p.Summary = "1 producer"
	}
	p.CRC = &Checksum{At: snapshotCRCAt, From: snapshotCRCFrom, To: src.size, Stored: h.crc, Computed: snapshotSum(all)}
	note := "CRC-32C fits, over all that follows"
	if !p.CRC.Right() {
		note = "CRC-32C does not fit: computed " + hex32(p.CRC.Computed) + "; Kafka throws the file away"
	}
	p.Fields[1].Note = note
	if base, damage := x.name.baseOffset(); damage == nil {
		p.Summary += fmt.Sprintf(", before offset %d", base)
	}
}

func decodeProducer(_ *Parts, _ *source, _ int, p *Part) {
	p.Title, p.Fields = "producer", producerLayout.fields(p.Data)
	if len(p.Data) < producerSize {
		return
	}
	r := readProducer(p.Data)
	p.Title, p.Summary = fmt.Sprintf("producer %d", r.ProducerID), fmt.Sprintf("epoch %d", r.ProducerEpoch)
	if r.Batch != nil {
		p.Summary += fmt.Sprintf(", sequence %d at offset %d", r.Batch.LastSequence, r.Batch.LastOffset)
	}
	if r.CurrentTxnFirstOffset != nil {
		p.Summary += ", transaction open"
	}
}

func decodeSnapshotRest(_ *Parts, _ *source, n int, p *Part) {
	p.Title, p.Summary = "rest", fmt.Sprintf("%d bytes", len(p.Data))
	p.Fields = unreadable(p.Data, 0, "less than a producer has")
	p.Damage = damagef(p.At, "%d bytes behind %d producers, another one has %d", len(p.Data), n, producerSize)
}
