package wire

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine"
	"kafkalab/engine/client"
	"kafkalab/engine/sim"
)

// small is a cluster with a topic t of two partitions, without sockets.
func small(t testing.TB, brokers int) *engine.Cluster {
	t.Helper()
	o := engine.Defaults()
	o.Brokers, o.LatencyMs, o.Keep = brokers, 0, KeptEvents
	c, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	c.Serve()
	do(t, c, engine.CreateTopic{CreateTopic: client.CreateTopic{Topic: "t", Partitions: 2, Replicas: int16(brokers)}})
	do(t, c, engine.Produce{Produce: client.Produce{Topic: "t", Count: 3, Size: 10, Acks: -1, Batch: 1, TimeoutMs: 30000}})
	do(t, c, engine.Connect{Conn: "conn-1", Broker: 1})
	return c
}

func do(t testing.TB, c *engine.Cluster, cmd engine.Command) {
	t.Helper()
	if _, err := c.Do(cmd, "test"); err != nil {
		t.Fatal(err)
	}
}

// servedRanges asks a cluster what it serves.
func servedRanges(t testing.TB, c *engine.Cluster) []kmsg.ApiVersionsResponseApiKey {
	t.Helper()
	req := versionsRequest(3)
	do(t, c, engine.Arrive{Conn: "conn-1", Frame: sim.EncodeRequest(req, 1, "test")})
	left := c.Departures()
	if len(left) != 1 {
		t.Fatalf("%d answers", len(left))
	}
	resp, _, err := sim.DecodeResponse(left[0].Payload.Bytes(), req.Key(), req.Version)
	if err != nil {
		t.Fatal(err)
	}
	return resp.(*kmsg.ApiVersionsResponse).ApiKeys
}

// Every version of every request that is served can be asked, with nothing in
// it, and is answered in that version.
func TestEveryServedVersionIsAnswered(t *testing.T) {
	for _, k := range servedRanges(t, small(t, 1)) {
		for version := k.MinVersion; version <= k.MaxVersion; version++ {
			name := fmt.Sprintf("%s v%d", sim.APIName(k.ApiKey), version)
			c := small(t, 1)
			req := kmsg.RequestForKey(k.ApiKey)
			req.SetVersion(version)
			if d, ok := req.(interface{ Default() }); ok {
				d.Default()
			}
			do(t, c, engine.Arrive{Conn: "conn-1", Frame: sim.EncodeRequest(req, 77, "test")})
			do(t, c, engine.Tick{Ms: 2000})
			left := c.Departures()
			switch {
			case k.ApiKey == 0 && len(left) == 1 && (left[0].NoAnswer || left[0].Closed):
				// acks is 0 in an empty produce
			case len(left) != 1 || left[0].Payload.Len() == 0:
				t.Errorf("%s: %+v", name, left)
			default:
				if _, corr, err := sim.DecodeResponse(left[0].Payload.Bytes(), k.ApiKey, version); err != nil || corr != 77 {
					t.Errorf("%s: correlation id %d, %v", name, corr, err)
				}
			}
		}
	}
}

// FuzzRequests lets any bytes arrive as a request: the cluster goes on, and the
// connection is answered at most once, or closed.
func FuzzRequests(f *testing.F) {
	for _, k := range servedRanges(f, small(f, 1)) {
		for _, version := range []int16{k.MinVersion, k.MaxVersion} {
			req := kmsg.RequestForKey(k.ApiKey)
			req.SetVersion(version)
			f.Add(sim.EncodeRequest(req, 1, "fuzz"))
			fill(req)
			f.Add(sim.EncodeRequest(req, 1, "fuzz"))
		}
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, frame []byte) {
		if len(frame) > 8 && binary.BigEndian.Uint16(frame) > 100 {
			return
		}
		c := small(t, 1)
		do(t, c, engine.Arrive{Conn: "conn-1", Frame: frame})
		do(t, c, engine.Tick{Ms: 10_000})
		if left := c.Departures(); len(left) > 1 {
			t.Errorf("%d answers to one request", len(left))
		}
		do(t, c, engine.Connect{Conn: "conn-2", Broker: 1})
		do(t, c, engine.Arrive{Conn: "conn-2", Frame: sim.EncodeRequest(versionsRequest(3), 1, "test")})
		if left := c.Departures(); len(left) != 1 {
			t.Errorf("another connection gets %d answers", len(left))
		}
	})
}
