package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine"
	"kafkalab/engine/client"
	"kafkalab/engine/sim"
)

// doorway is a cluster with a door, as the lab has one: this goroutine has the
// cluster, and takes what the door waits for.
type doorway struct {
	t    *testing.T
	line *engine.Timeline
	door *Door
}

func labCluster(t *testing.T) *engine.Timeline {
	t.Helper()
	line, err := engine.NewTimeline(engine.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := line.Do(engine.CreateTopic{CreateTopic: client.CreateTopic{Topic: "t", Partitions: 3, Replicas: 3}}, "topic create t partitions=3 replicas=3"); err != nil {
		t.Fatal(err)
	}
	return line
}

func openAt(t *testing.T, line *engine.Timeline, o DoorOptions) *doorway {
	t.Helper()
	if o.Clock.Now == nil {
		o.Clock = SystemClock()
	}
	o.Host, o.Edge = "127.0.0.1", DefaultOptions()
	d, err := OpenDoor(line, o)
	if err != nil {
		t.Fatal(err)
	}
	w := &doorway{t, line, d}
	t.Cleanup(w.shut)
	return w
}

// shut closes the door, once.
func (w *doorway) shut() {
	if w.door == nil {
		return
	}
	if err := w.door.Close(); err != nil {
		w.t.Error(err)
	}
	w.door = nil
}

// attend does what comes until done is closed.
func (w *doorway) attend(done <-chan struct{}) {
	w.t.Helper()
	for {
		select {
		case <-done:
			return
		default:
		}
		w.door.Wait()()
		if _, err := w.door.Turn(); err != nil {
			w.t.Fatal(err)
		}
	}
}

// visitBy lets a program come in while this goroutine attends.
func (w *doorway) visitBy(program func(seeds []string) error) {
	w.t.Helper()
	done, result := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(done)
		result <- program(w.door.Addresses())
	}()
	w.attend(done)
	if err := <-result; err != nil {
		w.t.Fatal(err)
	}
}

