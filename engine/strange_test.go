package engine

import (
	"reflect"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"

	"kafkalab/engine/sim"
)

// Whatever is in the fields of a request, in whichever version, a broker
// answers it, and the cluster goes on.
func TestStrangeRequests(t *testing.T) {
	keys := servedKeys(t)
	rapid.Check(t, func(rt *rapid.T) {
		c := newProbed(t, Defaults())
		c.create("t", 2, 3)
		for range rapid.IntRange(1, 12).Draw(rt, "requests") {
			k := rapid.SampledFrom(keys).Draw(rt, "key")
			req := kmsg.RequestForKey(k.ApiKey)
			req.SetVersion(rapid.Int16Range(k.MinVersion, k.MaxVersion).Draw(rt, "version"))
			fill(rt, reflect.ValueOf(req).Elem(), c.topicID("t"))
			to := rapid.SampledFrom([]sim.NodeID{"broker-1", "broker-2"}).Draw(rt, "to")
			if p, ok := req.(*kmsg.ProduceRequest); ok && p.Acks == 0 {
				c.send(to, sim.ConnClient, req)
				c.tick(10)
				continue
			}
			if resp := c.ask(to, req); resp == nil {
				rt.Fatalf("%T has no answer", req)
			}
			if c.controller.Image().Topic("t") == nil {
				break // it was deleted; its id is gone
			}
		}
		c.tick(5000)
		if err := c.Err(); err != nil {
			rt.Fatal(err)
		}
	})
}

// servedKeys is what a broker says it serves, Produce without the versions that
// it only lists.
func servedKeys(t *testing.T) []kmsg.ApiVersionsResponseApiKey {
	req := kmsg.NewPtrApiVersionsRequest()
	req.Version, req.ClientSoftwareName, req.ClientSoftwareVersion = 4, "lab", "1"
	keys := newProbed(t, Defaults()).ask("broker-1", req).(*kmsg.ApiVersionsResponse).ApiKeys
	for i := range keys {
		if keys[i].ApiKey == 0 {
			keys[i].MinVersion = 3
		}
	}
	return keys
}

var (
	strangeWords = []string{"", "t", "t", "t", "nosuch", "bad name", "1", "2", "9", "x", "retention.ms", "cleanup.policy", "5", "compact", "__consumer_offsets", "__cluster_metadata", "log.retention.ms"}
	strangeInts  = []int64{-3, -2, -1, 0, 0, 0, 1, 1, 2, 3, 8, 200, 1 << 31, 1<<63 - 1, -1 << 63}
	strangeBytes = [][]byte{nil, {}, []byte("hello"), make([]byte, 61), rawBatch(2, nil), rawBatch(1, nil)[:50], append(rawBatch(1, nil), rawBatch(1, nil)...), broken(rawBatch(1, nil), atCRC, 1, 2, 3, 4)}
)

// fill puts something into every field. Times to wait are kept short.
func fill(t *rapid.T, v reflect.Value, id [16]byte) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Name == "Version" || f.Name == "UnknownTags" || !f.IsExported():
		case strings.Contains(f.Name, "Millis"):
			v.Field(i).SetInt(rapid.Int64Range(-1, 300).Draw(t, f.Name))
		default:
			fillValue(t, v.Field(i), f.Name, id)
		}
	}
}

func fillValue(t *rapid.T, v reflect.Value, name string, id [16]byte) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.SampledFrom(strangeWords).Draw(t, name))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, name))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.SampledFrom(strangeInts).Draw(t, name))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, name+" set") {
			v.Set(reflect.New(v.Type().Elem()))
			fillValue(t, v.Elem(), name, id)
		}
	case reflect.Struct:
		fill(t, v, id)
	case reflect.Array:
		if rapid.Bool().Draw(t, name+" known") {
			v.Set(reflect.ValueOf(id))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(rapid.SampledFrom(strangeBytes).Draw(t, name))
			return
		}
		n := rapid.IntRange(-1, 2).Draw(t, name+" length")
		if n < 0 {
			return // null, where that can be
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillValue(t, v.Index(i), name, id)
		}
	}
}
