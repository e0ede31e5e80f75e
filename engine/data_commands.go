package engine

import (
	"fmt"
	"strconv"

	"kafkalab/engine/client"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// Produce writes records through the plain client.
type Produce struct{ client.Produce }

// Produced is the result of Produce.
type Produced struct {
	Parts     []ProducedPart
	Acks      string // 0, 1 or all
	LatencyMs int64  // from the first request to the last answer
	Answered  bool   // false when nothing waited for the answer
	Err       *kerror.Error
}

// ProducedPart is one partition's share.
type ProducedPart struct {
	Partition string        `json:"partition"`
	Base      int64         `json:"base"` // first offset, -1 when unknown
	Count     int           `json:"count"`
	Err       *kerror.Error `json:"-"`
}

func (r Produced) kafkaError() *kerror.Error { return r.Err }

// MarshalJSON leaves out of the parts what an unanswered produce does not know.
func (r Produced) MarshalJSON() ([]byte, error) {
	if r.Answered {
		return trace.PlainJSON(struct {
			Parts     []ProducedPart `json:"parts"`
			Acks      string         `json:"acks"`
			LatencyMs int64          `json:"latency_ms"`
		}{r.Parts, r.Acks, r.LatencyMs})
	}
	type sent struct {
		Partition string `json:"partition"`
		Count     int    `json:"count"`
	}
	parts := []sent{}
	for _, p := range r.Parts {
		parts = append(parts, sent{p.Partition, p.Count})
	}
	return trace.PlainJSON(struct {
		Parts []sent `json:"parts"`
		Acks  string `json:"acks"`
	}{parts, r.Acks})
}

func (cmd Produce) run(c *Cluster) (Result, error) {
	out, _ := c.call(AppClient, cmd.Produce).(*client.Produced)
	return c.produced(cmd.Topic, out), nil
}

// produced makes the result of a produce, and what last.* says of it.
func (c *Cluster) produced(topic string, out *client.Produced) Result {
	if out == nil {
		return nil
	}
	r := Produced{Acks: acksText(out.Acks), LatencyMs: out.LatencyMs, Answered: out.Answered, Err: out.Err, Parts: []ProducedPart{}}
	for _, p := range out.Parts {
		r.Parts = append(r.Parts, ProducedPart{Partition: fmt.Sprintf("%s/%d", topic, p.Partition), Base: p.Base, Count: p.Count, Err: p.Err})
		if r.Err == nil {
			r.Err = p.Err
		}
		if p.Err == nil && c.last.Offset < 0 {
			c.last.Offset = p.Base
		}
		if p.Err == nil {
			c.last.Count += p.Count
		}
	}
	if out.Answered && out.Err == nil {
		c.last.LatencyMs = out.LatencyMs
	}
	return r
}

func acksText(acks int16) string {
	if acks == -1 {
		return "all"
	}
	return strconv.Itoa(int(acks))
}

// Consume is a stand-alone read.
type Consume struct{ client.Consume }

// Consumed is the result of Consume.
type Consumed struct {
	Records []ConsumedRecord `json:"records"`
	Parts   []ConsumedPart   `json:"parts"`
	Err     *kerror.Error    `json:"-"`
}

// ConsumedPart is where a read of one partition ended.
type ConsumedPart struct {
	Partition string        `json:"partition"`
	Count     int           `json:"count"`
	Dropped   int           `json:"dropped"` // records of the first batch before the offset asked for
	Next      int64         `json:"next"`
	HW        int64         `json:"hw"`
	Err       *kerror.Error `json:"-"`
}

// ConsumedRecord is one record as an application sees it.
type ConsumedRecord struct {
	Partition     string           `json:"partition"`
	Offset        int64            `json:"offset"`
	Timestamp     int64            `json:"timestamp"`
	TimestampType string           `json:"timestamp_type"`
	Key           *string          `json:"key"`
	Value         *string          `json:"value"`
	Headers       []ConsumedHeader `json:"headers"`
}

// ConsumedHeader is a header of a record; its value may be null.
type ConsumedHeader struct {
	Key   string  `json:"key"`
	Value *string `json:"value"`
}

func (r Consumed) kafkaError() *kerror.Error { return r.Err }

// MarshalJSON puts next and hw beside the records when one partition was read.
func (r Consumed) MarshalJSON() ([]byte, error) {
	type plain Consumed
	out := struct {
		plain
		Next *int64 `json:"next,omitempty"`
		HW   *int64 `json:"hw,omitempty"`
	}{plain: plain(r)}
	if len(r.Parts) == 1 {
		out.Next, out.HW = &r.Parts[0].Next, &r.Parts[0].HW
	}
	return trace.PlainJSON(out)
}

func (cmd Consume) run(c *Cluster) (Result, error) {
	out, _ := c.call(ReaderClient, cmd.Consume).(*client.Consumed)
	if out == nil {
		return nil, nil
	}
	r := Consumed{Records: []ConsumedRecord{}, Parts: []ConsumedPart{}, Err: out.Err}
	for i := range out.Parts {
		p := &out.Parts[i]
		name := fmt.Sprintf("%s/%d", cmd.Topic, p.Partition)
		for _, rec := range p.Records {
			r.Records = append(r.Records, consumedRecord(name, p.TimestampType, rec))
		}
		r.Parts = append(r.Parts, ConsumedPart{Partition: name, Count: len(p.Records), Dropped: p.Dropped, Next: p.Next, HW: p.HighWatermark, Err: p.Err})
		c.last.Dropped += p.Dropped
		if r.Err == nil {
			r.Err = p.Err
		}
	}
	if len(r.Parts) > 0 {
		c.last.Offset = r.Parts[len(r.Parts)-1].Next
	}
	c.last.Records, c.last.Count = r.Records, len(r.Records)
	return r, nil
}

func consumedRecord(partition string, t record.TimestampType, rec record.Record) ConsumedRecord {
	out := ConsumedRecord{
		Partition: partition, Offset: rec.Offset, Timestamp: rec.Timestamp, TimestampType: t.String(),
		Key: nullable(rec.Key), Value: nullable(rec.Value), Headers: []ConsumedHeader{},
	}
	for _, h := range rec.Headers {
		out.Headers = append(out.Headers, ConsumedHeader{Key: h.Key, Value: nullable(h.Value)})
	}
	return out
}

func nullable(b []byte) *string {
	if b == nil {
		return nil
	}
	s := string(b)
	return &s
}

// Last is what the newest command left behind, for last.* of the expressions.
type Last struct {
	Error     kerror.Code
	Reason    string
	Offset    int64 // -1 for none
	Count     int
	Records   []ConsumedRecord
	LatencyMs int64 // -1 for none
	Dropped   int   // records that a read got and left out, see ConsumedPart
}

// Last gives what the newest command left behind.
func (c *Cluster) Last() Last { return c.last }
