package record

import (
	"errors"
	"fmt"
)

var errShort = errors.New("ends too early")

func errVarint(field string, n int) error {
	if n < 0 {
		return fmt.Errorf("%s: varint too long", field)
	}
	return fmt.Errorf("%s: %w", field, errShort)
}

// decode reads a record's body, which must be used up exactly.
func (v *View) decode(body []byte, from *base) error {
	if len(body) == 0 {
		return fmt.Errorf("attributes: %w", errShort)
	}
	v.Attributes = int8(body[0])
	body = body[1:]
	timestampDelta, n := ReadVarlong(body)
	if n <= 0 {
		return errVarint("timestamp delta", n)
	}
	body = body[n:]
	offsetDelta, n := ReadVarint(body)
	if n <= 0 {
		return errVarint("offset delta", n)
	}
	body = body[n:]
	v.place(timestampDelta, offsetDelta, from)
	var err error
	if v.Key, body, err = readBytes("key", body); err != nil {
		return err
	}
	if v.Value, body, err = readBytes("value", body); err != nil {
		return err
	}
	return v.decodeHeaders(body)
}

// place makes offset, time and sequence number from the deltas.
func (v *View) place(timestampDelta int64, offsetDelta int32, from *base) {
	v.Offset = from.offset + int64(offsetDelta)
	v.Timestamp = from.timestamp + timestampDelta
	if from.appended {
		v.Timestamp = from.appendTime
	}
	v.Sequence = NoSequence
	if from.sequence >= 0 {
		v.Sequence = AddSequence(from.sequence, offsetDelta)
	}
}

// decodeHeaders checks the headers and keeps their bytes for later.
func (v *View) decodeHeaders(body []byte) error {
	count, n := ReadVarint(body)
	if n <= 0 {
		return errVarint("header count", n)
	}
	body = body[n:]
	if count < 0 || int(count) > len(body) {
		return fmt.Errorf("header count %d, %d bytes are left", count, len(body))
	}
	v.headers, v.count = body, count
	for range count {
		var err error
		if _, _, body, err = readHeader(body); err != nil {
			return err
		}
	}
	if len(body) > 0 {
		return fmt.Errorf("%d bytes remain in the record", len(body))
	}
	return nil
}

// HeaderCount is the number of headers.
func (v View) HeaderCount() int { return int(v.count) }

// Headers decodes the headers; nil if there are none.
func (v View) Headers() []Header {
	if v.count == 0 {
		return nil
	}
	headers := make([]Header, 0, v.count)
	rest := v.headers
	for range v.count {
		key, value, after, err := readHeader(rest)
		if err != nil { // cannot be: decodeHeaders has read them
			return headers
		}
		headers = append(headers, Header{Key: string(key), Value: value})
		rest = after
	}
	return headers
}

// Record is the view as a Record that shares its bytes.
func (v View) Record() Record {
	return Record{
		Attributes: v.Attributes, Offset: v.Offset, Timestamp: v.Timestamp, Sequence: v.Sequence,
		Key: v.Key, Value: v.Value, Headers: v.Headers(),
	}
}

func readHeader(body []byte) (key, value, rest []byte, err error) {
	if key, rest, err = readBytes("header key", body); err != nil {
		return nil, nil, nil, err
	}
	if key == nil {
		return nil, nil, nil, errors.New("header key is null")
	}
	value, rest, err = readBytes("header value", rest)
	return key, value, rest, err
}

// readBytes reads a length and as many bytes. Any negative length is null, as
// Kafka has it (Utils.readBytes).
func readBytes(field string, body []byte) (value, rest []byte, err error) {
	size, n := ReadVarint(body)
	if n <= 0 {
		return nil, nil, errVarint(field+" length", n)
	}
	body = body[n:]
	if size < 0 {
		return nil, body, nil
	}
	if int(size) > len(body) {
		return nil, nil, fmt.Errorf("%s length %d, %d bytes are left", field, size, len(body))
	}
	return body[:size:size], body[size:], nil
}
