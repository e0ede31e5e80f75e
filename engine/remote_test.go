package engine

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/broker"
	"kafkalab/engine/client"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// metadataFrame is a request as a program outside sends it.
func metadataFrame(corr int32) []byte {
	req := kmsg.NewPtrMetadataRequest()
	req.Version = 9
	return sim.EncodeRequest(req, corr, "outside")
}

// visit is what a program outside does to a cluster in these tests.
func visit(t *testing.T, do func(Command)) {
	t.Helper()
	do(CreateTopic{client.CreateTopic{Topic: "t", Partitions: 1, Replicas: 3}})
	do(Advertise{Endpoints: []broker.Endpoint{{Host: "h", Port: 1}, {Host: "h", Port: 2}, {Host: "h", Port: 3}}})
	do(Connect{Conn: "conn-1", Broker: 2})
	do(Arrive{Conn: "conn-1", Frame: metadataFrame(1)})
	do(Tick{Ms: 5})
	do(Arrive{Conn: "conn-1", Frame: []byte("no request")})
	do(Tick{Ms: 5})
	do(Connect{Conn: "conn-2", Broker: 3})
	do(Arrive{Conn: "conn-2", Frame: metadataFrame(2)})
	do(Disconnect{Conn: "conn-2"})
	do(Tick{Ms: 5})
}

// What arrived from outside is in the journal: going back and on again gives
// the same trace without the program.
func TestArrivalsAreJournalled(t *testing.T) {
	tl, err := NewTimeline(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	visit(t, func(cmd Command) {
		if _, _, err := tl.Do(cmd, "test"); err != nil {
			t.Fatal(err)
		}
	})
	kinds := func() []string {
		var out []string
		for _, e := range tl.Cluster().EventsSince(0) {
			out = append(out, e.Line())
		}
		return out
	}
	before, last := kinds(), tl.Last()
	for _, step := range []int64{0, last / 2, last - 1, last} {
		if err := tl.GoTo(step); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(before, kinds()); d != "" {
		t.Errorf("back and forward again:\n%s", d)
	}
	closed := func(e trace.Event) bool { c, ok := e.Body.(trace.ConnectionClosed); return ok && c.By == "broker" }
	if !slices.ContainsFunc(tl.Cluster().EventsSince(0), closed) {
		t.Error("the broker has not closed the connection with the bad request")
	}
}

// A connection is answered in the advertised addresses, as bytes; its end is
// told; its name may be used again. Links to it can be slowed like any other.
func TestDepartures(t *testing.T) {
	c, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	c.Serve()
	var left []sim.Departure
	visit(t, func(cmd Command) {
		if _, err := c.Do(cmd, "test"); err != nil {
			t.Fatal(err)
		}
		left = append(left, c.Departures()...)
	})
	if len(left) != 2 || left[0].Conn != "conn-1" || !left[1].Closed {
		t.Fatalf("%+v", left) // conn-2 was gone before its answer
	}
	resp, corr, err := sim.DecodeResponse(left[0].Payload.Bytes(), 3, 9)
	if err != nil || corr != 1 {
		t.Fatal(corr, err)
	}
	if b := resp.(*kmsg.MetadataResponse).Brokers[1]; b.Host != "h" || b.Port != 2 {
		t.Errorf("broker 2 is at %s:%d", b.Host, b.Port)
	}
	for _, cmd := range []Command{
		Connect{Conn: "conn-1", Broker: 1}, Link{What: LinkSlow, A: "conn-1", B: "broker-1", Ms: 40},
		Arrive{Conn: "conn-1", Frame: metadataFrame(3)}, Tick{Ms: 79},
	} {
		if _, err := c.Do(cmd, "test"); err != nil {
			t.Fatal(err)
		}
	}
	if early := c.Departures(); len(early) != 0 {
		t.Errorf("%d answers after 79 ms on a link of 40", len(early))
	}
	if _, err := c.Do(Tick{Ms: 1}, "test"); err != nil || len(c.Departures()) != 1 {
		t.Errorf("no answer after 80 ms, %v", err)
	}
}

// A broker that dies takes its connections with it, and takes new ones when it
// is back.
func TestDeathEndsConnections(t *testing.T) {
	c, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	c.Serve()
	do := func(cmd Command) error { _, err := c.Do(cmd, "test"); return err }
	for _, how := range []string{StopKill, StopCrash, StopShutdown} {
		if err := do(Connect{Conn: "conn-1", Broker: 2}); err != nil {
			t.Fatal(err)
		}
		if err := do(Stop{Broker: 2, How: how}); err != nil {
			t.Fatal(err)
		}
		if left := c.Departures(); len(left) != 1 || !left[0].Closed || c.Connected("conn-1") || c.Up(2) {
			t.Errorf("%s: %+v", how, left)
		}
		if do(Connect{Conn: "conn-1", Broker: 2}) == nil || do(Arrive{Conn: "conn-1", Frame: nil}) == nil || do(Disconnect{Conn: "conn-1"}) == nil {
			t.Errorf("%s: a broker that is down takes connections", how)
		}
		if err := do(Restart{Broker: 2}); err != nil {
			t.Fatal(err)
		}
	}
	if err := do(Connect{Conn: "broker-1", Broker: 2}); err == nil {
		t.Error("a connection has a broker's name")
	}
	if err := do(Connect{Conn: "conn-1", Broker: 9}); err == nil {
		t.Error("a connection to a broker that does not exist")
	}
}
