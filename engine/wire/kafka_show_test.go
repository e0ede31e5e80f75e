//go:build kafka

package wire

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// showing says what is left out, field by field, when a client's answer is
// written down.
type showing struct {
	anywhere bool // where partitions are: each cluster has dealt them out by chance
	broker   bool // configs of a broker: those that say where it runs
}

// show writes down what a client library returned: maps in order, what is
// empty left out, ids and addresses by what they are.
func (s showing) show(x any) string { return s.value(reflect.ValueOf(x), "") }

func show(x any) string { return showing{}.show(x) }

var errorType = reflect.TypeFor[error]()

func (s showing) value(v reflect.Value, name string) string {
	if !v.IsValid() {
		return "none"
	}
	if v.Type().Implements(errorType) && !(v.Kind() == reflect.Interface && v.IsNil()) {
		return maskError(v.Interface().(error).Error())
	}
	switch x := v.Interface().(type) {
	case kadm.TopicID:
		if x == (kadm.TopicID{}) {
			return "no id"
		}
		return "an id"
	case []byte:
		if x == nil {
			return "null"
		}
		return fmt.Sprintf("%q", x)
	case time.Time:
		return showTime(x)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "null"
		}
		return s.value(v.Elem(), name)
	case reflect.Map:
		return s.mapping(v)
	case reflect.Slice, reflect.Array:
		var items []string
		for i := range v.Len() {
			if text := s.value(v.Index(i), ""); text != "" {
				items = append(items, text)
			}
		}
		if v.Type().Elem() == reflect.TypeFor[kadm.Config]() {
			slices.Sort(items) // Kafka's order is that of a hash map
			return "\n  " + strings.Join(items, "\n  ")
		}
		return "[" + strings.Join(items, " ") + "]"
	case reflect.Struct:
		return s.structure(v)
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	}
	return fmt.Sprint(v.Interface())
}

func (s showing) mapping(v reflect.Value) string {
	items := map[string]string{}
	for _, key := range v.MapKeys() {
		name := fmt.Sprint(key.Interface())
		if strings.HasPrefix(name, "/") {
			name = "a folder"
		}
		items[name] = s.value(v.MapIndex(key), "")
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(items)) {
		fmt.Fprintf(&b, "\n  %s: %s", key, strings.ReplaceAll(items[key], "\n", "\n  "))
	}
	return b.String()
}

func (s showing) structure(v reflect.Value) string {
	if c, ok := v.Interface().(kadm.Config); ok && s.broker && ofItsOwn.MatchString("  "+c.Key+"=\n") {
		return ""
	}
	var b strings.Builder
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		switch {
		case !field.IsExported() || value.IsZero() && value.Kind() != reflect.Int64:
			continue
		case slices.Contains([]string{"Dir", "Host", "Port", "Cluster", "Controller"}, field.Name):
			fmt.Fprintf(&b, " %s=its own", field.Name)
		case s.anywhere && slices.Contains([]string{"Leader", "Replicas", "ISR"}, field.Name):
			if value.Kind() == reflect.Slice {
				fmt.Fprintf(&b, " %s=%d of them", field.Name, value.Len())
			}
		case slices.Contains([]string{"TotalBytes", "UsableBytes"}, field.Name):
			fmt.Fprintf(&b, " %s=a number", field.Name)
		default:
			fmt.Fprintf(&b, " %s=%s", field.Name, s.value(value, field.Name))
		}
	}
	return "{" + strings.TrimSpace(b.String()) + "}"
}

var (
	hostPort = regexp.MustCompile(`127\.0\.0\.1:\d+`)
)

func maskError(text string) string { return hostPort.ReplaceAllString(text, "HOST:PORT") }

// showTime tells times that the program gave from those that the brokers gave.
func showTime(t time.Time) string {
	ms := t.UnixMilli()
	if ms > fixedTime+1e9 {
		return "now"
	}
	return fmt.Sprint(ms)
}

// showRecord tells all that a consumer sees of a record.
func showRecord(r *kgo.Record) string {
	var headers []string
	for _, h := range r.Headers {
		headers = append(headers, h.Key+"="+show(h.Value))
	}
	value := show(r.Value)
	if len(value) > 100 {
		value = fmt.Sprintf("%d bytes %x", len(r.Value), sha256.Sum256(r.Value))
	}
	return fmt.Sprintf("%s/%d@%d epoch %d %s type %d codec %d key %s value %s %v",
		r.Topic, r.Partition, r.Offset, r.LeaderEpoch, showTime(r.Timestamp), r.Attrs.TimestampType(), r.Attrs.CompressionType(), show(r.Key), value, headers)
}

// showBatches tells of every field of record batches as they were fetched, and
// of all their bytes. Where the broker or the program gives ids and times of
// day, own leaves them out, and the CRC that covers them.
func showBatches(data []byte, own bool) string {
	var b strings.Builder
	for len(data) >= 61 {
		size := 12 + int(binary.BigEndian.Uint32(data[8:]))
		if size > len(data) {
			break
		}
		batch, at := data[:size], binary.BigEndian.Uint64
		fmt.Fprintf(&b, "\n  %d: %d bytes epoch %d magic %d attributes %#x last %d", at(batch), size, int32(binary.BigEndian.Uint32(batch[12:])),
			batch[16], binary.BigEndian.Uint16(batch[21:]), binary.BigEndian.Uint32(batch[23:]))
		if !own {
			fmt.Fprintf(&b, " crc %08x times %d %d producer %d", binary.BigEndian.Uint32(batch[17:]), at(batch[27:]), at(batch[35:]), int64(at(batch[43:])))
		}
		fmt.Fprintf(&b, " epoch %d sequence %d records %d %x", int16(binary.BigEndian.Uint16(batch[51:])),
			int32(binary.BigEndian.Uint32(batch[53:])), binary.BigEndian.Uint32(batch[57:]), sha256.Sum256(batch[61:]))
		data = data[size:]
	}
	if len(data) > 0 {
		fmt.Fprintf(&b, "\n  %d bytes more", len(data))
	}
	return b.String()
}
