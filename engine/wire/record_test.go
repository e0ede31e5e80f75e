package wire

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafkalab/engine/console"
	"kafkalab/engine/trace"
)

// lines is a trace as text, one event a line.
func lines(t *testing.T, events []trace.Event) []string {
	t.Helper()
	var out []string
	for _, e := range events {
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}

// What was recorded while real clients came and went gives the same trace when
// it is run: every event at its time, with its cause.
func TestRecordingGivesTheSameTrace(t *testing.T) {
	for name, script := range map[string]string{
		"plain":  "topic create t partitions=3 replicas=3 index.interval.bytes=200",
		"slow":   "cluster brokers=3 seed=7 racks=a,b log.retention.ms=600000\ntopic create t partitions=3 replicas=3\nslow broker-1 broker-2 3ms\nproduce t count=3 value='a b' wait=false",
		"killed": "topic create t partitions=3 replicas=3\nkill broker-3\ntick 10s",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "record.lab")
			s := serveOn(t, script, func(o *ServeOptions) { o.Record, o.Keep = file, 0 })
			program(t, s)
			if err := s.stops(); err != nil {
				t.Fatal(err)
			}
			live := lines(t, s.session.Cluster().EventsSince(0))
			now := s.session.Cluster().Now()
			s.shutDown()

			recorded, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			again := console.NewSession(console.Options{})
			if _, err := again.Run(string(recorded)); err != nil {
				t.Fatal(err)
			}
			if again.Cluster().Now() != now {
				t.Errorf("the run ends at %d, the recording at %d", again.Cluster().Now(), now)
			}
			compare(t, live, lines(t, again.Cluster().EventsSince(0)))
			if n := bytes.Count(recorded, []byte("\narrive ")); n < 20 {
				t.Errorf("only %d arrivals were recorded", n)
			}
		})
	}
}

func compare(t *testing.T, live, again []string) {
	t.Helper()
	if len(live) < 100 {
		t.Errorf("only %d events", len(live))
	}
	for i := range live {
		if i >= len(again) || live[i] != again[i] {
			t.Fatalf("event %d of %d and %d differs:\n%s\n%s", i, len(live), len(again), live[i], strings.Join(again[min(i, len(again)):min(i+1, len(again))], ""))
		}
	}
	if len(again) != len(live) {
		t.Errorf("%d events live, %d when run again", len(live), len(again))
	}
}

// program is a client as people write them.
func program(t *testing.T, s *served) {
	t.Helper()
	cl := s.client(kgo.RecordPartitioner(kgo.RoundRobinPartitioner()))
	for i := range 50 {
		r := written("t", i)
		if err := cl.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	s.readAll("t", 50)
	adm := kadm.NewClient(cl)
	if _, err := adm.CreateTopic(t.Context(), 2, 1, nil, "made"); err != nil {
		t.Fatal(err)
	}
	if _, err := adm.ListEndOffsets(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	cl.Close()
	s.works()
	bad := s.dial(1)
	bad.send([]byte{0, 0, 0, 2, 9, 9})
	bad.closedByPeer("garbage")
}
