package trace_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"

	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// flat are a message's fields as lines: path, value.
func flat(path string, fields []trace.WireField) (lines []string) {
	for _, f := range fields {
		at := path + "." + f.Name
		if strings.HasPrefix(f.Name, "[") {
			at = path + f.Name
		}
		at = strings.TrimPrefix(at, ".")
		lines = append(lines, at+"="+f.Value)
		lines = append(lines, flat(at, f.Fields)...)
	}
	return lines
}

func request(req kmsg.Request) trace.Message {
	return trace.Message{API: sim.APIName(req.Key()), Key: req.Key(), Version: req.GetVersion(), Payload: sim.EncodeRequest(req, 7, "app")}
}

func response(resp kmsg.Response) trace.Message {
	return trace.Message{API: sim.APIName(resp.Key()), Key: resp.Key(), Version: resp.GetVersion(), Response: true, Payload: sim.EncodeResponse(resp, 7)}
}

func TestFieldsOfAFetch(t *testing.T) {
	req := kmsg.NewPtrFetchRequest()
	req.SetVersion(17)
	req.MaxWaitMillis, req.MinBytes, req.SessionEpoch = 500, 1, -1
	req.ReplicaState.ID, req.ReplicaState.Epoch = 2, 40
	topic := kmsg.NewFetchRequestTopic()
	topic.TopicID[15] = 1
	part := kmsg.NewFetchRequestTopicPartition()
	part.CurrentLeaderEpoch, part.FetchOffset, part.PartitionMaxBytes = 3, 1085, 1<<20
	topic.Partitions = append(topic.Partitions, part)
	req.Topics = append(req.Topics, topic)
	fields, err := request(req).Fields()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(flat("", fields), "\n")
	for _, want := range []string{
		"Size=", "RequestApiKey=1\n", "RequestApiVersion=17\n", "CorrelationId=7\n", "ClientId=app\n_tagged_fields=0\nMaxWaitMs=500\nMinBytes=1\n",
		"SessionEpoch=-1\nTopics=1\nTopics[0]=\nTopics[0].TopicId=AAAAAAAAAAAAAAAAAAAAAQ\nTopics[0].Partitions=1\n",
		"Topics[0].Partitions[0].CurrentLeaderEpoch=3\nTopics[0].Partitions[0].FetchOffset=1085\nTopics[0].Partitions[0].LastFetchedEpoch=-1\n",
		"ForgottenTopicsData=0\nRackId=\n_tagged_fields=1\n_tagged_fields.ReplicaState=\n_tagged_fields.ReplicaState.ReplicaId=2\n_tagged_fields.ReplicaState.ReplicaEpoch=40",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\nReplicaId=") {
		t.Error("version 17 has no ReplicaId of its own")
	}
	if fields[1].Note != "Fetch" || fields[0].Number() != int64(len(request(req).Payload)) {
		t.Errorf("%+v", fields[:2])
	}
}

func TestNullsAndOldVersions(t *testing.T) {
	req := kmsg.NewPtrMetadataRequest()
	req.SetVersion(8) // not flexible: lengths of two and four bytes
	req.Topics = nil
	fields, err := request(req).Fields()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(flat("", fields), "\n")
	if !strings.Contains(got, "ClientId=app\nTopics=null\nAllowAutoTopicCreation=false") || strings.Contains(got, trace.TaggedFields) {
		t.Error(got)
	}
	for _, f := range fields {
		if f.Name == "Topics" && (!f.Null() || f.Size != 4) {
			t.Errorf("%+v", f)
		}
	}
	resp := kmsg.NewPtrProduceResponse()
	resp.SetVersion(13)
	part := kmsg.NewProduceResponseTopicPartition()
	part.ErrorCode = 19
	resp.Topics = []kmsg.ProduceResponseTopic{{Partitions: []kmsg.ProduceResponseTopicPartition{part}}}
	if fields, err = response(resp).Fields(); err != nil {
		t.Fatal(err)
	}
	code, _ := fields[3].Fields[0].Get("PartitionResponses")
	code, _ = code.Fields[0].Get("ErrorCode")
	if code.Number() != 19 || code.Note != "NOT_ENOUGH_REPLICAS" {
		t.Errorf("%+v in %s", code, strings.Join(flat("", fields), "\n"))
	}
}

// fill puts something into every field of a struct of kmsg's.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Version" && name != "UnknownTags" && v.Field(i).CanSet() {
				fill(t, v.Field(i), depth)
			}
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "n")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).SetUint(uint64(rapid.Byte().Draw(t, "byte")))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "there") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth)
		}
	case reflect.String:
		v.SetString(rapid.StringMatching(`[a-z]{0,4}`).Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float"))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64Range(-1, 100).Draw(t, "int"))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(rapid.IntRange(0, 100).Draw(t, "uint")))
	}
}

