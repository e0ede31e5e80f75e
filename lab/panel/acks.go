package panel

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/trace"
)

// acksOf reads the acks of a Produce request from its bytes: 0, 1 or all. ok is
// false when they are not kept.
func acksOf(msg trace.Message) (acks string, ok bool) {
	if msg.API != "Produce" || msg.Response {
		return "", false
	}
	var req kmsg.ProduceRequest
	body := requestBody(msg.Payload)
	req.Version = msg.Version
	if body == nil || req.ReadFrom(body) != nil {
		return "", false
	}
	switch req.Acks {
	case 0:
		return "0", true
	case 1:
		return "1", true
	}
	return "all", true
}

// requestBody is a request without its header: key, version, correlation,
// client id, and tags, which all versions of Produce that are in use have.
func requestBody(payload []byte) []byte {
	if len(payload) < 10 {
		return nil
	}
	at := 10
	if n := int16(binary.BigEndian.Uint16(payload[8:])); n > 0 {
		at += int(n)
	}
	if at >= len(payload) || payload[at] != 0 {
		return nil
	}
	return payload[at+1:]
}

// answeredParts are the partitions of a Produce response: correlation and tags
// stand before its body.
func answeredParts(msg trace.Message) (list []answeredPart) {
	var resp kmsg.ProduceResponse
	resp.Version = msg.Version
	if msg.API != "Produce" || !msg.Response || len(msg.Payload) < 5 || resp.ReadFrom(msg.Payload[5:]) != nil {
		return nil
	}
	for _, t := range resp.Topics {
		for _, p := range t.Partitions {
			list = append(list, answeredPart{topic: t.TopicID, partition: p.Partition, base: p.BaseOffset, err: p.ErrorCode})
		}
	}
	return list
}

// answeredPart is what a producer hears of one partition.
type answeredPart struct {
	topic     [16]byte
	partition int32
	base      int64
	err       int16
}
