package wire

import (
	"errors"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"kafkalab/engine"
	"kafkalab/engine/sim"
)

// Door lets programs outside into a cluster that somebody else runs, such as the
// lab. A Pump owns its cluster and has a goroutine; a door does the same when it
// is told to, from the goroutine of whoever has the cluster. Only what Wait gives
// may run in another one.
//
// What comes in goes through the timeline's journal, so that one can go back
// behind it, and on again without the programs. A door leads to one moment's
// cluster: going back or forward makes another one, see Moved.
type Door struct {
	line    *engine.Timeline
	cluster *engine.Cluster
	edge    *Edge
	clock   Clock
	addrs   []string
	today   bool
	began   time.Time // the wall clock's time at the virtual time from
	from    int64
	up      []bool // by broker - 1
	inside  []sim.NodeID

	got    chan Arrival  // what Wait has taken in, for Turn
	poke   chan struct{} // ends a wait
	closed chan struct{}
	alarm  int64 // virtual time at which the newest wait ends
}

// DoorOptions say where a door is.
type DoorOptions struct {
	Address
	Else  bool    // take free ports where those are in use
	Edge  Options // limits of connections
	Clock Clock
}

// Bounds of a door.
const (
	// refresh is how long a wait lasts at most: whoever shows the time has to
	// look at it now and then.
	refresh = time.Second
	// maxDrift is how far the cluster's date may be off; with more it is moved.
	maxDrift = 10 * time.Minute
	// turnArrivals bounds what one turn takes in, so that a frame can be drawn
	// between two of them.
	turnArrivals = 64
)

// ErrPast is why a door does not open: what arrives has to be the newest thing.
var ErrPast = errors.New("clients are let in at the present only: this is the past")

