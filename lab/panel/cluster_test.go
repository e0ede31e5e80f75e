package panel

import (
	"strings"
	"testing"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/kittest"
)

func engineReplica() engine.ReplicaName {
	return engine.ReplicaName{Topic: "orders", Broker: 1}
}

// seekLesson is the cluster of the lesson on seeks.
const seekLesson = `cluster brokers=1
topic create orders partitions=1 replicas=1 internal.segment.bytes=110100
produce orders size=95 count=1000 batch=10
tick 10m
produce orders size=95 count=1000 batch=10
tick 10m
produce orders size=95 count=350 batch=10
consume orders/0 from=1085 max=1
`

// session runs a script.
func session(t testing.TB, script string) *console.Session {
	t.Helper()
	s := console.NewSession(console.Options{})
	outs, err := s.Run(script)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outs {
		if o.Err != nil {
			t.Fatalf("%+v", o)
		}
	}
	return s
}

// modelOf is what a screen makes of a real cluster.
func modelOf(s *console.Session, focus Focus) Model {
	if focus.Replica.Topic == "" {
		focus.Replica.Topic = "orders"
	}
	return Model{Reader: s.Cluster(), View: s.Cluster().View(), Focus: focus}
}

// said is a path's number as the panels write it.
func said(t *testing.T, s *console.Session, path string) string {
	t.Helper()
	v, err := s.Eval(path)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := v.Float(); ok {
		return cell.Thin(int64(n))
	}
	return v.String()
}

// The panels of a real cluster tell the numbers that its paths tell.
func TestPanelsOfARealCluster(t *testing.T) {
	s := session(t, seekLesson)
	m := modelOf(s, seek(1085))
	entry := strings.Split(said(t, s, "orders/0@1.seek(1085).entry"), ":")
	position := said(t, s, "orders/0@1.seek(1085).position")
	for _, tt := range []struct {
		panel string
		focus Focus
		want  []string
	}{
		{"index", seek(1085), []string{
			"read " + said(t, s, "orders/0@1.seek(1085).scanned") + " headers", "at byte " + position,
			said(t, s, "orders/0@1.index_entries(1000)") + " entries, 8 bytes each", "0000000000000000" + "1000.index",
			entry[0] + "      4 404   the floor of 85",
		}},
		{"log", NoFocus(), []string{
			"LEO " + said(t, s, "orders/0.leo"), "HW " + said(t, s, "orders/0.hw"), "index entries " + said(t, s, "orders/0@1.index_entries(2000)"),
			"2 340 – 2 349",
		}},
		{"bytes", seek(1085), []string{
			"batch 1 080 – 1 089", "byte " + position, "baseOffset", "1 101 B at byte " + position, "index entry 0",
		}},
		{"sequence", NoFocus(), []string{"reader", "b1 ", "──►│ Fetch v17", "Fetch response   broker-1 → reader"}},
		{"events", NoFocus(), []string{"› consume orders/0 from=1085 max=1", "finds 1 085 of orders/0: segment 1 000"}},
	} {
		m.Focus = tt.focus
		m.Focus.Replica.Topic = "orders"
		got := text(made(t, tt.panel), m, 62, 28)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", tt.panel, want, got)
			}
		}
	}
	c := canvas.New(62, 28)
	(&Index{}).Draw(c.Region(), modelOf(s, seek(1085)))
	kittest.Golden(t, "cluster-index-62x28", c)
}

// Every offset of a real log, and one beyond it on each side: the panel and the
// engine agree on whether there is something to read.
func TestIndexOfARealClusterAtEveryOffset(t *testing.T) {
	s := session(t, seekLesson+"truncate orders/0 before=15\n")
	leo := s.Cluster().View().Topics[0].Partitions[0].LEO
	for target := int64(0); target <= leo+1; target += 7 {
		m := modelOf(s, seek(target))
		got := text(&Index{}, m, 62, 28)
		v, err := s.Eval("orders/0@1.seek(" + cellDigits(target) + ").scanned")
		if err != nil {
			t.Fatal(err)
		}
		refused := strings.Contains(got, "OFFSET_OUT_OF_RANGE")
		if refused != v.IsNone() {
			t.Fatalf("offset %d: the engine says %v, the panel\n%s", target, v, got)
		}
		if n, ok := v.Float(); ok && !strings.Contains(got, "read "+count(int64(n), "header")) {
			t.Fatalf("offset %d: the engine reads %v headers, the panel\n%s", target, v, got)
		}
	}
}

func cellDigits(n int64) string { return strings.ReplaceAll(cell.Thin(n), " ", "") }
