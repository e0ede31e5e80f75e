package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/afero"

	"kafkalab/engine/broker"
	"kafkalab/engine/client"
	"kafkalab/engine/disk"
	"kafkalab/engine/metadata"
	"kafkalab/engine/quorum"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// Epoch is time 0 of a cluster that does not say another, in ms since the Unix
// epoch: 2026-01-01T00:00:00Z.
const Epoch int64 = 1767225600000

// Bounds of a cluster.
const (
	MaxBrokers     = 9
	MaxControllers = 9
)

// Options of a cluster. Start from Defaults.
type Options struct {
	Brokers     int // 1 to MaxBrokers
	Controllers int // 1 to MaxControllers; one decides, the quorum is not there yet
	Combined    bool
	Seed        uint64
	Racks       []string          // of broker-1, broker-2, …; fewer repeat
	Static      map[string]string // broker configs, as server.properties has them
	DataDir     string            // a real folder for the nodes' disks, empty for memory
	EveryRound  bool              // run idle rounds one by one, for a test
	Keep        int               // trace events kept at least, 0 for all
	Start       int64             // time 0 in ms since the Unix epoch
	LatencyMs   int64             // of every message, one way
}

// Defaults are the options of a script without a cluster line.
func Defaults() Options {
	return Options{Brokers: 3, Controllers: 3, Seed: 1, Keep: 100_000, Start: Epoch, LatencyMs: sim.DefaultLatency}
}

// bootMs is how long before time 0 the nodes start. Registration takes a few
// messages; all of it is over well before 0.
const bootMs = 1000

// Names of the clients that every cluster has.
const (
	AppClient    sim.NodeID = "app"    // the plain client of `produce`
	ReaderClient sim.NodeID = "reader" // the stand-alone reader of `consume`
	AdminClient  sim.NodeID = "admin"  // what topic and config commands speak through
)

// Cluster is a whole Kafka cluster in one value: brokers, a controller, plain
// clients, and the loop that runs them in virtual time. It is not safe for use
// by several goroutines.
type Cluster struct {
	opts       Options
	loop       *sim.Loop
	controller *quorum.Controller
	brokers    []*broker.Broker
	clients    map[sim.NodeID]*client.Client
	producers  map[string]*client.Producer
	calls      int64
	stalled    map[int32]bool
	down       map[int32]string // how brokers that are down ended
	notStarted []string         // brokers that did not come up at the start, with the reason
	crashCount int
	torn       map[int32]int64 // what a disk's next crash leaves of unsynced bytes
	last       Last
	began      trace.ID // newest event when the newest command began
	text       string   // of the newest command, as its user wrote it
	halt       int64    // step at which a replay stops, 0 for none
	halted     bool
	cutShort   bool // the newest redo stopped inside its command
	locks      []*flock.Flock
	closed     bool
}

// New starts a cluster; it returns at time 0, with every node up and
// registered. A data dir that cannot be used is an error.
func New(o Options) (*Cluster, error) {
	if o.Brokers < 1 || o.Brokers > MaxBrokers {
		return nil, fmt.Errorf("%d brokers: 1 to %d are possible", o.Brokers, MaxBrokers)
	}
	if o.Controllers < 1 || o.Controllers > MaxControllers {
		return nil, fmt.Errorf("%d controllers: 1 to %d are possible", o.Controllers, MaxControllers)
	}
	salt, err := dataDirSalt(o.DataDir)
	if err != nil {
		return nil, err
	}
	c := &Cluster{opts: o, clients: map[sim.NodeID]*client.Client{}, producers: map[string]*client.Producer{}, stalled: map[int32]bool{}, down: map[int32]string{}, torn: map[int32]int64{}}
	c.loop = sim.NewLoop(sim.Options{Seed: o.Seed, Origin: o.Start, From: -bootMs, EveryRound: o.EveryRound, Keep: o.Keep, Salt: salt})
	c.loop.SetLatency(o.LatencyMs)
	if err = c.addNodes(); err == nil {
		err = c.boot()
	}
	if err != nil {
		c.unlock()
		return nil, err
	}
	return c, nil
}

// BrokerName is the name of a broker by its id.
func BrokerName(id int32) sim.NodeID {
	if id >= 0 && int(id) < len(brokerNames) {
		return brokerNames[id]
	}
	return sim.NodeID(fmt.Sprintf("broker-%d", id))
}

