package wire

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// Whatever a connection sends that is no request ends it, and nothing else.
func TestBadBytesEndTheirConnectionOnly(t *testing.T) {
	s := serveOn(t, "topic create t replicas=3", nil)
	request := func(key, version int16, rest ...byte) []byte {
		b := binary.BigEndian.AppendUint16(nil, uint16(key))
		b = binary.BigEndian.AppendUint16(b, uint16(version))
		return framed(append(append(b, 0, 0, 0, 1), rest...))
	}
	for _, c := range []struct {
		name string
		sent []byte
	}{
		{"negative length", []byte{0xff, 0xff, 0xff, 0xff, 1, 2}},
		{"length above the limit", binary.BigEndian.AppendUint32(nil, MaxFrame+1)},
		{"another protocol", []byte("GET / HTTP/1.1\r\nHost: kafka\r\n\r\n")},
		{"empty frame", framed(nil)},
		{"header cut short", framed([]byte{0, 18, 0, 3})},
		{"client id longer than the frame", request(18, 3, 0x7f, 0xff, 'a')},
		{"unknown key", request(999, 0, 0, 0)},
		{"negative key", request(-1, 0, 0, 0)},
		{"key of the controller", request(62, 0, 0xff, 0xff, 0)},
		{"version too new", request(3, 99, 0xff, 0xff, 0)},
		{"version too old", request(0, 2, 0xff, 0xff)},
		{"body cut short", request(3, 9, 0xff, 0xff, 0, 5)},
		{"array longer than the frame", request(3, 9, 0xff, 0xff, 0, 0xff, 0xff, 0xff, 0xff, 0x07)},
	} {
		r := s.dial(1)
		r.send(c.sent)
		r.closedByPeer(c.name)
		s.works()
	}
}

// A question for the versions in a version that is not known is answered in
// version 0, with the versions of that request alone.
func TestVersionsInAnUnknownVersion(t *testing.T) {
	s := serveOn(t, "", nil)
	for _, version := range []int16{9, 99, 32767} {
		c := s.dial(1)
		req := versionsRequest(3)
		b := sim.EncodeRequest(req, 5, "test")
		binary.BigEndian.PutUint16(b[2:], uint16(version))
		c.send(framed(b))
		resp := response[*kmsg.ApiVersionsResponse](c, versionsRequest(0), 5)
		if resp.ErrorCode != int16(kerror.UnsupportedVersion) || len(resp.ApiKeys) != 1 || resp.ApiKeys[0].ApiKey != 18 || resp.ApiKeys[0].MaxVersion < 4 || resp.ApiKeys[0].MaxVersion >= version {
			t.Errorf("version %d: %+v", version, resp)
		}
		c.ask(req, 6) // and the connection goes on
		if resp := response[*kmsg.ApiVersionsResponse](c, req, 6); resp.ErrorCode != 0 {
			t.Errorf("after version %d: error %d", version, resp.ErrorCode)
		}
	}
}

// A produce with acks=0 that fails cannot be answered: the connection is
// closed.
func TestFailedProduceWithoutAcksCloses(t *testing.T) {
	s := serveOn(t, "topic create t replicas=3", nil)
	req := kmsg.NewPtrProduceRequest()
	req.Version, req.Acks, req.TimeoutMillis = 9, 0, 1000
	topic := kmsg.NewProduceRequestTopic()
	topic.Topic = "t"
	p := kmsg.NewProduceRequestTopicPartition()
	p.Partition, p.Records = 7, []byte{}
	topic.Partitions = append(topic.Partitions, p)
	req.Topics = append(req.Topics, topic)
	c := s.dial(1)
	c.ask(req, 1)
	c.closedByPeer("acks=0 to a partition that is not there")
	s.works()
}

// Half a frame and then silence, and no request at all, are closed when their
// time is up.
func TestIdleConnectionsAreClosed(t *testing.T) {
	s := serveOn(t, "", func(o *ServeOptions) { o.Edge.Idle = 30 * time.Millisecond })
	for name, sent := range map[string][]byte{"nothing": nil, "half a length": {0, 0}, "half a frame": {0, 0, 0, 9, 1, 2}} {
		c := s.dial(1)
		c.send(sent)
		c.closedByPeer(name)
	}
}

