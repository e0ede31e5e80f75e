package console

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"kafkalab/engine"
	"kafkalab/engine/broker"
	"kafkalab/engine/sim"
)

// remoteCommands are what programs outside have done to a cluster, as a
// recording holds it.
var remoteCommands = []command{
	{"advertise", "advertise HOST:PORT…", "where programs outside find broker-1, broker-2, …", parseAdvertise},
	{"connect", "connect CONNECTION broker-2", "a program outside opens a connection", parseConnect},
	{"arrive", "arrive CONNECTION HEX", "a request arrives on it: header and body, without the length", parseArrive},
	{"disconnect", "disconnect CONNECTION", "the program closes it", parseDisconnect},
}

// ClusterLine is the first line of a script that starts a cluster with these
// options.
func ClusterLine(o engine.Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cluster brokers=%d controllers=%d seed=%d start=%s latency=%dms", o.Brokers, o.Controllers, o.Seed, time.UnixMilli(o.Start).UTC().Format(startForm), o.LatencyMs)
	if len(o.Racks) > 0 {
		fmt.Fprintf(&b, " racks=%s", Quote(strings.Join(o.Racks, ",")))
	}
	for _, name := range slices.Sorted(maps.Keys(o.Static)) {
		fmt.Fprintf(&b, " %s=%s", name, Quote(o.Static[name]))
	}
	return b.String()
}

// Quote writes a word so that the language reads it back as it is.
func Quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\r\"'\\#") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}

// startForm is how a cluster line says when time 0 is.
const startForm = "2006-01-02T15:04:05.000Z"

// maxLatencyMs bounds the latency of every link: registration must be over
// within the second before time 0.
const maxLatencyMs = 100

func parseClusterTime(a *args, o *engine.Options) error {
	if s, ok := a.take("start"); ok {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil || t.Year() < 1970 || t.Year() > 2200 {
			return wrong(s, "start=%s: a time from 1970 to 2200 is allowed, as %s", s, time.UnixMilli(engine.Epoch).UTC().Format(startForm))
		}
		o.Start = t.UnixMilli()
	}
	latency, err := a.duration("latency", o.LatencyMs)
	if err == nil && latency > maxLatencyMs {
		err = wrong("", "latency=%dms: 0ms to %dms is allowed; slow A B DURATION is for one link", latency, maxLatencyMs)
	}
	o.LatencyMs = latency
	return err
}

func parseAdvertise(a *args) (action, error) {
	var cmd engine.Advertise
	for len(a.words) > 0 {
		w, _ := a.word("")
		host, digits, err := net.SplitHostPort(w)
		port, perr := strconv.ParseUint(digits, 10, 16)
		if err != nil || perr != nil || host == "" {
			return nil, wrong(w, "advertise %s: HOST:PORT is allowed, as 127.0.0.1:9092", w)
		}
		cmd.Endpoints = append(cmd.Endpoints, broker.Endpoint{Host: host, Port: int32(port)})
	}
	if len(cmd.Endpoints) == 0 || len(cmd.Endpoints) > math.MaxInt16 {
		return nil, wrong("", "advertise needs HOST:PORT of each broker")
	}
	return engineAction{cmd, nil}, nil
}

func parseConnect(a *args) (action, error) {
	conn, err := a.word("a connection, as conn-1")
	if err != nil {
		return nil, err
	}
	id, err := brokerArg(a)
	return engineAction{engine.Connect{Conn: sim.NodeID(conn), Broker: id}, nil}, err
}

func parseDisconnect(a *args) (action, error) {
	conn, err := a.word("a connection, as conn-1")
	return engineAction{engine.Disconnect{Conn: sim.NodeID(conn)}, nil}, err
}

func parseArrive(a *args) (action, error) {
	conn, err := a.word("a connection, as conn-1")
	if err != nil {
		return nil, err
	}
	digits, err := a.word("the request in hexadecimal")
	if err != nil {
		return nil, err
	}
	frame, err := hex.DecodeString(digits)
	if err != nil {
		return nil, wrong("", "arrive %s: the request is no hexadecimal: %v", conn, err)
	}
	return engineAction{engine.Arrive{Conn: sim.NodeID(conn), Frame: frame}, nil}, nil
}

// parseArrival reads an arrive line without looking for quotes in it: a request
// may have megabytes.
func parseArrival(line string) (act action, ok bool, err error) {
	rest, ok := strings.CutPrefix(line, "arrive ")
	if !ok {
		return nil, false, nil
	}
	a := newArgs("arrive", strings.Fields(rest))
	if act, err = parseArrive(a); err == nil {
		err = a.done()
	}
	return act, true, err
}
