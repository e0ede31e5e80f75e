package metadata

import (
	"encoding/binary"
	"fmt"
)

// writer appends the fields of a flexible message, as Kafka's generator
// writes them.
type writer struct{ b []byte }

func (w *writer) i8(v int8)          { w.b = append(w.b, byte(v)) }
func (w *writer) i16(v int16)        { w.b = binary.BigEndian.AppendUint16(w.b, uint16(v)) }
func (w *writer) u16(v uint16)       { w.b = binary.BigEndian.AppendUint16(w.b, v) }
func (w *writer) i32(v int32)        { w.b = binary.BigEndian.AppendUint32(w.b, uint32(v)) }
func (w *writer) i64(v int64)        { w.b = binary.BigEndian.AppendUint64(w.b, uint64(v)) }
func (w *writer) uuid(v [16]byte)    { w.b = append(w.b, v[:]...) }
func (w *writer) uvarint(v uint64)   { w.b = binary.AppendUvarint(w.b, v) }
func (w *writer) count(n int)        { w.uvarint(uint64(n) + 1) }
func (w *writer) str(s string)       { w.count(len(s)); w.b = append(w.b, s...) }
func (w *writer) bool(v bool)        { w.b = append(w.b, map[bool]byte{true: 1}[v]) }
func (w *writer) nullable(s *string) { w.optional(s != nil, func() { w.str(*s) }) }
func (w *writer) optional(set bool, f func()) {
	if set {
		f()
		return
	}
	w.b = append(w.b, 0)
}

func (w *writer) i32s(list []int32) {
	w.count(len(list))
	for _, v := range list {
		w.i32(v)
	}
}

func (w *writer) uuids(list [][16]byte) {
	w.count(len(list))
	for _, v := range list {
		w.uuid(v)
	}
}

// tag is a tagged field: written only when it is not its default.
type tag struct {
	number uint64
	write  func(*writer)
}

func (w *writer) tags(tags ...tag) {
	w.uvarint(uint64(len(tags)))
	for _, t := range tags {
		var f writer
		t.write(&f)
		w.uvarint(t.number)
		w.uvarint(uint64(len(f.b)))
		w.b = append(w.b, f.b...)
	}
}

// reader takes fields off the front of a message. After the first thing that
// is not there everything reads as zero, and err says what was missing.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n int, what string) []byte {
	if r.err == nil && n > len(r.b) {
		r.err = fmt.Errorf("%s takes %d bytes, %d are left", what, n, len(r.b))
	}
	if r.err != nil {
		return make([]byte, min(max(n, 0), 16))
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *reader) i8() int8   { return int8(r.take(1, "an int8")[0]) }
func (r *reader) i16() int16 { return int16(binary.BigEndian.Uint16(r.take(2, "an int16"))) }
func (r *reader) u16() uint16 {
	return binary.BigEndian.Uint16(r.take(2, "a uint16"))
}
func (r *reader) i32() int32 { return int32(binary.BigEndian.Uint32(r.take(4, "an int32"))) }
func (r *reader) i64() int64 { return int64(binary.BigEndian.Uint64(r.take(8, "an int64"))) }
func (r *reader) bool() bool { return r.take(1, "a boolean")[0] != 0 }
func (r *reader) uuid() (u [16]byte) {
	copy(u[:], r.take(16, "a uuid"))
	return u
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		if r.err == nil {
			r.err = fmt.Errorf("a varint does not end")
		}
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads the length of a compact list or string, -1 for null. No more
// than what is left in bytes can be meant.
func (r *reader) count() int {
	v := r.uvarint()
	if v > uint64(len(r.b))+1 {
		if r.err == nil {
			r.err = fmt.Errorf("a length of %d with %d bytes left", v-1, len(r.b))
		}
		return 0
	}
	return int(v) - 1
}

func (r *reader) str() string {
	n := r.count()
	if n < 0 {
		if r.err == nil {
			r.err = fmt.Errorf("a string that must be there is null")
		}
		return ""
	}
	return string(r.take(n, "a string"))
}

func (r *reader) nullable() *string {
	n := r.count()
	if n < 0 || r.err != nil {
		return nil
	}
	s := string(r.take(n, "a string"))
	return &s
}

func (r *reader) i32s() []int32 {
	n := r.count()
	list := []int32{}
	for range max(n, 0) {
		list = append(list, r.i32())
		if r.err != nil {
			return nil
		}
	}
	return list
}

func (r *reader) uuids() [][16]byte {
	n := r.count()
	list := [][16]byte{}
	for range max(n, 0) {
		list = append(list, r.uuid())
		if r.err != nil {
			return nil
		}
	}
	return list
}

// tags hands each tagged field to f; one that f does not know is skipped.
func (r *reader) tags(f func(number uint64, r *reader)) {
	for n := r.uvarint(); n > 0 && r.err == nil; n-- {
		number := r.uvarint()
		size := r.uvarint()
		if size > uint64(len(r.b)) {
			r.err = fmt.Errorf("tag %d of %d bytes, %d are left", number, size, len(r.b))
			return
		}
		field := reader{b: r.take(int(size), "a tag")}
		if f != nil {
			f(number, &field)
		}
		if r.err == nil {
			r.err = field.err
		}
	}
}
