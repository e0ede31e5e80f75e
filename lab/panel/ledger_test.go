package panel

import (
	"fmt"
	"strings"
	"testing"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/kittest"
)

// riskLesson has records that all have, and records that the leader has alone.
const riskLesson = `cluster brokers=3
topic create orders partitions=1 replicas=3 min.insync.replicas=2
produce orders value=a count=10 batch=5
tick 2s
stall broker-2
stall broker-3
produce orders value=b acks=1 count=3 batch=1
produce orders value=c acks=0
tick 1s
produce orders/0 value=d acks=all wait=false
tick 1s
`

func TestLedgerTellsWhatIsLost(t *testing.T) {
	s := session(t, riskLesson)
	p := &Ledger{}
	draw := func() string { return text(p, modelOf(s, NoFocus()), 62, 28) }
	got := draw()
	for _, want := range []string{
		"acknowledged 13 records", "lost if broker-1 dies now  3 acknowledged records", "then broker-2 leads, and its log ends at 10",
		"0 – 4", "1 2 3     kept", "1 · ·     lost", "from", "not yet", "nothing", "ok 2.0",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// What it says comes true.
	if _, err := s.Run("kill broker-1\ntick 20s\nresume broker-2\nresume broker-3\ntick 2s\n"); err != nil {
		t.Fatal(err)
	}
	if leo := said(t, s, "orders/0.leo"); leo != "10" {
		t.Fatalf("LEO %s: the heir's log ended at 10", leo)
	}
	got = draw()
	for _, want := range []string{"lost already: 3 acknowledged records", "LOST", "truncated"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// New records take their offsets; those are other records.
	if _, err := s.Run("produce orders value=e count=2\n"); err != nil {
		t.Fatal(err)
	}
	got = draw()
	if !strings.Contains(got, "lost already: 3") || !strings.Contains(got, "acknowledged 15 records") {
		t.Errorf("after two more:\n%s", got)
	}
}

// Every kill: what the ledger says of a leader that dies is what becomes of it.
func TestLedgerComesTrue(t *testing.T) {
	for _, before := range []string{
		"produce orders value=b count=3\n",
		"stall broker-2\nproduce orders value=b acks=1 count=3 batch=1\ntick 1s\n",
		"stall broker-3\nproduce orders value=b acks=1 count=3 batch=1\ntick 1s\n",
		"stall broker-3\nproduce orders value=b acks=1 count=3 batch=1\ntick 50s\n",
		"stall broker-2\nproduce orders value=b acks=1 count=3 batch=1\ntick 50s\n",
		"shutdown broker-2\nstall broker-3\nproduce orders value=b acks=1 count=4 batch=1\n",
	} {
		s := session(t, "cluster brokers=3\ntopic create orders partitions=1 replicas=3 min.insync.replicas=2\nproduce orders value=a count=10\ntick 2s\n"+before)
		p := &Ledger{}
		sight := p.sight(modelOf(s, NoFocus()))
		said, next := sight.atRisk(), sight.next
		if _, err := s.Run("kill broker-1\ntick 20s\n"); err != nil {
			t.Fatal(err)
		}
		sight = p.sight(modelOf(s, NoFocus()))
		if next == 0 {
			if sight.part.Leader >= 0 {
				t.Errorf("%q: broker-%d leads, the ledger said nobody could", before, sight.part.Leader)
			}
			continue
		}
		if sight.part.Leader != next || sight.book.lost != said {
			t.Errorf("%q: said %d lost with broker-%d next, and it is %d with broker-%d", before, said, next, sight.book.lost, sight.part.Leader)
		}
	}
}

// Nobody else in the ISR: the partition waits for its leader's disk.
func TestLedgerWithoutAnHeir(t *testing.T) {
	s := session(t, riskLesson+"shutdown broker-2\nshutdown broker-3\nproduce orders value=e acks=1\n")
	got := text(&Ledger{}, modelOf(s, NoFocus()), 62, 28)
	for _, want := range []string{"nobody else in the ISR is up", "no other copy"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Going back makes another cluster: the book is read anew.
func TestLedgerFollowsAClusterThatWentBack(t *testing.T) {
	s := session(t, riskLesson)
	p := &Ledger{}
	text(p, modelOf(s, NoFocus()), 62, 28)
	mark := s.Mark()
	if _, err := s.Run("produce orders value=x acks=1 count=5\n"); err != nil {
		t.Fatal(err)
	}
	if got := text(p, modelOf(s, NoFocus()), 62, 28); !strings.Contains(got, "acknowledged 18") {
		t.Fatalf("five more:\n%s", got)
	}
	if err := s.Rewind(mark); err != nil {
		t.Fatal(err)
	}
	if got := text(p, modelOf(s, NoFocus()), 62, 28); !strings.Contains(got, "acknowledged 13") {
		t.Errorf("back again:\n%s", got)
	}
}

func TestLedgerKeepsTheAnswer(t *testing.T) {
	s := session(t, riskLesson)
	m := modelOf(s, Focus{Target: None, TargetMs: None, At: "ledger"})
	got := text(&Ledger{}, m, 62, 28)
	for _, hidden := range []string{"3 acknowledged records", "kept", "lost\n", "its log ends"} {
		if strings.Contains(got, hidden) {
			t.Errorf("%q is told\n%s", hidden, got)
		}
	}
}

// The heir is Kafka's choice: assignment order, in the ISR, up.
func TestHeir(t *testing.T) {
	f := behindFake()
	p := &f.view.Topics[1].Partitions[0]
	for _, tt := range []struct {
		change func()
		want   int32
	}{
		{func() {}, 2},
		{func() { p.Replicas = []int32{1, 3, 2} }, 3},
		{func() { f.view.Brokers[2].State = "killed" }, 2},
		{func() { p.Logs[1].InSync = false }, 0},
	} {
		tt.change()
		if id, _ := heir(f.view, p); id != tt.want {
			t.Errorf("broker-%d, want %d", id, tt.want)
		}
	}
	if id, ends := heir(engine.View{}, p); id != 0 || ends != None {
		t.Errorf("%d, %d in a cluster without brokers", id, ends)
	}
}

func TestLedgerGoldens(t *testing.T) {
	s := session(t, riskLesson)
	m := modelOf(s, NoFocus())
	m.Before = engine.View{LastEvent: trace.ID(300)}
	for _, size := range [][2]int{{52, 26}, {62, 28}, {80, 12}, {120, 50}} {
		name := fmt.Sprintf("ledger-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) { kittest.Golden(t, name, drawn(&Ledger{}, m, size[0], size[1])) })
	}
}