// brokerNames are made once: every message needs one.
var brokerNames = func() (names [MaxBrokers + 1]sim.NodeID) {
	for id := range names {
		names[id] = sim.NodeID(fmt.Sprintf("broker-%d", id))
	}
	return names
}()

// ControllerName is the name of the controller.
const ControllerName sim.NodeID = "controller-1"

func (c *Cluster) addNodes() error {
	fs, err := c.disk(string(ControllerName))
	if err != nil {
		return err
	}
	clusterID, err := c.clusterID(fs)
	if err != nil {
		return err
	}
	c.controller = quorum.New(quorum.Options{ID: quorum.FirstNodeID, FS: fs, ClusterID: clusterID, Name: BrokerName, Static: c.opts.Static})
	c.loop.Add(ControllerName, c.controller)
	var bootstrap []sim.NodeID
	for id := int32(1); id <= int32(c.opts.Brokers); id++ {
		fs, err := c.disk(string(BrokerName(id)))
		if err != nil {
			return err
		}
		rack := ""
		if n := len(c.opts.Racks); n > 0 {
			rack = c.opts.Racks[int(id-1)%n]
		}
		b := broker.New(broker.Options{
			ID: id, FS: fs, LogDir: c.logDir(BrokerName(id)), ClusterID: clusterID, Rack: rack, Static: c.opts.Static, Controller: ControllerName, Name: BrokerName,
		})
		c.brokers = append(c.brokers, b)
		c.loop.Add(BrokerName(id), b)
		bootstrap = append(bootstrap, BrokerName(id))
	}
	for _, name := range []sim.NodeID{AppClient, ReaderClient, AdminClient} {
		c.clients[name] = client.New(client.Options{Bootstrap: bootstrap, Name: BrokerName})
		c.loop.Add(name, c.clients[name])
	}
	return nil
}

// clusterID is drawn by the seed, but a data dir that has one keeps it.
func (c *Cluster) clusterID(controller disk.FS) (string, error) {
	data, err := afero.ReadFile(controller, storage.MetaPropertiesFile)
	if errors.Is(err, os.ErrNotExist) {
		return storage.FormatUUID(sim.UUID(sim.Stream(c.opts.Seed, "cluster.id"))), nil
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", ControllerName, err)
	}
	meta, err := storage.ParseMetaProperties(data)
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", ControllerName, storage.MetaPropertiesFile, err)
	}
	return meta.ClusterID, nil
}

// disk is a node's log directory: a folder of its own, in memory or for real.
func (c *Cluster) disk(node string) (disk.FS, error) {
	clock := func() time.Time { return time.UnixMilli(c.loop.WallMs()).UTC() }
	if c.opts.DataDir == "" {
		return disk.NewMem(clock), nil
	}
	folder := filepath.Join(c.opts.DataDir, node)
	fs, err := disk.NewDir(folder, clock)
	if err != nil {
		return nil, err
	}
	return fs, c.lock(folder)
}

// logDir is the path of a node's folder, empty for a disk in memory.
func (c *Cluster) logDir(node sim.NodeID) string {
	if c.opts.DataDir == "" {
		return ""
	}
	folder, err := filepath.Abs(filepath.Join(c.opts.DataDir, string(node)))
	if err != nil {
		return filepath.Join(c.opts.DataDir, string(node)) // it is only told to people
	}
	return folder
}

// lock holds a node's .lock file for as long as the cluster lives: two
// processes on one log directory would overwrite each other (LogManager#lockLogDirs).
func (c *Cluster) lock(folder string) error {
	l := flock.New(filepath.Join(folder, ".lock"))
	held, err := l.TryLock()
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", folder, err)
	case !held:
		return fmt.Errorf("%s: another process is using this folder (it holds .lock)", folder)
	}
	c.locks = append(c.locks, l)
	return nil
}

func (c *Cluster) unlock() {
	for _, l := range c.locks {
		_ = l.Unlock() // the process's end would do the same
	}
	c.locks = nil
}

// dataDirSalt tells one opening of a folder from the next by how far its
// metadata log has got; a new folder, and none at all, give 0.
func dataDirSalt(dir string) (int64, error) {
	if dir == "" {
		return 0, nil
	}
	logs, err := filepath.Glob(filepath.Join(dir, string(ControllerName), metadata.TopicName+"-0", "*.log"))
	if err != nil {
		return 0, err
	}
	var size int64
	for _, name := range logs {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}
	return size, nil
}

