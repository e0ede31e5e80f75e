package console

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kafkalab/engine"
)

// ran is a session in which some lines were run.
func ran(t *testing.T, lines ...string) *Session {
	t.Helper()
	s := NewSession(Options{})
	for _, line := range lines {
		if _, err := s.Exec(line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return s
}

// told are a cluster's events as lines.
func told(c *engine.Cluster) (lines []string) {
	for _, e := range c.EventsSince(0) {
		lines = append(lines, e.Line())
	}
	return lines
}

// What nobody has typed is in the journal without a text; the line that it gets
// does the same.
func TestJournalLines(t *testing.T) {
	s := ran(t, "topic create t replicas=3")
	for _, cmd := range []engine.Command{
		engine.Connect{Conn: "conn-1", Broker: 2}, engine.Tick{Ms: 17}, engine.Arrive{Conn: "conn-1", Frame: []byte{0, 18, 0, 0, 0, 0, 0, 7, 255, 255}},
		engine.Tick{Ms: 2}, engine.Disconnect{Conn: "conn-1"}, engine.Tick{Ms: 60_000},
	} {
		if _, _, err := s.Timeline().Do(cmd, ""); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for _, e := range s.Timeline().Journal() {
		lines = append(lines, JournalLine(e))
	}
	want := "topic create t replicas=3|connect conn-1 broker-2|tick 17ms|arrive conn-1 0012000000000007ffff|tick 2ms|disconnect conn-1|tick 60000ms"
	if got := strings.Join(lines, "|"); got != want {
		t.Fatalf("%s\nwant %s", got, want)
	}
	if d := cmp.Diff(told(s.Cluster()), told(ran(t, lines...).Cluster())); d != "" {
		t.Errorf("the lines lead elsewhere:\n%s", d)
	}
	if got := JournalLine(engine.Entry{Command: engine.Settle{}}); got != "" {
		t.Errorf("a command that has to have a text: %q", got)
	}
}

// On another day everything happens as it did; only the records' times are
// others.
func TestRedate(t *testing.T) {
	s := ran(t, "topic create t replicas=3 internal.segment.bytes=200", "produce t count=3 batch=1", "tick 5s", "stall broker-3", "tick 1m")
	line := s.Timeline()
	before, mark := told(line.Cluster()), s.Mark()
	first := func() int64 {
		return line.Cluster().Batches(engine.ReplicaName{Topic: "t", Broker: 1}, 0, 1)[0].MaxTimestamp
	}
	was := first()
	const later = 123_456_789_000
	if err := line.Redate(engine.Epoch + later); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, told(line.Cluster())); d != "" {
		t.Errorf("another day, another story:\n%s", d)
	}
	if got := first(); got != was+later {
		t.Errorf("the first batch is of %d, want %d", got, was+later)
	}
	if err := line.GoTo(3); err != nil || line.Cluster().Options().Start != engine.Epoch+later {
		t.Errorf("the past is of another day: %v", err)
	}
	if err := line.GoTo(line.Last()); err != nil {
		t.Fatal(err)
	}
	if err := s.Rewind(mark); err != nil || len(told(line.Cluster())) != len(before) {
		t.Errorf("a mark does not hold: %v", err)
	}
}

// Records with times of their own may not be taken to another day; the timeline
// then stays what it was.
func TestRedateRefused(t *testing.T) {
	s := ran(t, "topic create t replicas=3", "produce t timestamp=1767225600000", "tick 1s")
	line := s.Timeline()
	cluster := line.Cluster()
	if err := line.Redate(engine.Epoch - 3*3_600_000); !errors.Is(err, engine.ErrDates) {
		t.Fatalf("a record three hours ahead: %v", err)
	}
	if line.Cluster() != cluster || cluster.Options().Start != engine.Epoch || len(line.Journal()) != 3 {
		t.Error("the timeline is another one after a refusal")
	}
	if _, err := s.Exec("produce t"); err != nil {
		t.Error(err)
	}
}
