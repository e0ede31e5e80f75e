package wire

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// What clients wrote is on the disk after a shutdown, which was a clean one,
// and the next life of the cluster serves it.
func TestShutdownKeepsData(t *testing.T) {
	dir := t.TempDir()
	inDir := func(o *ServeOptions) { o.DataDir = dir }
	s := serveOn(t, "topic create t partitions=3 replicas=3", inDir)
	cl := s.client(kgo.RecordPartitioner(kgo.ManualPartitioner()))
	for i := range 300 {
		cl.Produce(t.Context(), written("t", i), nil)
	}
	if err := cl.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := ServeOptions{Address: Address{Host: "127.0.0.1"}, Edge: DefaultOptions(), Clock: SystemClock(), DataDir: dir}
	if err := Serve(t.Context(), other, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second process on the folder: %v", err)
	}
	cl.Close()
	s.shutDown()
	for _, node := range []string{"broker-1", "broker-2", "broker-3"} {
		if _, err := os.Stat(filepath.Join(dir, node, ".kafka_cleanshutdown")); err != nil {
			t.Error(err)
		}
	}
	again := serveOn(t, "", inDir)
	if got := again.readAll("t", 300); len(got) != 300 {
		t.Errorf("%d records", len(got))
	}
}

// Serve ends without an error when it is told to, and its ports are free then.
func TestServeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pr := &lineWriter{lines: make(chan string, 10)}
	ended := make(chan error, 1)
	o := ServeOptions{Address: Address{Host: "127.0.0.1"}, Brokers: 2, Edge: DefaultOptions(), Clock: SystemClock()}
	go func() { ended <- Serve(ctx, o, pr) }()
	line := <-pr.lines
	addrs, ok := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	if !ok || strings.Count(addrs, ",") != 1 {
		t.Fatalf("it says %q", line)
	}
	first, _, _ := strings.Cut(addrs, ",")
	c, err := net.Dial("tcp", first)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	(&raw{c, t}).closedByPeer("after the shutdown")
	l, err := net.Listen("tcp", first)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}

type lineWriter struct{ lines chan string }

func (w *lineWriter) Write(b []byte) (int, error) {
	w.lines <- string(b)
	return len(b), nil
}

// What keeps a cluster from serving is told, and nothing is left behind.
func TestServeRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	used := t.TempDir()
	if err := os.MkdirAll(filepath.Join(used, "broker-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(used, "broker-1", "meta.properties"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		edit       func(*ServeOptions)
	}{
		{"port taken", "address already in use", func(o *ServeOptions) { o.Address.Port = taken.Addr().(*net.TCPAddr).Port }},
		{"unknown verb", "s.lab:2: produec is no command; did you mean produce?", func(o *ServeOptions) { o.Script = "note a\nproduec t" }},
		{"failed expectation", "s.lab:1: expected time == 5, got 0", func(o *ServeOptions) { o.Script = "expect time == 5" }},
		{"recording of a folder with data", "has data", func(o *ServeOptions) { o.DataDir, o.Record = used, filepath.Join(used, "r") }},
		{"recording to nowhere", "no such file", func(o *ServeOptions) { o.Record = filepath.Join(used, "no", "r") }},
	} {
		o := ServeOptions{Address: Address{Host: "127.0.0.1"}, Brokers: 1, Edge: DefaultOptions(), Clock: SystemClock(), ScriptName: "s.lab"}
		c.edit(&o)
		if err := Serve(t.Context(), o, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if !errors.Is(func() error {
		o := ServeOptions{Address: Address{Host: "127.0.0.1"}, Brokers: 1, Edge: DefaultOptions(), Clock: SystemClock(), Script: "expect time == 5"}
		return Serve(t.Context(), o, &bytes.Buffer{})
	}(), ErrExpectation) {
		t.Error("a failed expectation is not told apart")
	}
}

// A broker that is down does not listen; its connections have been reset.
func TestBrokerThatIsDownDoesNotListen(t *testing.T) {
	s := serveOn(t, "topic create t replicas=3\nshutdown broker-2", nil)
	if c, err := net.Dial("tcp", s.addrs[1]); err == nil {
		_ = c.Close()
		t.Error("broker-2 listens")
	}
	s.works()
}

// The port of a broker that has gone down refuses, and takes connections again
// when it is back.
func TestListenerFollowsItsBroker(t *testing.T) {
	e := NewEdge(DefaultOptions())
	defer e.Close()
	addrs, err := e.Listen("127.0.0.1", 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	e.Accept()
	for _, up := range []bool{false, false, true, true} {
		if err := e.SetUp(2, up); err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", addrs[1])
		if (err == nil) != up {
			t.Fatalf("up is %v: %v", up, err)
		}
		if err == nil {
			if a := <-e.Arrivals(); a.Kind != Opened || a.Broker != 2 {
				t.Errorf("%+v", a)
			}
			_ = c.Close()
			if a := <-e.Arrivals(); a.Kind != Closed {
				t.Errorf("%+v", a)
			}
		}
	}
}
