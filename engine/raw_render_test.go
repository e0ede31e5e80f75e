package engine

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// render writes an answer down field by field: what has its default is left
// out, ids, addresses and times of day go by what they are.
func (w *rawWorld) render(resp kmsg.Response, c rawCase) string {
	r := renderer{world: w, c: c}
	r.structure(reflect.ValueOf(resp).Elem(), "", "")
	if r.Len() == 0 {
		return "nothing but defaults"
	}
	return strings.TrimRight(r.String(), "\n")
}

type renderer struct {
	strings.Builder
	world *rawWorld
	c     rawCase
}

// structure writes the plain fields of a struct in one line and its lists of
// structs below it.
func (r *renderer) structure(v reflect.Value, name, indent string) {
	var line, below strings.Builder
	line.WriteString(indent + name)
	usual := defaults(v.Type())
	for i := range v.NumField() {
		f, value := v.Type().Field(i).Name, v.Field(i)
		switch {
		case f == "Version" || f == "UnknownTags" || f == "ThrottleMillis" || reflect.DeepEqual(value.Interface(), usual.Field(i).Interface()):
		case f == "FinalizedFeaturesEpoch":
			fmt.Fprintf(&line, " %s=a number", f)
		case r.c.anywhere && slices.Contains([]string{"Leader", "Replicas", "ISR"}, f):
			fmt.Fprintf(&line, " %s=somewhere", f)
		case value.Kind() == reflect.Struct:
			fmt.Fprintf(&line, " %s={%s}", f, r.flat(value))
		case value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Struct:
			if value.Len() == 0 {
				continue
			}
			below.WriteString(r.list(f, value, indent+"  "))
		default:
			fmt.Fprintf(&line, " %s=%s", f, r.value(f, value))
		}
	}
	if text := strings.TrimRight(line.String(), " "); text != "" {
		r.WriteString(text + "\n")
	}
	r.WriteString(below.String())
}

// defaults is a struct as kmsg makes it.
func defaults(t reflect.Type) reflect.Value {
	v := reflect.New(t)
	if d, ok := v.Interface().(interface{ Default() }); ok {
		d.Default()
	}
	return v.Elem()
}

func (r *renderer) list(name string, v reflect.Value, indent string) string {
	var items []string
	for i := range v.Len() {
		item := renderer{world: r.world, c: r.c}
		item.structure(v.Index(i), name, indent)
		if masked(name, v.Index(i)) {
			continue
		}
		items = append(items, item.String())
	}
	if !r.c.ordered {
		slices.Sort(items)
	}
	return strings.Join(items, "")
}

func (r *renderer) flat(v reflect.Value) string {
	in := renderer{world: r.world, c: r.c}
	in.structure(v, "", "")
	return strings.TrimSpace(strings.ReplaceAll(in.String(), "\n", ";"))
}

var (
	window  = regexp.MustCompile(`within \[-?\d+, \d+\]`)
	address = regexp.MustCompile(`127\.0\.0\.1|broker-\d`)
)

func (r *renderer) value(name string, v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case int16:
		if strings.HasSuffix(name, "ErrorCode") {
			return kerror.Code(x).String()
		}
	case int32:
		if name == "ControllerID" && x > 0 {
			return "a broker"
		}
		if name == "Port" {
			return "a port"
		}
	case int64:
		switch name {
		case "TotalBytes", "UsableBytes":
			return "a number"
		case "ProducerID":
			return "an id"
		case "LogAppendTime", "Timestamp":
			if x > rawTime+1e9 {
				return "now"
			}
		}
	case [16]byte:
		for name, id := range r.world.ids {
			if id == x {
				return "id(" + name + ")"
			}
		}
		return fmt.Sprintf("%x", x[12:])
	case []byte:
		return describeBytes(x)
	case string:
		switch name {
		case "ClusterID":
			return "the cluster's"
		case "Dir":
			return "a folder"
		}
		return fmt.Sprintf("%q", address.ReplaceAllString(window.ReplaceAllString(x, "within [LOW, HIGH]"), "HOST"))
	}
	return strings.ReplaceAll(fmt.Sprint(v.Interface()), "\n", " ")
}

// describeBytes tells which batches a fetch brought.
func describeBytes(data []byte) string {
	var b bytes.Buffer
	for len(data) > 0 {
		batch, err := record.Next(data)
		if err != nil {
			fmt.Fprintf(&b, "[%d bytes more]", len(data))
			break
		}
		fmt.Fprintf(&b, "[%d..%d epoch %d]", batch.BaseOffset(), batch.LastOffset(), batch.PartitionLeaderEpoch())
		data = data[batch.Size():]
	}
	return b.String()
}

// ofItsOwn are broker configs that say where a node runs and how it was set
// up: each cluster has its own.
var ofItsOwn = []string{
	"advertised.listeners", "broker.id", "controller.listener.names", "controller.quorum.voters", "group.initial.rebalance.delay.ms",
	"listeners", "log.dirs", "node.id", "offsets.topic.num.partitions", "offsets.topic.replication.factor", "process.roles",
	"share.coordinator.state.topic.min.isr", "share.coordinator.state.topic.replication.factor",
	"transaction.state.log.min.isr", "transaction.state.log.num.partitions", "transaction.state.log.replication.factor",
}

func masked(list string, v reflect.Value) bool {
	return list == "Configs" && slices.Contains(ofItsOwn, v.FieldByName("Name").String())
}
