package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kafkalab/engine"
	"kafkalab/engine/client"
)

// A broker that ends by itself is told of, once and with its reason; when the
// last one has ended there is nothing to serve any more. One that a command has
// stopped is nobody's surprise.
func TestBrokersThatEndAreToldOf(t *testing.T) {
	var out, warned bytes.Buffer
	o := ServeOptions{
		Address: Address{Host: "127.0.0.1"}, Script: "cluster brokers=3\ntopic create t replicas=3\nproduce t\n", ScriptName: "test.lab",
		Edge: DefaultOptions(), Clock: SystemClock(), Keep: KeptEvents, Warn: &warned,
	}
	s := &server{ServeOptions: o, out: &out}
	if err := s.start(); err != nil {
		t.Fatal(errors.Join(err, s.stop(err)))
	}
	defer func() {
		if err := s.stop(nil); err != nil {
			t.Error(err)
		}
	}()
	run := func(cmds ...engine.Command) (err error) {
		for _, cmd := range cmds {
			err = errors.Join(err, s.pump.do(cmd, ""))
		}
		return err
	}
	write := engine.Produce{Produce: client.Produce{Topic: "t", Count: 1, Acks: 1, TimeoutMs: 1000}}
	if err := run(engine.Stop{Broker: 3, How: engine.StopKill}, engine.Tick{Ms: 1000}); err != nil || warned.Len() > 0 {
		t.Errorf("a broker that is killed by hand: %v, %q", err, warned.String())
	}
	if err := run(engine.Disk{Broker: 1, What: engine.DiskFull}, engine.Tick{Ms: 100_000}); err != nil {
		t.Errorf("one of two brokers has ended: %v", err)
	}
	if got := warned.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "broker-1 has ended: ") || !strings.Contains(got, "no space left") {
		t.Errorf("warned of %q", got)
	}
	if err := run(engine.Disk{Broker: 2, What: engine.DiskFull}, write, engine.Tick{Ms: 100_000}); !errors.Is(err, ErrNoBroker) {
		t.Errorf("none is left: %v", err)
	}
}