// A client that does not read its answer is given up; others are served
// meanwhile.
func TestSlowReaderIsGivenUp(t *testing.T) {
	s := serveOn(t, "topic create t replicas=1", func(o *ServeOptions) { o.Edge.Stall = 50 * time.Millisecond })
	cl := s.client(kgo.ProducerBatchCompression(kgo.NoCompression()))
	for range 40 {
		cl.Produce(t.Context(), &kgo.Record{Topic: "t", Value: bytes.Repeat([]byte("x"), 900<<10)}, nil)
	}
	if err := cl.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	req := fetchRequest(t, s, 0)
	req.MaxBytes, req.Topics[0].Partitions[0].PartitionMaxBytes = 100<<20, 100<<20
	c := s.dial(1)
	if err := c.Conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	c.ask(req, 1)
	s.awaitConnections(func(n int) bool { s.works(); return !s.has(c.LocalAddr()) })
	if n, err := io.Copy(io.Discard, c); err == nil && n >= 36<<20 {
		t.Errorf("all of the answer came, %d bytes", n)
	}
	s.works()
}

// has tells whether the edge still has a connection from an address.
func (s *served) has(from net.Addr) bool {
	s.edge.mu.Lock()
	defer s.edge.mu.Unlock()
	for _, c := range s.edge.conns {
		if c.net.RemoteAddr().String() == from.String() {
			return true
		}
	}
	return false
}

// awaitConnections asks again and again, each time with a request served in
// between, until cond holds.
func (s *served) awaitConnections(cond func(n int) bool) {
	s.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !cond(s.edge.Connections()) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%d connections after 30 s", s.edge.Connections())
		}
		s.works()
	}
}

// The brokers' own configs of connections are kept to.
func TestConnectionConfigs(t *testing.T) {
	s := serveOn(t, "cluster connections.max.idle.ms=50 connection.failed.authentication.delay.ms=10 socket.request.max.bytes=1000", nil)
	c := s.dial(1)
	c.send(framed(make([]byte, 1001))[:4])
	c.closedByPeer("a request above socket.request.max.bytes")
	s.dial(1).closedByPeer("a quiet connection")
	s.works()
}

// When requests take more memory than they may, the one that has been coming
// longest is given up.
func TestHalfRequestsDoNotFillMemory(t *testing.T) {
	s := serveOn(t, "", func(o *ServeOptions) { o.Edge.Memory = 4 << 20 })
	var slow []*raw
	for range 6 {
		c := s.dial(1)
		c.send(framed(make([]byte, 2<<20))[:1<<20]) // takes 1 to 2 MiB, and waits for the rest
		slow = append(slow, c)
		s.works()
	}
	for i, c := range slow[:2] { // if each took 1 MiB, four may stay
		c.closedByPeer([]string{"first", "second"}[i])
	}
	s.works()
}

// When there are more connections than may be, those go that have been quiet
// longest: who talks stays, and who comes is let in.
func TestTooManyConnections(t *testing.T) {
	s := serveOn(t, "", func(o *ServeOptions) { o.Edge.MaxConns = 20 })
	talk := func(c *raw) {
		c.ask(versionsRequest(3), 1)
		response[*kmsg.ApiVersionsResponse](c, versionsRequest(3), 1)
	}
	talker := s.dial(1)
	talk(talker)
	var quiet []*raw
	for i := range 60 {
		c := s.dial(1)
		talk(c) // so that it has been let in
		quiet = append(quiet, c)
		if i%10 == 9 {
			talk(talker)
		}
	}
	for _, c := range quiet[:40] {
		c.closedByPeer("one that has gone quiet")
	}
	talk(talker)
	s.works()
}

// A thousand connections that send nothing, or half a frame, are no burden.
func TestManyConnections(t *testing.T) {
	s := serveOn(t, "", nil)
	for i := range 1000 {
		c := s.dial(1 + i%3)
		switch i % 3 {
		case 0:
			c.send([]byte{0, 0, 0x10})
		case 1:
			c.send(framed(make([]byte, 100))[:50])
		}
	}
	s.awaitConnections(func(n int) bool { return n >= 1000 })
	s.works()
}
