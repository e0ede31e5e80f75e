package trace

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strconv"

	"kafkalab/engine/kerror"
)

// WireField is a stretch of a message's bytes under the name that Kafka's message
// definitions give it. Structs and arrays have the fields in them; an element
// of an array goes by its index.
type WireField struct {
	Name   string      `json:"name"`           // CorrelationId, Topics, [0]
	Type   string      `json:"type"`           // Kafka's: int32, string, []FetchTopic, FetchTopic, records
	At     int         `json:"at"`             // of its first byte, the length that precedes the message included
	Size   int         `json:"size"`           // bytes, with the length or count that stands before them
	Value  string      `json:"value"`          // as it reads; an array's is its count; null is null
	Note   string      `json:"note,omitempty"` // what the value means, empty for what speaks for itself
	Tag    int         `json:"-"`              // of a tagged field (KIP-482), NoTag for others
	Fields []WireField `json:"fields,omitempty"`
	// Data are the bytes of what is no number and no text: uuid, bytes, records.
	Data []byte `json:"-"`

	number int64
	null   bool
}

// NoTag is the Tag of a field that has its place in the order of the message.
const NoTag = -1

// TaggedFields is Kafka's name for what stands at the end of each struct of a
// flexible version: a count, and the optional fields that were sent.
const TaggedFields = "_tagged_fields"

// Null tells a null from a value that reads the same.
func (f WireField) Null() bool { return f.null }

// Number is the value of a number or a bool, 0 of anything else.
func (f WireField) Number() int64 { return f.number }

// Get is a field in this one by its name, one that was sent as a tagged field
// too; ok is false if it is not there.
func (f WireField) Get(name string) (WireField, bool) {
	for _, g := range f.Fields {
		if g.Name == name {
			return g, true
		}
		if g.Name == TaggedFields {
			if sent, ok := g.Get(name); ok {
				return sent, true
			}
		}
	}
	return WireField{}, false
}

// Batch is what the header of a record batch tells.
type Batch struct {
	At    int // of its first byte in the records
	Size  int // bytes
	Base  int64
	Count int32
}

// Places of fields in a batch (DefaultRecordBatch).
const (
	batchLengthAt = 8
	batchCountAt  = 57
	batchHeader   = 61
)

// Batches are the record batches in a field of records, as far as they are
// whole: a fetch may cut the last one.
func Batches(records []byte) []Batch {
	var list []Batch
	for at := 0; len(records)-at >= batchHeader; {
		b := records[at:]
		size := batchLengthAt + 4 + int64(int32(binary.BigEndian.Uint32(b[batchLengthAt:])))
		if size < batchHeader || size > int64(len(b)) {
			break
		}
		list = append(list, Batch{At: at, Size: int(size), Base: int64(binary.BigEndian.Uint64(b)), Count: int32(binary.BigEndian.Uint32(b[batchCountAt:]))})
		at += int(size)
	}
	return list
}

// recordsText sums up records: base offset, count.
func recordsText(data []byte) string {
	list := Batches(data)
	if len(list) == 0 {
		return "none"
	}
	records := int64(0)
	for _, b := range list {
		records += int64(b.Count)
	}
	text := counted(records, "record") + " from base offset " + strconv.FormatInt(list[0].Base, 10)
	if len(list) > 1 {
		text += ", " + counted(int64(len(list)), "batch")
	}
	return text
}

func counted(n int64, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "batch":
		noun = "batche"
	}
	return strconv.FormatInt(n, 10) + " " + noun + "s"
}

// uuidText is an id as Kafka writes it (Uuid#toString).
func uuidText(id []byte) string { return base64.RawURLEncoding.EncodeToString(id) }

// meanings of numbers, by the name of the field.
var meanings = map[string]map[int64]string{
	"Acks":            {-1: "all in-sync replicas", 0: "no answer", 1: "the leader alone"},
	"IsolationLevel":  {0: "READ_UNCOMMITTED", 1: "READ_COMMITTED"},
	"ReplicaId":       {-1: "a client, no replica"},
	"Timestamp":       {-1: "LATEST", -2: "EARLIEST", -3: "MAX_TIMESTAMP", -4: "EARLIEST_LOCAL", -5: "LATEST_TIERED"},
	"ResourceType":    {2: "TOPIC", 4: "BROKER", 8: "BROKER_LOGGER", 16: "CLIENT_METRICS", 32: "GROUP"},
	"ConfigOperation": {0: "SET", 1: "DELETE", 2: "APPEND", 3: "SUBTRACT"},
	"ElectionType":    {0: "PREFERRED", 1: "UNCLEAN"},
	"SessionEpoch":    {-1: "no session, or its end", 0: "a new session"},
}

// meaning of a number, empty for one that speaks for itself.
func meaning(field string, n int64) string {
	switch field {
	case "ErrorCode":
		return kerror.Code(n).String()
	case "RequestApiKey", "ApiKey":
		if l := protocol()[layoutName{int16(n), false}]; l != nil {
			return l.name
		}
	}
	return meanings[field][n]
}

// errorAt is why a message cannot be read on.
func errorAt(at int, format string, args ...any) error {
	return fmt.Errorf("at byte %d: %s", at, fmt.Sprintf(format, args...))
}
