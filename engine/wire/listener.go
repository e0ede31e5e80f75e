package wire

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// listener is where programs outside reach one broker. It listens while the
// broker is up; its port stays its own.
type listener struct {
	broker int32
	addr   string // host:port
	net    net.Listener
}

// Listen opens a listener for each of n brokers: the first on port, the next
// counting up; with port 0 each takes a free one. It gives their addresses.
func (e *Edge) Listen(host string, port, n int) ([]string, error) {
	var addrs []string
	for i := range n {
		p := port
		if port != 0 {
			p += i
		}
		l := &listener{broker: int32(i + 1), addr: net.JoinHostPort(host, strconv.Itoa(p))}
		if err := l.open(); err != nil {
			e.Close()
			return nil, fmt.Errorf("broker-%d: %w", l.broker, err)
		}
		e.mu.Lock()
		e.listeners = append(e.listeners, l)
		e.mu.Unlock()
		addrs = append(addrs, l.addr)
	}
	return addrs, nil
}

func (l *listener) open() (err error) {
	if l.net, err = net.Listen("tcp", l.addr); err == nil {
		l.addr = l.net.Addr().String()
	}
	return err
}

func (l *listener) close() {
	if l.net != nil {
		_ = l.net.Close()
		l.net = nil
	}
}

// Accept begins to take connections on all listeners.
func (e *Edge) Accept() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, l := range e.listeners {
		e.accept(l)
	}
}

func (e *Edge) accept(l *listener) {
	if l.net == nil {
		return // its broker is down
	}
	e.wg.Add(1)
	go e.acceptAll(l.broker, l.net)
}

// SetUp closes the listener of a broker that has gone down, and opens that of
// one that is back.
func (e *Edge) SetUp(broker int32, up bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := e.listeners[broker-1]
	switch {
	case e.ended || up == (l.net != nil):
		return nil
	case !up:
		l.close()
		return nil
	}
	if err := l.open(); err != nil {
		return err
	}
	e.accept(l)
	return nil
}

// Waits after an accept that failed, as it does while the process has no file
// descriptors left.
const (
	firstWait = 5 * time.Millisecond
	maxWait   = time.Second
)

// acceptAll takes connections until the listener is closed.
func (e *Edge) acceptAll(broker int32, n net.Listener) {
	defer e.wg.Done()
	wait := firstWait
	for {
		c, err := n.Accept()
		if err == nil {
			wait = firstWait
			e.adopt(broker, c)
			continue
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
		select {
		case <-e.done:
			return
		case <-time.After(wait):
			wait = min(2*wait, maxWait)
		}
	}
}
