package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/console"
)

// ServeOptions are those of `kafkalab broker`.
type ServeOptions struct {
	Address    Address
	Brokers    int // 0 leaves it to the script
	Seed       uint64
	HasSeed    bool
	DataDir    string // empty for memory
	Script     string // run before the cluster serves
	ScriptName string // for messages
	Record     string // a file for the recording, empty for none
	Edge       Options
	Clock      Clock
	Keep       int       // trace events kept, 0 for all
	Warn       io.Writer // told of brokers that end by themselves; nil for nobody
}

// KeptEvents is how many trace events a cluster keeps that nobody looks at.
const KeptEvents = 1000

// ErrExpectation is a script of which an expectation failed.
var ErrExpectation = errors.New("an expectation failed")

// Serve starts a cluster, runs the script, listens, writes `ready ADDR,…` to
// out and serves until ctx is done; then the brokers shut down in an orderly
// way. What the script yields goes to out too.
func Serve(ctx context.Context, o ServeOptions, out io.Writer) (err error) {
	s := &server{ServeOptions: o, out: out}
	defer func() { err = errors.Join(err, s.stop(err)) }()
	if err := s.start(); err != nil {
		return err
	}
	return s.pump.Run(ctx)
}

func (s *server) start() error {
	if err := s.openRecording(); err != nil {
		return err
	}
	if err := s.startCluster(); err != nil {
		return err
	}
	return s.listen()
}

type server struct {
	ServeOptions
	out     io.Writer
	session *console.Session
	edge    *Edge
	pump    *Pump
	record  *Recording
	file    *os.File
}

// openRecording opens the file. A recording begins with an empty cluster: what
// is in a folder is no line of it.
func (s *server) openRecording() (err error) {
	if s.Record == "" {
		return nil
	}
	if s.DataDir != "" {
		if used, _ := filepath.Glob(filepath.Join(s.DataDir, "*", "meta.properties")); len(used) > 0 {
			return fmt.Errorf("%s has data: a recording has to begin with an empty folder, or in memory", s.DataDir)
		}
	}
	if s.file, err = os.Create(s.Record); err == nil {
		s.record = NewRecording(s.file)
	}
	return err
}

// startCluster starts it and runs the script.
func (s *server) startCluster() error {
	if bad := console.Check(s.Script); len(bad) > 0 {
		var errs []error
		for _, e := range bad {
			errs = append(errs, fmt.Errorf("%s:%d: %w", s.ScriptName, e.Line, e))
		}
		return errors.Join(errs...)
	}
	s.session = console.NewSession(console.Options{
		Seed: s.Seed, HasSeed: s.HasSeed, DataDir: s.DataDir, Brokers: s.Brokers,
		Serve: &console.Serve{Start: s.Clock.Now().UnixMilli(), LatencyMs: 0, Keep: s.Keep},
	})
	began := false
	for i, line := range strings.Split(s.Script, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.run(i+1, line, &began); err != nil {
			return err
		}
	}
	if err := s.session.Start(); err != nil {
		return err
	}
	s.recordStart(&began)
	return nil
}

func (s *server) run(number int, line string, began *bool) error {
	fresh := s.session.Cluster() == nil
	if fresh && !strings.HasPrefix(line, "cluster") {
		if err := s.session.Start(); err != nil {
			return err
		}
		fresh = false
	}
	if !fresh {
		s.recordStart(began)
		s.record.command(line)
	}
	res, err := s.session.Exec(line)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", s.ScriptName, number, err)
	}
	for _, text := range res.Text {
		fmt.Fprintln(s.out, text)
	}
	if res.Failed != "" {
		return fmt.Errorf("%s:%d: %s: %w", s.ScriptName, number, res.Failed, ErrExpectation)
	}
	return nil
}

// recordStart writes the recording's first line, once.
func (s *server) recordStart(began *bool) {
	if !*began && s.record != nil {
		s.record.command(console.ClusterLine(s.session.Cluster().Options()))
	}
	*began = true
}

// listen opens the listeners and tells the brokers, and then the user, where
// they are.
func (s *server) listen() error {
	c := s.session.Cluster()
	s.edge = NewEdge(s.Edge.configured(c.Options().Static))
	addrs, err := s.edge.Listen(s.Address.Host, s.Address.Port, c.Options().Brokers)
	if err != nil {
		return err
	}
	at, err := endpointsOf(s.Address, addrs)
	if err != nil {
		return err
	}
	s.pump = NewPump(c, s.edge, s.Clock, s.record)
	s.pump.ended = s.ended
	if err := s.pump.Advertise(at); err != nil {
		return err
	}
	s.edge.Accept()
	_, err = fmt.Fprintf(s.out, "ready %s\n", strings.Join(addrs, ","))
	return err
}

// ended tells of a broker that has ended by itself. When none is left there is
// nothing to serve.
func (s *server) ended(id int32, why string) error {
	s.warn(fmt.Sprintf("%s has ended: %s", engine.BrokerName(id), why))
	c := s.session.Cluster()
	for id := range int32(c.Options().Brokers) {
		if c.Up(id + 1) {
			return nil
		}
	}
	return ErrNoBroker
}

// ErrNoBroker ends serving when the last broker has ended.
var ErrNoBroker = errors.New("no broker is left")

func (s *server) warn(text string) {
	if s.Warn != nil {
		fmt.Fprintf(s.Warn, "kafkalab: %s\n", text)
	}
}

// stop shuts down what was started: brokers first, so that what they still
// answer goes out, then connections. After a bug what is in memory is not
// written.
func (s *server) stop(cause error) error {
	var errs []error
	if s.session != nil && !errors.As(cause, new(*Broken)) {
		errs = append(errs, s.record.End(), s.session.Close())
	}
	if s.edge != nil {
		if c := s.session.Cluster(); c != nil {
			for _, d := range c.Departures() {
				s.edge.Deliver(d)
			}
		}
		s.edge.Close()
	}
	errs = append(errs, s.record.flush())
	if s.file != nil {
		errs = append(errs, s.file.Close())
	}
	return errors.Join(errs...)
}
