package wire

import (
	"math"
	"reflect"

	"pgregory.net/rapid"
)

// fill puts something into every field of a request: one element into each
// list, the topic t where a name is, small numbers elsewhere.
func fill(req any) { fillValue(reflect.ValueOf(req).Elem(), "", plain{}) }

// source gives the values that a request is filled with.
type source interface {
	length() int
	text() string
	number() int64
	flag() bool
	bytes() []byte
	id() [16]byte
	null() bool
}

type plain struct{}

func (plain) length() int   { return 1 }
func (plain) text() string  { return "t" }
func (plain) number() int64 { return 1 }
func (plain) flag() bool    { return true }
func (plain) bytes() []byte { return []byte{1} }
func (plain) id() [16]byte  { return [16]byte{} }
func (plain) null() bool    { return false }

// drawn is what a hostile client might say.
type drawn struct {
	*rapid.T
	topic [16]byte
	batch []byte
}

var numbers = rapid.OneOf(
	rapid.SampledFrom([]int64{-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 100, 1000, 1 << 20, math.MaxInt16, math.MaxInt32, math.MaxInt64, math.MinInt16, math.MinInt32, math.MinInt64}),
	rapid.Int64(),
)

func (d drawn) length() int   { return rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3}).Draw(d.T, "length") }
func (d drawn) number() int64 { return numbers.Draw(d.T, "number") }
func (d drawn) flag() bool    { return rapid.Bool().Draw(d.T, "flag") }
func (d drawn) null() bool    { return rapid.IntRange(0, 4).Draw(d.T, "null") == 0 }
func (d drawn) text() string {
	return rapid.SampledFrom([]string{"t", "t", "t", "", "u", "1", "broker-2", "retention.ms", "-1", "..", "a/b", "__cluster_metadata", "\xff\xfe", "日本"}).Draw(d.T, "text")
}
func (d drawn) id() [16]byte {
	return rapid.SampledFrom([][16]byte{d.topic, d.topic, {}, {15: 1}, {1}}).Draw(d.T, "id")
}
func (d drawn) bytes() []byte {
	switch rapid.IntRange(0, 3).Draw(d.T, "bytes") {
	case 0:
		return rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(d.T, "any")
	case 1:
		b := append([]byte(nil), d.batch...)
		for range rapid.IntRange(1, 3).Draw(d.T, "changes") {
			b[rapid.IntRange(0, len(b)-1).Draw(d.T, "at")] = rapid.Byte().Draw(d.T, "byte")
		}
		return b
	case 2:
		return d.batch[:rapid.IntRange(0, len(d.batch)).Draw(d.T, "cut")]
	}
	return d.batch
}

func fillValue(v reflect.Value, name string, from source) {
	if !v.CanSet() || name == "Version" || name == "UnknownTags" {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(v.Field(i), v.Type().Field(i).Name, from)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(from.bytes())
			return
		}
		if from.null() {
			return
		}
		n := from.length()
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillValue(v.Index(i), "", from)
		}
	case reflect.Array:
		v.Set(reflect.ValueOf(from.id()))
	case reflect.Pointer:
		if !from.null() {
			v.Set(reflect.New(v.Type().Elem()))
			fillValue(v.Elem(), name, from)
		}
	case reflect.String:
		v.SetString(from.text())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(from.number())
	case reflect.Bool:
		v.SetBool(from.flag())
	}
}

func reflectOf(req any) reflect.Value { return reflect.ValueOf(req).Elem() }
