package metadata

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine/record"
)

// kafkaRecords are the values in a metadata log that Kafka 4.4.0 wrote: a
// cluster of one that was formatted, had a topic created with configs and
// deleted again, and a broker config set.
func kafkaRecords(t testing.TB) [][]byte {
	buf, err := os.ReadFile("testdata/kafka-4.4.0.log")
	if err != nil {
		t.Fatal(err)
	}
	var values [][]byte
	for len(buf) > 0 {
		batch, err := record.Next(buf)
		if err != nil {
			t.Fatal(err)
		}
		buf = buf[batch.Size():]
		if batch.IsControl() {
			continue
		}
		records, err := batch.Records()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			values = append(values, r.Value)
		}
	}
	return values
}

// What Kafka wrote is read, and written again to the same bytes where the
// version is one that this engine writes.
func TestMetadataRecordBytes(t *testing.T) {
	same := map[uint64]int{}
	for i, value := range kafkaRecords(t) {
		rec, err := Decode(value)
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		if _, unknown := rec.(*Unknown); unknown {
			continue
		}
		if uint64(value[2]) != rec.version() {
			continue // keys and versions are below 128: one byte each
		}
		if got := Encode(rec); !bytes.Equal(got, value) {
			t.Errorf("record %d, %T:\n got %x\nwant %x", i, rec, got, value)
		}
		same[rec.apiKey()]++
	}
	for _, key := range []uint64{2, 4, 9, 12, 17, 20, 23, 24} {
		if same[key] == 0 {
			t.Errorf("no record with key %d was compared", key)
		}
	}
}

// Replaying Kafka's own log gives the cluster that it describes.
func TestReplayOfKafkasLog(t *testing.T) {
	buf, err := os.ReadFile("testdata/kafka-4.4.0.log")
	if err != nil {
		t.Fatal(err)
	}
	im := NewImage()
	next, err := Replay(im, buf, 0)
	if err != nil {
		t.Fatal(err)
	}
	if next < 20 {
		t.Errorf("replayed up to %d only", next)
	}
	if b := im.Brokers[1]; !b.Fenced || b.Host != "127.0.0.1" || b.Port != 19092 { // fenced as it shut down
		t.Errorf("broker 1 is %+v", im.Brokers[1])
	}
	if len(im.Topics()) != 0 {
		t.Errorf("the deleted topic is still there: %v", im.Topics())
	}
	if im.Features["metadata.version"] != 33 {
		t.Errorf("features %v", im.Features)
	}
	if got := im.BrokerConfigs(1)["log.retention.ms"]; got != "5000" {
		t.Errorf("log.retention.ms of broker 1 is %q", got)
	}
}

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		ids := rapid.SliceOf(rapid.Int32Range(-1, 9))
		name := rapid.String().Draw(t, "name")
		leader := rapid.Int32().Draw(t, "leader")
		for _, rec := range []Record{
			&Topic{Name: name, ID: id},
			&Partition{PartitionID: 7, TopicID: id, Replicas: ids.Draw(t, "replicas"), Isr: ids.Draw(t, "isr"), Leader: leader, LeaderEpoch: 3, PartitionEpoch: 4, Directories: [][16]byte{id}},
			&PartitionChange{PartitionID: 1, TopicID: id, Isr: ids.Draw(t, "isr"), Leader: &leader},
			&RegisterBroker{BrokerID: 4, IncarnationID: id, BrokerEpoch: 99, EndPoints: []EndPoint{{"A", name, 9092}}, Features: []Feature{{name, 0, 1}}, Rack: &name, Fenced: true, LogDirs: [][16]byte{id}},
			&BrokerRegistrationChange{BrokerID: 4, BrokerEpoch: 99, Fenced: -1},
			&BrokerRegistrationChange{BrokerID: 4, BrokerEpoch: 99, Leaving: true},
			&ProducerIDs{BrokerID: 1, BrokerEpoch: 7, NextProducerID: 1000},
			&Config{ResourceType: ResourceTopic, ResourceName: name, Name: "retention.ms", Value: &name},
		} {
			value := Encode(rec)
			back, err := Decode(value)
			if err != nil {
				t.Fatalf("%T: %v", rec, err)
			}
			if again := Encode(back); !bytes.Equal(again, value) {
				t.Fatalf("%T: %x came back as %x", rec, value, again)
			}
		}
	})
}

func TestImageFollowsPartitionChanges(t *testing.T) {
	im, id := NewImage(), [16]byte{1}
	two := int32(2)
	for _, rec := range []Record{
		&Topic{Name: "t", ID: id},
		&Partition{TopicID: id, Replicas: []int32{1, 2}, Isr: []int32{1, 2}, Leader: 1},
		&PartitionChange{TopicID: id, Isr: []int32{1}},
		&PartitionChange{TopicID: id, Leader: &two},
	} {
		im.Apply(rec)
	}
	p := im.Partition(id, 0)
	if p.Leader != 2 || p.LeaderEpoch != 1 || p.PartitionEpoch != 2 || !slices.Equal(p.Isr, []int32{1}) {
		t.Errorf("partition %+v: an ISR change raises the partition epoch only, a leader both", *p)
	}
}

func FuzzDecode(f *testing.F) {
	for _, v := range kafkaRecords(f) {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		rec, err := Decode(value)
		if err != nil {
			return
		}
		if _, unknown := rec.(*Unknown); unknown {
			return
		}
		if _, err := Decode(Encode(rec)); err != nil {
			t.Errorf("%T was read and cannot be read again once written: %v", rec, err)
		}
	})
}