// boot runs the nodes up to time 0 and forgets how they got there.
func (c *Cluster) boot() error {
	c.loop.Life(ControllerName, sim.Boot{}, -bootMs)
	c.loop.Life(ControllerName, sim.Start{}, 0)
	for id := int32(1); id <= int32(len(c.brokers)); id++ {
		c.loop.Life(BrokerName(id), sim.Boot{}, -bootMs)
		c.loop.Life(BrokerName(id), sim.Start{}, 0)
	}
	c.pump(func() bool { return c.Err() != nil }, -1)
	if err := c.Err(); err != nil {
		return err
	}
	for _, b := range c.brokers {
		switch {
		case !c.isUp(b.ID):
			c.notStarted = append(c.notStarted, fmt.Sprintf("%s has not started: %s", BrokerName(b.ID), c.whyDown(b)))
		case !b.Ready(c.controller.EndOffset()):
			return fmt.Errorf("%s is %s at time 0: it has not come up in %d ms", BrokerName(b.ID), b.State(), bootMs)
		}
	}
	if len(c.notStarted) == len(c.brokers) {
		return errors.New(strings.Join(c.notStarted, "\n"))
	}
	c.pump(func() bool { return false }, 0)
	c.loop.Trace().Forget()
	return nil
}

// NotStarted tells of each broker that did not come up at the start, and why:
// what is in its folder is not what it can work with.
func (c *Cluster) NotStarted() []string { return c.notStarted }

// Err tells what is wrong with a node's disk, nil if nothing is.
func (c *Cluster) Err() error {
	if err := c.controller.Err(); err != nil {
		return fmt.Errorf("%s: %w", ControllerName, err)
	}
	for _, b := range c.brokers {
		if err := b.Err(); err != nil {
			return fmt.Errorf("%s: %w", BrokerName(b.ID), err)
		}
	}
	return nil
}

// Close shuts every node down in an orderly way: leaders are moved or given up,
// indexes trimmed, checkpoints and clean shutdown files written. A cluster in
// memory need not be closed.
func (c *Cluster) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	defer c.unlock()
	var errs []error
	if c.opts.DataDir != "" {
		c.loop.HealAll()
	}
	for _, b := range c.brokers {
		if !c.isUp(b.ID) {
			continue
		}
		if b.FS.Faults() != (disk.Faults{}) {
			errs = append(errs, b.Abandon()) // nothing can be written any more
			continue
		}
		if _, err := (Stop{b.ID, StopShutdown}).run(c); err != nil {
			errs = append(errs, err, b.Close(c.loop.WallMs()))
		}
	}
	return errors.Join(append(errs, c.controller.Close())...)
}

// Options are those that the cluster was started with.
func (c *Cluster) Options() Options { return c.opts }

// Now is the virtual time in ms since the start.
func (c *Cluster) Now() int64 { return c.loop.Now() }

// Ended tells why a broker's process has ended by itself, "" if it has not: it
// is up, or was stopped by a command.
func (c *Cluster) Ended(id int32) string {
	b := c.broker(id)
	if b == nil || c.isUp(id) || b.Halted() == "" {
		return ""
	}
	return c.whyDown(b)
}

// whyDown is why a broker is down, as it said itself.
func (c *Cluster) whyDown(b *broker.Broker) string {
	if why := b.WhyHalted(); why != "" {
		return why
	}
	for _, e := range slices.Backward(c.EventsSince(0)) {
		if r, ok := e.Body.(trace.RequestRefused); ok && e.Node == string(BrokerName(b.ID)) && r.Log != "" {
			return r.Log
		}
	}
	return "its log directory failed"
}

// Step is the number of the newest step: of events of the loop after which
// something had been emitted.
func (c *Cluster) Step() int64 { return c.loop.Trace().Step() }

// Handled and Messages count events of the loop since it was made, for
// benchmarks.
func (c *Cluster) Handled() int64  { return c.loop.Handled() }
func (c *Cluster) Messages() int64 { return c.loop.Messages() }

func (c *Cluster) broker(id int32) *broker.Broker {
	if id < 1 || int(id) > len(c.brokers) {
		return nil
	}
	return c.brokers[id-1]
}
