package wire

import (
	"bufio"
	"encoding/binary"
	"net"
	"sync/atomic"
	"time"

	"kafkalab/engine/sim"
)

// conn is one connection. Its goroutine alone reads and writes; the pump puts
// into out what its newest request is to be given.
type conn struct {
	edge   *Edge
	id     sim.NodeID
	broker int32
	net    net.Conn
	out    chan sim.Departure // room for one: there is one request at a time
	hungUp chan struct{}      // closed when the broker has closed the connection
	closed atomic.Bool        // hungUp is closed

	holding atomic.Int64 // bytes of the request or the answer in hand
	since   atomic.Int64 // when its transfer began, as a number that grows
	active  atomic.Int64 // when it last had a whole request or answer, likewise
}

// readBuffer lets a small request be read with its length in one go.
const readBuffer = 1 << 10

// writeChunk is how much of an answer has to be taken within Options.Stall.
const writeChunk = 1 << 20

// serve is the connection's goroutine.
func (c *conn) serve() {
	defer c.edge.wg.Done()
	defer c.end()
	if !c.hand(Arrival{Kind: Opened}) {
		return
	}
	frames := frameReader{src: bufio.NewReaderSize(c.net, readBuffer), max: c.edge.o.MaxFrame, room: c.grow, used: &c.edge.buffers}
	wait := time.NewTimer(c.edge.o.Idle)
	for c.awaitRequest() == nil {
		frame, err := frames.next()
		if err != nil || !c.hand(Arrival{Kind: Frame, Frame: frame}) {
			break
		}
		c.active.Store(c.edge.tickets.Add(1))
		wait.Reset(c.edge.o.Idle)
		if !c.answer(wait.C) {
			break
		}
		if c.edge.reuse && isProduce(frame) {
			frames.giveBack(frame)
		}
	}
	wait.Stop()
	c.hand(Arrival{Kind: Closed})
}

// answer waits until the request in hand has been dealt with and writes its
// answer, if it has one; false ends the connection.
func (c *conn) answer(timeUp <-chan time.Time) bool {
	var d sim.Departure
	select {
	case d = <-c.out:
	default:
		select {
		case d = <-c.out:
		case <-c.hungUp:
		case <-timeUp:
		case <-c.edge.done:
		}
	}
	if d.Conn == "" { // ended, but perhaps with an answer just before
		select {
		case d = <-c.out:
		default:
			return false
		}
	}
	c.free()
	if d.NoAnswer {
		return true
	}
	if err := c.write(d.Payload); err != nil {
		c.cut() // what the kernel still has of the answer is of no use
		return false
	}
	return true
}

// awaitRequest gives the client its time for the next request.
func (c *conn) awaitRequest() error {
	err := c.net.SetReadDeadline(time.Now().Add(c.edge.o.Idle))
	if c.closed.Load() {
		return net.ErrClosed // it may have been told so before the deadline was set
	}
	return err
}

// grow accounts for a frame's buffer before it is made, and gives the client
// time for the next part of it.
func (c *conn) grow(n int) error {
	c.edge.hold(c, int64(n))
	return c.awaitRequest()
}

// free gives back what the connection holds.
func (c *conn) free() { c.edge.held.Add(-c.holding.Swap(0)) }

// write sends an answer. A client that takes nothing for Options.Stall is given
// up.
func (c *conn) write(payload sim.Payload) error {
	size := payload.Len()
	c.edge.hold(c, int64(size))
	defer c.free()
	length := binary.BigEndian.AppendUint32(make([]byte, 0, 4), uint32(size))
	parts := append(net.Buffers{length}, payload.Parts()...)
	for len(parts) > 0 {
		if err := c.net.SetWriteDeadline(time.Now().Add(c.edge.o.Stall)); err != nil {
			return err
		}
		var chunk net.Buffers
		chunk, parts = cutParts(parts, writeChunk)
		if _, err := chunk.WriteTo(c.net); err != nil {
			return err
		}
	}
	return nil
}

// cutParts takes the first n bytes off parts, or all that there are.
func cutParts(parts net.Buffers, n int) (front, rest net.Buffers) {
	for len(parts) > 0 && n > 0 {
		part := parts[0]
		if len(part) > n {
			parts[0] = part[n:]
			part = part[:n]
		} else {
			parts = parts[1:]
		}
		front = append(front, part)
		n -= len(part)
	}
	return front, parts
}

// hand gives an arrival to the pump; false means that there is none any more.
func (c *conn) hand(a Arrival) bool {
	a.Conn, a.Broker = c.id, c.broker
	select {
	case c.edge.arrivals <- a:
		return true
	case <-c.edge.done:
		return false
	}
}

// hangUp ends the connection from the broker's side; an answer that is being
// written is finished.
func (c *conn) hangUp() {
	if c.closed.CompareAndSwap(false, true) {
		close(c.hungUp)
		_ = c.net.SetReadDeadline(time.Unix(1, 0)) // wakes its reader
	}
}

// cut ends the connection at once.
func (c *conn) cut() {
	c.hangUp()
	if t, ok := c.net.(*net.TCPConn); ok {
		_ = t.SetLinger(0) // a reset: nothing more is sent
	}
	_ = c.net.Close()
}

// end is the last thing that the connection's goroutine does.
func (c *conn) end() {
	c.free()
	_ = c.net.Close()
	c.edge.remove(c)
}
