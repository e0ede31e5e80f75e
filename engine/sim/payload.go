package sim

import (
	"encoding/binary"
	"math/bits"
	"net"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Payload is the bytes of a message, header and body, as they follow the length
// on the wire. Records that a log lent to a fetch's answer are not copied into
// it: they travel as slices of their own, which never change, and are put in
// their places when somebody wants the bytes.
type Payload struct {
	rest     []byte // all other bytes; a lent field is an empty one here
	lent     []lentRecords
	flexible bool // lengths are unsigned varints
}

// lentRecords is the records field of one partition of a fetch's answer.
type lentRecords struct {
	topic, partition int // indexes in the answer
	at               int // in the payload's rest
	records          []byte
}

// leastLent is the size from which on records are not copied. Below it a slice
// of its own costs more than it saves.
const leastLent = 1 << 10

// Len is the number of bytes.
func (p Payload) Len() int {
	n := len(p.rest)
	for i := range p.lent {
		n += len(p.lent[i].records) + p.prefixLen(len(p.lent[i].records)) - p.prefixLen(0)
	}
	return n
}

// Bytes puts the bytes together. They must not be changed.
func (p Payload) Bytes() []byte {
	if len(p.lent) == 0 {
		return p.rest
	}
	b := make([]byte, 0, p.Len())
	for _, part := range p.Parts() {
		b = append(b, part...)
	}
	return b
}

// Parts gives the bytes as slices that follow each other; they must not be
// changed.
func (p Payload) Parts() net.Buffers {
	parts := make(net.Buffers, 0, 2*len(p.lent)+1)
	from := 0
	for i := range p.lent {
		l := &p.lent[i]
		head := p.rest[from:l.at]
		// A copy: the prefix stands in it, and not in the rest.
		head = append(make([]byte, 0, len(head)+binary.MaxVarintLen32), head...)
		parts = append(parts, p.appendPrefix(head, len(l.records)), l.records)
		from = l.at + p.prefixLen(0)
	}
	return append(parts, p.rest[from:])
}

// prefixLen is how many bytes the length of n bytes takes.
func (p Payload) prefixLen(n int) int {
	if p.flexible {
		return uvarintLen(n + 1)
	}
	return 4
}

func (p Payload) appendPrefix(dst []byte, n int) []byte {
	if p.flexible {
		return binary.AppendUvarint(dst, uint64(n)+1)
	}
	return binary.BigEndian.AppendUint32(dst, uint32(n))
}

func uvarintLen(n int) int { return (bits.Len64(uint64(n)|1) + 6) / 7 }

// response decodes the answer to a request of the given key and version. Its
// lent records are the slices that travelled beside the other bytes.
func (p Payload) response(key, version int16) (kmsg.Response, int32, error) {
	resp, correlation, err := DecodeResponse(p.rest, key, version)
	if fetch, ok := resp.(*kmsg.FetchResponse); ok && err == nil {
		p.attach(fetch)
	}
	return resp, correlation, err
}

func (p Payload) attach(fetch *kmsg.FetchResponse) {
	for i := range p.lent {
		l := &p.lent[i]
		fetch.Topics[l.topic].Partitions[l.partition].RecordBatches = l.records
	}
}

// answer encodes a response, whose lent records stay where they are.
func answer(resp kmsg.Response, correlation int32) Payload {
	fetch, ok := resp.(*kmsg.FetchResponse)
	if !ok {
		return Payload{rest: EncodeResponse(resp, correlation)}
	}
	p := Payload{flexible: resp.IsFlexible()}
	for ti := range fetch.Topics {
		for pi := range fetch.Topics[ti].Partitions {
			part := &fetch.Topics[ti].Partitions[pi]
			if len(part.RecordBatches) >= leastLent {
				p.lent = append(p.lent, lentRecords{topic: ti, partition: pi, records: part.RecordBatches})
				part.RecordBatches = []byte{}
			}
		}
	}
	p.rest = EncodeResponse(resp, correlation)
	p.attach(fetch)
	p.findPlaces(fetch)
	return p
}

// findPlaces finds where in the rest the lent records belong, by the layout of
// FetchResponse (clients/src/main/resources/common/message/FetchResponse.json).
func (p *Payload) findPlaces(resp *kmsg.FetchResponse) {
	if len(p.lent) == 0 {
		return
	}
	v, w := resp.Version, walk{p.rest, 4, p.flexible} // behind the correlation id
	w.tags()
	w.skip(since(v, 1, 4), since(v, 7, 2+4)) // throttle time; error and session
	w.length(len(resp.Topics))
	next := p.lent
	for ti := range resp.Topics {
		t := &resp.Topics[ti]
		if v >= 13 {
			w.skip(len(t.TopicID))
		} else {
			w.text(len(t.Topic))
		}
		w.length(len(t.Partitions))
		for pi := range t.Partitions {
			w.partition(&t.Partitions[pi], v)
			if next[0].topic == ti && next[0].partition == pi {
				next[0].at = w.at
				if next = next[1:]; len(next) == 0 {
					return
				}
				w.length(0)
			} else {
				w.length(len(t.Partitions[pi].RecordBatches))
				w.skip(len(t.Partitions[pi].RecordBatches))
			}
			w.tags()
		}
		w.tags()
	}
}

func since(version, first int16, n int) int {
	if version >= first {
		return n
	}
	return 0
}

// walk is a place in the bytes of a message that this process has encoded.
type walk struct {
	buf      []byte
	at       int
	flexible bool
}

func (w *walk) skip(n ...int) {
	for _, n := range n {
		w.at += n
	}
}

// length skips that of an array or of bytes; nil is as long as one of nothing.
func (w *walk) length(n int) {
	if w.flexible {
		w.at += uvarintLen(n + 1)
	} else {
		w.at += 4
	}
}

func (w *walk) text(n int) {
	if w.flexible {
		w.at += uvarintLen(n+1) + n
	} else {
		w.at += 2 + n
	}
}

func (w *walk) tags() {
	if !w.flexible {
		return
	}
	if left, err := skipTags(w.buf[w.at:]); err == nil {
		w.at = len(w.buf) - len(left)
	}
}

// partition skips a partition up to its records.
func (w *walk) partition(part *kmsg.FetchResponseTopicPartition, version int16) {
	w.skip(4+2+8, since(version, 4, 8), since(version, 5, 8)) // partition, error, high watermark; last stable; log start
	if version >= 4 {
		w.length(len(part.AbortedTransactions))
		for range part.AbortedTransactions {
			w.skip(8 + 8)
			w.tags()
		}
	}
	w.skip(since(version, 11, 4)) // preferred read replica
}