// covered tells that each byte has one field that has no others in it, and that
// fields lie where the one before ends.
func covered(fields []trace.WireField, at, end int) error {
	for _, f := range fields {
		if f.At != at || f.Size < 0 || f.At+f.Size > end {
			return fmt.Errorf("%s at %d has %d bytes; it should begin at %d, and all ends at %d", f.Name, f.At, f.Size, at, end)
		}
		at += f.Size
		if n := len(f.Fields); n > 0 {
			if err := covered(f.Fields, f.Fields[0].At, f.At+f.Size); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			if f.Fields[0].At < f.At {
				return fmt.Errorf("%s begins before what it is in", f.Fields[0].Name)
			}
		}
	}
	if at != end {
		return fmt.Errorf("the last field ends at %d of %d", at, end)
	}
	return nil
}

// differ are the messages that kmsg writes other than Kafka's definitions say,
// or in versions that Kafka 4.4 does not have.
func known(m trace.Message) bool {
	_, err := m.Fields()
	return err == nil || !strings.Contains(err.Error(), "are known") && !strings.Contains(err.Error(), "no message has key")
}

// Every message of kmsg's, in every version that Kafka 4.4 has, is read to its
// last byte: two descriptions of the protocol agree.
func TestEveryMessageIsReadWhole(t *testing.T) {
	seen := 0
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		req := kmsg.RequestForKey(key)
		if req == nil {
			continue
		}
		for version := int16(0); version <= req.MaxVersion(); version++ {
			req.SetVersion(version)
			resp := req.ResponseKind()
			resp.SetVersion(version)
			if !known(request(req)) || !known(response(resp)) {
				continue
			}
			seen++
			t.Run(fmt.Sprintf("%s-%d", kmsg.NameForKey(key), version), rapid.MakeCheck(func(t *rapid.T) {
				req, resp := kmsg.RequestForKey(key), kmsg.ResponseForKey(key)
				fill(t, reflect.ValueOf(req).Elem(), 0)
				fill(t, reflect.ValueOf(resp).Elem(), 0)
				req.SetVersion(version)
				resp.SetVersion(version)
				for _, m := range []trace.Message{request(req), response(resp)} {
					fields, err := m.Fields()
					if err == nil {
						err = covered(fields, 0, 4+len(m.Payload))
					}
					if err != nil {
						t.Fatalf("response %v: %v\n% x\n%s", m.Response, err, m.Payload, strings.Join(flat("", fields), "\n"))
					}
				}
			}))
		}
	}
	if seen < 300 {
		t.Errorf("only %d messages were read", seen)
	}
}

// The request in an Envelope is taken apart too, and its fields lie where they
// stand in the whole.
func TestEnvelopedRequest(t *testing.T) {
	create := kmsg.NewPtrCreateTopicsRequest()
	create.SetVersion(7)
	create.TimeoutMillis = 30_000
	envelope := kmsg.NewPtrEnvelopeRequest()
	envelope.RequestData = sim.EncodeRequest(create, 4, "admin")
	m := request(envelope)
	fields, err := m.Fields()
	if err == nil {
		err = covered(fields, 0, 4+len(m.Payload))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		if f.Name != "RequestData" {
			continue
		}
		timeout, ok := f.Get("timeoutMs")
		if !ok || timeout.Number() != 30_000 || binary.BigEndian.Uint32(m.Wire()[timeout.At:]) != 30_000 {
			t.Errorf("%+v in %s", timeout, strings.Join(flat("", fields), "\n"))
		}
		return
	}
	t.Error("no RequestData")
}

func TestDamagedMessages(t *testing.T) {
	whole := request(kmsg.NewPtrFetchRequest())
	whole.Version = 17
	binary.BigEndian.PutUint16(whole.Payload[2:], 17)
	for _, c := range []struct {
		m    trace.Message
		want string
	}{
		{trace.Message{Key: 1, Version: 17}, "not kept"},
		{trace.Message{Key: 999, Payload: []byte{1}}, "no message has key 999"},
		{trace.Message{Key: 1, Version: 99, Payload: []byte{1}}, "Fetch version 99: 4 to 18 are known"},
		{trace.Message{Key: 1, Version: 17, Payload: []byte{0, 1, 0}}, "at byte 6: RequestApiVersion needs 2 bytes, 1 are left"},
	} {
		fields, err := c.m.Fields()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q; %v", err, c.want, fields)
		}
	}
}

func FuzzFields(f *testing.F) {
	req := kmsg.NewPtrFetchRequest()
	req.SetVersion(17)
	f.Add(int16(1), int16(17), false, request(req).Payload)
	f.Add(int16(18), int16(3), true, []byte{0, 0, 0, 7, 0, 0, 2, 0, 0})
	f.Add(int16(3), int16(13), true, []byte{0, 0, 0, 7, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, key, version int16, resp bool, payload []byte) {
		m := trace.Message{Key: key, Version: version, Response: resp, Payload: payload}
		fields, err := m.Fields()
		if err == nil {
			if err := covered(fields, 0, 4+len(payload)); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range fields {
			trace.Batches(f.Data)
		}
	})
}
