package dump

import (
	"strings"
	"unicode/utf8"

	"kafkalab/engine/record"
)

// Record is a record as it is told.
type Record struct {
	Offset     int64    `json:"offset"`
	Timestamp  int64    `json:"timestamp"` // ms
	KeySize    int      `json:"keySize"`   // bytes, -1 for null
	ValueSize  int      `json:"valueSize"` // bytes, -1 for null
	Sequence   int32    `json:"sequence"`
	HeaderKeys []string `json:"headerKeys"`
	// Key and Value are text, with U+FFFD for what is not UTF-8: then the bytes
	// are beside it. They are nil for null, for control records, and when they
	// were not asked for.
	Key        *string  `json:"key,omitempty"`
	KeyBytes   []byte   `json:"keyBytes,omitempty"`
	Value      *string  `json:"payload,omitempty"`
	ValueBytes []byte   `json:"payloadBytes,omitempty"`
	Control    *Control `json:"control,omitempty"`

	timestampType string
}

// newRecord tells of a record of a batch. A control record that cannot be read
// is an error.
func newRecord(b record.Batch, v record.View, contents bool) (Record, error) {
	r := Record{
		Offset: v.Offset, Timestamp: v.Timestamp, KeySize: size(v.Key), ValueSize: size(v.Value),
		Sequence: v.Sequence, HeaderKeys: []string{}, timestampType: b.TimestampType().String(),
	}
	for _, h := range v.Headers() {
		r.HeaderKeys = append(r.HeaderKeys, javaString([]byte(h.Key)))
	}
	if b.IsControl() {
		c, err := newControl(v.Key, v.Value)
		if err != nil {
			return Record{}, err
		}
		r.Control = &c
	} else if contents {
		r.Key, r.KeyBytes = contentOf(v.Key)
		r.Value, r.ValueBytes = contentOf(v.Value)
	}
	return r, nil
}

// contentOf is bytes as text, and as a copy of the bytes if the text is not they.
func contentOf(p []byte) (*string, []byte) {
	if p == nil {
		return nil, nil
	}
	text := javaString(p)
	if utf8.Valid(p) {
		return &text, nil
	}
	return &text, append([]byte(nil), p...)
}

func size(p []byte) int {
	if p == nil {
		return -1
	}
	return len(p)
}

// Line is the record in one line, unless its key or value has line ends.
func (r Record) Line() string { return r.line(false) }

// line leaves out what is before the key and the value if that is not wanted:
// nothing may be left then.
func (r Record) line(skipMetadata bool) string {
	l := make(line, 0, 160)
	before := " "
	if skipMetadata {
		before = "| "
	} else {
		r.metadata(&l)
	}
	if r.Key != nil {
		l.text(before+"key: ", *r.Key)
		before = " "
	}
	if r.Value != nil {
		l.text(before+"payload: ", *r.Value)
	}
	return string(l)
}

func (r Record) metadata(l *line) {
	l.int("| offset: ", r.Offset)
	l.int(" "+r.timestampType+": ", r.Timestamp)
	l.int(" keySize: ", int64(r.KeySize))
	l.int(" valueSize: ", int64(r.ValueSize))
	l.int(" sequence: ", int64(r.Sequence))
	l.text(" headerKeys: [", strings.Join(r.HeaderKeys, ","))
	l.text("]", "")
	if r.Control != nil {
		l.text(" ", r.Control.Text)
	}
}
