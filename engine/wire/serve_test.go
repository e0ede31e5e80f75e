package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
)

// served is a cluster that serves on loopback for one test.
type served struct {
	*server
	t     *testing.T
	addrs []string
	stops func() error // ends the pump, not the cluster
	end   sync.Once
}

// serveOn starts a cluster; edit may change the options. It is shut down when
// the test ends.
func serveOn(t *testing.T, script string, edit func(*ServeOptions)) *served {
	t.Helper()
	o := ServeOptions{Address: Address{Host: "127.0.0.1"}, Script: script, ScriptName: "test.lab", Edge: DefaultOptions(), Clock: SystemClock(), Keep: KeptEvents}
	if edit != nil {
		edit(&o)
	}
	var out bytes.Buffer
	s := &served{server: &server{ServeOptions: o, out: &out}, t: t}
	if err := s.start(); err != nil {
		t.Fatal(errors.Join(err, s.stop(err)))
	}
	for line := range strings.Lines(out.String()) {
		if addrs, ok := strings.CutPrefix(strings.TrimSpace(line), "ready "); ok {
			s.addrs = strings.Split(addrs, ",")
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.pump.Run(ctx) }()
	s.stops = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(s.shutDown)
	return s
}

// shutDown ends it as Serve does.
func (s *served) shutDown() {
	s.end.Do(func() {
		err := s.stops()
		if err := errors.Join(err, s.stop(err)); err != nil {
			s.t.Error(err)
		}
	})
}

// raw is a connection without a client library.
type raw struct {
	net.Conn
	t *testing.T
}

func (s *served) dial(broker int) *raw {
	s.t.Helper()
	c, err := net.Dial("tcp", s.addrs[broker-1])
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return &raw{c, s.t}
}

func framed(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}

func (r *raw) send(b []byte) {
	r.t.Helper()
	if _, err := r.Write(b); err != nil {
		r.t.Fatal(err)
	}
}

func (r *raw) ask(req kmsg.Request, corr int32) {
	r.t.Helper()
	r.send(framed(sim.EncodeRequest(req, corr, "test")))
}

// answer reads one answer's bytes, without the length.
func (r *raw) answer() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	b := make([]byte, binary.BigEndian.Uint32(length[:]))
	_, err := io.ReadFull(r, b)
	return b, err
}

// response reads the answer to a request.
func response[R kmsg.Response](r *raw, req kmsg.Request, corr int32) R {
	r.t.Helper()
	b, err := r.answer()
	if err != nil {
		r.t.Fatal(err)
	}
	resp, got, err := sim.DecodeResponse(b, req.Key(), req.GetVersion())
	if err != nil {
		r.t.Fatal(err)
	}
	if got != corr {
		r.t.Fatalf("the answer has correlation id %d, want %d", got, corr)
	}
	return resp.(R)
}

// closedByPeer fails unless the connection ends now without another byte.
func (r *raw) closedByPeer(what string) {
	r.t.Helper()
	if err := r.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		r.t.Fatal(err)
	}
	var timeout net.Error
	if b, err := r.answer(); err == nil {
		r.t.Errorf("%s: answered with %x", what, b)
	} else if errors.As(err, &timeout) && timeout.Timeout() {
		r.t.Errorf("%s: the connection stays open", what)
	}
}

func versionsRequest(version int16) *kmsg.ApiVersionsRequest {
	req := kmsg.NewPtrApiVersionsRequest()
	req.Version, req.ClientSoftwareName, req.ClientSoftwareVersion = version, "test", "1"
	return req
}

// works fails unless another client is served.
func (s *served) works() {
	s.t.Helper()
	c := s.dial(1)
	defer c.Close()
	req := versionsRequest(3)
	c.ask(req, 7)
	if resp := response[*kmsg.ApiVersionsResponse](c, req, 7); resp.ErrorCode != 0 || len(resp.ApiKeys) < 10 {
		s.t.Errorf("another client is told %d and %d keys", resp.ErrorCode, len(resp.ApiKeys))
	}
}
