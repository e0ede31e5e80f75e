package console

import (
	"encoding/json"
	"reflect"
	"strings"
	"unicode"
)

// snaked is a view with the names that JSON of the language has: SegmentBase
// as segment_base, an empty list as []. A type that says itself how it is
// written, in tags or in a method, is left as it is.
func snaked(v any) any {
	return snakedValue(reflect.ValueOf(v))
}

func snakedValue(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	if _, own := v.Interface().(json.Marshaler); own {
		return v.Interface()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return snakedValue(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Interface()
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = snakedValue(v.Index(i))
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		// order: json sorts the keys
		for _, key := range v.MapKeys() {
			out[key.String()] = snakedValue(v.MapIndex(key))
		}
		return out
	case reflect.Struct:
		out := map[string]any{}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Tag != "" {
				return v.Interface()
			}
			if f.IsExported() {
				out[snake(f.Name)] = snakedValue(v.Field(i))
			}
		}
		return out
	}
	if s, ok := v.Interface().(interface{ String() string }); ok {
		return s.String()
	}
	return v.Interface()
}

// snake turns MinISR into min_isr and LargestTimestamp into largest_timestamp.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		startsWord := unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if startsWord {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