// OpenDoor lets programs into the cluster of a timeline from now on. The error
// is one of listening, in which case nothing has happened to the cluster, or
// ErrPast.
func OpenDoor(line *engine.Timeline, o DoorOptions) (*Door, error) {
	if !line.AtPresent() {
		return nil, ErrPast
	}
	d := &Door{
		line: line, clock: o.Clock,
		got: make(chan Arrival, 1), poke: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	if err := d.listen(o); err != nil {
		return nil, err
	}
	if err := d.prepare(o.Address); err != nil {
		d.edge.Close()
		return nil, err
	}
	d.edge.Accept()
	return d, nil
}

// listen opens the listeners.
func (d *Door) listen(o DoorOptions) (err error) {
	cluster := d.line.Cluster().Options()
	listen := func(port int) error {
		d.edge = NewEdge(o.Edge.configured(cluster.Static))
		d.addrs, err = d.edge.Listen(o.Host, port, cluster.Brokers)
		return err
	}
	if err = listen(o.Port); err != nil && o.Else && errors.Is(err, syscall.EADDRINUSE) {
		err = listen(0)
	}
	return err
}

// prepare brings the cluster to where programs find it: to this day, without the
// connections of an earlier door, and with addresses that lead here.
func (d *Door) prepare(at Address) error {
	d.today = d.redate()
	d.cluster = d.line.Cluster()
	d.cluster.Serve()
	for range d.cluster.Options().Brokers {
		d.up = append(d.up, true)
	}
	d.anchor()
	stale, connected := visitors(d.line)
	d.edge.last = connected
	for _, conn := range stale {
		if err := d.do(engine.Disconnect{Conn: conn}, ""); err != nil {
			return err
		}
	}
	ends, err := endpointsOf(at, d.addrs)
	if err != nil {
		return err
	}
	return d.do(engine.Advertise{Endpoints: ends}, advertiseLine(ends))
}

// redate has the cluster live today, if its date is far from it.
func (d *Door) redate() bool {
	c, now := d.line.Cluster(), d.clock.Now().UnixMilli()
	off := now - (c.Options().Start + c.Now())
	if max(off, -off) <= maxDrift.Milliseconds() {
		return true
	}
	return d.line.Redate(now-c.Now()) == nil
}

// visitors are the connections that a timeline's journal has left open, and how
// many it has had.
func visitors(line *engine.Timeline) (open []sim.NodeID, all int) {
	for _, e := range line.Journal() {
		if cmd, ok := e.Command.(engine.Connect); ok {
			all++
			if line.Cluster().Connected(cmd.Conn) && !slices.Contains(open, cmd.Conn) {
				open = append(open, cmd.Conn)
			}
		}
	}
	return open, all
}

// Addresses are where the brokers are reached, from broker-1 on.
func (d *Door) Addresses() []string { return d.addrs }

// Connections counts the programs' connections that the cluster has.
func (d *Door) Connections() int { return len(d.inside) }

// Today tells whether the cluster's date is the wall clock's; if not, records
// that a program has stamped lie in the cluster's future, and may be refused.
func (d *Door) Today() bool { return d.today }

// Moved tells whether the timeline stands at another moment than the one that
// the door leads to.
func (d *Door) Moved() bool { return d.line.Cluster() != d.cluster || !d.line.AtPresent() }

// Present is the virtual time that it is by the wall clock, in ms. What is due up
// to then may not have run yet.
func (d *Door) Present() int64 {
	return max(d.cluster.Now(), d.from+d.clock.Now().Sub(d.began).Milliseconds())
}

// anchor lets time go on from where the cluster is.
func (d *Door) anchor() { d.began, d.from = d.clock.Now(), d.cluster.Now() }

// Wait gives what waits until there is something for Turn to do, or for a second:
// the only thing here that may take its time. One wait at a time.
func (d *Door) Wait() func() {
	d.alarm = d.cluster.NextDue()
	wait := refresh
	if now := d.Present(); d.alarm-now < refresh.Milliseconds() {
		wait = d.began.Add(time.Duration(d.alarm-d.from) * time.Millisecond).Sub(d.clock.Now())
	}
	bell := d.clock.After(max(wait, 0))
	return func() {
		select {
		case a := <-d.edge.Arrivals():
			d.got <- a
		case <-bell:
		case <-d.poke:
		case <-d.closed:
		}
	}
}

// Turn runs what has come due up to now, and takes in what has arrived; it tells
// how much that was. The error is of a disk that failed, or a bug of the engine
// (*Broken), which takes the arrival that brought it to light out again.
func (d *Door) Turn() (arrived int, err error) {
	if d.Moved() {
		return 0, nil
	}
	for ; arrived < turnArrivals; arrived++ {
		a, ok := d.next()
		if !ok {
			return arrived, d.catchUp()
		}
		if err := d.arrive(a); err != nil {
			return arrived, err
		}
	}
	return arrived, nil
}

// next is the oldest arrival that is there: what a wait has taken in came before
// what is still to be taken.
func (d *Door) next() (a Arrival, ok bool) {
	select {
	case a = <-d.got:
		return a, true
	default:
	}
	select {
	case a = <-d.edge.Arrivals():
		return a, true
	default:
		return a, false
	}
}

// catchUp runs what has come due.
func (d *Door) catchUp() error {
	if now := d.Present(); d.cluster.NextDue() <= now {
		return d.tickTo(now)
	}
	return nil
}

func (d *Door) tickTo(now int64) error {
	ms := now - d.cluster.Now()
	if ms < 0 || ms == 0 && d.cluster.NextDue() > now {
		return nil
	}
	return d.do(engine.Tick{Ms: ms}, "")
}

// CatchUp lets time pass up to now: before somebody else acts on the cluster.
func (d *Door) CatchUp() error {
	if d.Moved() {
		return nil
	}
	return d.tickTo(d.Present())
}

// arrive takes one arrival in, at the present moment. What comes on a connection
// that the broker has closed meanwhile is not read.
func (d *Door) arrive(a Arrival) error {
	if err := d.tickTo(d.Present()); err != nil {
		return err
	}
	switch {
	case a.Kind == Opened && !d.cluster.Welcomes(a.Conn, a.Broker):
		d.edge.hangUp(a.Conn)
		return nil
	case a.Kind == Opened:
		d.inside = append(d.inside, a.Conn)
		return d.do(engine.Connect{Conn: a.Conn, Broker: a.Broker}, "")
	case !d.cluster.Connected(a.Conn):
		return nil
	case a.Kind == Closed:
		return d.do(engine.Disconnect{Conn: a.Conn}, "")
	}
	return d.do(engine.Arrive{Conn: a.Conn, Frame: a.Frame}, "")
}

// do runs a command and hands out what has left by it.
func (d *Door) do(cmd engine.Command, text string) (err error) {
	before := d.line.Mark()
	defer func() {
		if what := recover(); what != nil {
			err = errors.Join(&Broken{What: what, Stack: debug.Stack()}, d.line.Rewind(before))
		}
	}()
	if _, _, err = d.line.Do(cmd, text); err != nil {
		return err
	}
	return d.HandOut()
}

// HandOut gives the programs what has left the cluster for them, and follows
// brokers that go down or come back: after somebody else has acted on the
// cluster. Time that they let pass has passed, so the clock goes on from there.
func (d *Door) HandOut() error {
	if d.Moved() {
		return nil
	}
	for _, out := range d.cluster.Departures() {
		d.edge.Deliver(out)
	}
	d.inside = slices.DeleteFunc(d.inside, func(c sim.NodeID) bool { return !d.cluster.Connected(c) })
	var errs []error
	for i := range d.up {
		if up := d.cluster.Up(int32(i + 1)); up != d.up[i] {
			d.up[i] = up
			errs = append(errs, d.edge.SetUp(int32(i+1), up))
		}
	}
	if d.cluster.Now() > d.from+d.clock.Now().Sub(d.began).Milliseconds() {
		d.anchor()
	}
	if d.cluster.NextDue() < d.alarm {
		select {
		case d.poke <- struct{}{}:
		default:
		}
	}
	return errors.Join(errs...)
}

// Close closes the connections and the listeners. A cluster that has not moved
// is told, at the present moment.
func (d *Door) Close() error {
	var errs []error
	if !d.Moved() {
		errs = append(errs, d.CatchUp())
		for _, conn := range slices.Clone(d.inside) {
			if d.cluster.Connected(conn) {
				errs = append(errs, d.do(engine.Disconnect{Conn: conn}, ""))
			}
		}
	}
	close(d.closed)
	d.edge.cutBusy()
	d.edge.Close()
	return errors.Join(errs...)
}

// cutBusy ends what is being sent or received: Close would wait for it.
func (e *Edge) cutBusy() {
	e.mu.Lock()
	defer e.mu.Unlock()
	// order: all of them are cut
	for _, c := range e.conns {
		if c.holding.Load() > 0 || len(c.out) > 0 {
			c.cut()
		}
	}
}