// roundTrip writes n records with kgo and reads them back.
func roundTrip(n int) func(seeds []string) error {
	return func(seeds []string) error {
		cl, err := kgo.NewClient(kgo.SeedBrokers(seeds[0]), kgo.ConsumeTopics("t"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
		if err != nil {
			return err
		}
		defer cl.Close()
		for i := range n {
			cl.Produce(context.Background(), &kgo.Record{Topic: "t", Key: fmt.Append(nil, i), Value: fmt.Append(nil, i)}, nil)
		}
		if err := cl.Flush(context.Background()); err != nil {
			return err
		}
		for got := 0; got < n; {
			fetches := cl.PollFetches(context.Background())
			if err := fetches.Err(); err != nil {
				return err
			}
			got += fetches.NumRecords()
		}
		return nil
	}
}

// A real client comes in at a door, over links that take their time; the journal
// has it all, so that going back and on again needs no client.
func TestDoorLetsClientsIn(t *testing.T) {
	line := labCluster(t)
	w := openAt(t, line, DoorOptions{})
	w.visitBy(roundTrip(500))
	if w.door.Moved() || !w.door.Today() {
		t.Fatal("it moved by itself, or lives in the past")
	}
	w.shut()
	leos := func() (list []int64) {
		for _, p := range line.Cluster().View().Topics[0].Partitions {
			list = append(list, p.HW)
		}
		return list
	}
	want, last := leos(), line.Last()
	if sum := want[0] + want[1] + want[2]; sum != 500 {
		t.Fatalf("%v committed, want 500", want)
	}
	for _, step := range []int64{last / 2, last - 1, 0, last} {
		if err := line.GoTo(step); err != nil || line.Cluster().Step() != step {
			t.Fatalf("step %d: %v, at %d", step, err, line.Cluster().Step())
		}
	}
	if got := leos(); !slices.Equal(got, want) {
		t.Errorf("after going back and on again: %v, want %v", got, want)
	}
}

// Time goes by while a door is open as the clock says, and not while it is
// closed; what the learner lets pass, passes at once.
func TestDoorTime(t *testing.T) {
	line := labCluster(t)
	now := time.UnixMilli(engine.Epoch + 500_000_000)
	clock := Clock{Now: func() time.Time { return now }, After: func(time.Duration) <-chan time.Time { return nil }}
	began := line.Cluster().Now()
	w := openAt(t, line, DoorOptions{Clock: clock})
	if c := line.Cluster(); c.Options().Start+c.Now() != now.UnixMilli() || c.Now() != began {
		t.Errorf("the cluster lives at %d, %d ms from its start", c.Options().Start+c.Now(), c.Now())
	}
	now = now.Add(1234 * time.Millisecond)
	if got := w.door.Present(); got != began+1234 {
		t.Errorf("present %d after 1234 ms from %d on", got, began)
	}
	if err := w.door.CatchUp(); err != nil || line.Cluster().Now() != began+1234 {
		t.Errorf("%v, the cluster is at %d", err, line.Cluster().Now())
	}
	if _, _, err := line.Do(engine.Tick{Ms: 10_000}, "tick 10s"); err != nil {
		t.Fatal(err)
	}
	if err := w.door.HandOut(); err != nil || w.door.Present() != began+11_234 {
		t.Errorf("%v, present %d after ten seconds more", err, w.door.Present())
	}
	now = now.Add(time.Second)
	if got := w.door.Present(); got != began+12_234 {
		t.Errorf("present %d: time does not go on from there", got)
	}
	w.shut()
	now = now.Add(time.Minute)
	w = openAt(t, line, DoorOptions{Clock: clock})
	if got := line.Cluster().Now(); got != began+12_234 {
		t.Errorf("at %d: the minute that it was closed has passed for it", got)
	}
	start := line.Cluster().Options().Start
	w.shut()
	now = now.Add(time.Hour)
	openAt(t, line, DoorOptions{Clock: clock})
	if line.Cluster().Options().Start == start {
		t.Error("its date is an hour off")
	}
}

// A port that somebody else has is an error, or another one is taken; nothing
// happens to the cluster by an error.
func TestDoorPortTaken(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, digits, _ := net.SplitHostPort(other.Addr().String())
	port, _ := strconv.Atoi(digits)
	line := labCluster(t)
	cluster, entries := line.Cluster(), len(line.Journal())
	o := DoorOptions{Address: Address{Host: "127.0.0.1", Port: port}, Edge: DefaultOptions(), Clock: SystemClock()}
	if _, err := OpenDoor(line, o); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("%v, want an address in use", err)
	}
	if line.Cluster() != cluster || len(line.Journal()) != entries {
		t.Error("a refusal did something to the cluster")
	}
	o.Else = true
	d, err := OpenDoor(line, o)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(d.Addresses(), other.Addr().String()) || len(d.Addresses()) != 3 {
		t.Errorf("open at %v, where %s is taken", d.Addresses(), digits)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// Clients are let in at the present only; going back shows as another cluster.
func TestDoorAndThePast(t *testing.T) {
	line := labCluster(t)
	w := openAt(t, line, DoorOptions{})
	w.visitBy(roundTrip(10))
	last := line.Last()
	if err := line.GoTo(last - 3); err != nil {
		t.Fatal(err)
	}
	if !w.door.Moved() {
		t.Error("the door does not notice that it leads nowhere")
	}
	if n, err := w.door.Turn(); n != 0 || err != nil {
		t.Errorf("a turn in the past: %d, %v", n, err)
	}
	w.shut()
	if line.AtPresent() || line.Last() != last {
		t.Error("to close the door did something in the past")
	}
	o := DoorOptions{Address: Address{Host: "127.0.0.1"}, Edge: DefaultOptions(), Clock: SystemClock()}
	if _, err := OpenDoor(line, o); !errors.Is(err, ErrPast) {
		t.Errorf("open in the past: %v", err)
	}
	if err := line.GoTo(last); err != nil {
		t.Fatal(err)
	}
	w = openAt(t, line, DoorOptions{}) // the connections of the first one are over
	if n := w.door.Connections(); n != 0 {
		t.Errorf("%d connections of a door that is closed", n)
	}
	w.visitBy(roundTrip(10))
}

// To close ends the clients' connections, and the cluster knows it; they are
// numbered on.
func TestDoorCloses(t *testing.T) {
	line := labCluster(t)
	w := openAt(t, line, DoorOptions{})
	come := func() net.Conn {
		c, err := net.Dial("tcp", w.door.Addresses()[1])
		if err != nil {
			t.Fatal(err)
		}
		for w.door.Connections() == 0 {
			w.door.Wait()()
			if _, err := w.door.Turn(); err != nil {
				t.Fatal(err)
			}
		}
		return c
	}
	c := come()
	defer c.Close()
	if !line.Cluster().Connected("conn-1") {
		t.Fatal("the cluster does not know conn-1")
	}
	w.shut()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the client is still connected")
	}
	if line.Cluster().Connected("conn-1") {
		t.Error("for the cluster it is still connected")
	}
	w = openAt(t, line, DoorOptions{})
	defer come().Close()
	if !line.Cluster().Connected("conn-2") {
		t.Error("the second connection has another name than conn-2")
	}
}

// A broker that is killed is gone for clients too, and comes back at its port.
func TestDoorFollowsTheBrokers(t *testing.T) {
	line := labCluster(t)
	w := openAt(t, line, DoorOptions{})
	at := w.door.Addresses()[1]
	do := func(cmd engine.Command) {
		t.Helper()
		if _, _, err := line.Do(cmd, "test"); err != nil {
			t.Fatal(err)
		}
		if err := w.door.HandOut(); err != nil {
			t.Fatal(err)
		}
	}
	do(engine.Stop{Broker: 2, How: engine.StopKill})
	if c, err := net.Dial("tcp", at); err == nil {
		_ = c.Close()
		t.Error("a dead broker takes connections")
	}
	do(engine.Restart{Broker: 2})
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
}

// The learner's own command may be what a client waits for; a wait that began
// before it ends early.
func TestDoorWakesForTheLearner(t *testing.T) {
	line := labCluster(t)
	never := Clock{Now: func() time.Time { return time.UnixMilli(engine.Epoch) }, After: func(time.Duration) <-chan time.Time { return nil }}
	w := openAt(t, line, DoorOptions{Clock: never})
	for line.Cluster().NextDue() <= line.Cluster().Now()+1000 {
		if _, _, err := line.Do(engine.Tick{Ms: 500}, ""); err != nil {
			t.Fatal(err)
		}
	}
	wait := w.door.Wait()
	if _, _, err := line.Do(engine.Connect{Conn: "hand-1", Broker: 1}, ""); err != nil {
		t.Fatal(err)
	}
	req := kmsg.NewPtrApiVersionsRequest()
	req.Version = 0
	if _, _, err := line.Do(engine.Arrive{Conn: "hand-1", Frame: sim.EncodeRequest(req, 1, "test")}, ""); err != nil {
		t.Fatal(err)
	}
	if err := w.door.HandOut(); err != nil {
		t.Fatal(err)
	}
	wait() // else it waits for ever: the clock stands still
}

// What a wait has taken in comes before what has arrived since.
func TestDoorKeepsTheOrder(t *testing.T) {
	w := openAt(t, labCluster(t), DoorOptions{})
	for i := range 100 {
		w.door.got <- Arrival{Frame: []byte{1}}
		w.door.edge.arrivals <- Arrival{Frame: []byte{2}}
		for _, want := range []byte{1, 2} {
			if a, ok := w.door.next(); !ok || a.Frame[0] != want {
				t.Fatalf("round %d: %v %v, want %d", i, a, ok, want)
			}
		}
	}
	if _, ok := w.door.next(); ok {
		t.Error("there is more")
	}
}
