// Package broker is one broker: the logs of its replicas, the requests that
// clients and other brokers send it, the fetchers by which it follows, and
// what waits in its purgatories. A file for each API; a Partition holds what
// the broker knows of one partition.
package broker

import (
	"fmt"

	"kafkalab/engine/config"
	"kafkalab/engine/disk"
	"kafkalab/engine/fetchsession"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// Options of a broker.
type Options struct {
	ID         int32
	FS         disk.FS
	ClusterID  string
	Rack       string            // empty for none
	LogDir     string            // the path that FS stands for, empty for a disk in memory
	Static     map[string]string // what server.properties would say
	Controller sim.NodeID
	Name       func(broker int32) sim.NodeID
	Advertised []Endpoint // of broker 1 and on, for programs outside
}

// Broker is a node of the cluster.
type Broker struct {
	Options
	meta         storage.MetaProperties
	epoch        int64 // broker epoch, -1 until registered
	incarnation  [16]byte
	fenced       bool
	serving      bool // past time 0
	started      sim.Time
	stalled      bool     // its fetchers do not run
	gaveUp       bool     // it could not register
	diskFailed   bool     // its log directory is offline
	leaving      bool     // it wants to shut down
	stopped      bool     // it may
	attempts     int      // of registration that were refused
	beating      bool     // a heartbeat is under way
	beatExplicit bool     // it was sent when none was skipped: the controller counts on the next
	beatAgain    bool     // and there is news for another
	beat         sim.Time // when the newest heartbeat was sent, or would have been
	image        *metadata.Image
	applied      bool  // the image was applied once
	metaOffset   int64 // next offset of the metadata log to ask for
	metaOff      int32 // correlation id of the metadata fetch under way
	metaSent     sim.Time
	altering     int32    // correlation id of the AlterPartition under way, 0 for none
	shrinkAt     sim.Time // next run of the ISR check, 0 when none is set

	partitions map[tp]*Partition
	order      []*Partition       // sorted, nil when it has to be made anew
	fetchers   map[int32]*fetcher // by the leader's broker id
	channels   map[channelKey]*channel
	ready      []sim.Request // to be handled before this event is over
	parked     []*delayedFetch

	fetchSessions *fetchsession.Cache // nil before the first fetch
	produces      []*delayedProduce
	deletes       []*delayedDelete
	forwards      map[int32]forwarding
	creating      map[string]sim.Time // topics asked for on a client's behalf, and when
	resyncs       map[int32]resyncing
	ids           producerIDs
	waiting       int64 // numbers what is put into the purgatories
	points        checkpoints
	removed       []removedDir
	chores        chores
	fatal         bool          // it met data that it cannot work with
	why           string        // it failed
	removedAny    bool          // a replica was, since the checkpoints were written
	unopened      map[tp]string // replicas whose log cannot be made, and why

	ctx  *sim.Ctx // of the event being handled
	wall int64    // virtual ms since the Unix epoch
	err  error
}

// New makes a broker; it opens its log directory at Boot.
func New(o Options) *Broker {
	return &Broker{
		Options: o, epoch: -1, fenced: true, image: metadata.NewImage(),
		partitions: map[tp]*Partition{}, fetchers: map[int32]*fetcher{},
		channels: map[channelKey]*channel{}, forwards: map[int32]forwarding{}, creating: map[string]sim.Time{}, resyncs: map[int32]resyncing{},
	}
}

// tp names a partition. Topic ids travel, names are what people read.
type tp struct {
	topic     string
	partition int32
}

func (t tp) String() string { return fmt.Sprintf("%s/%d", t.topic, t.partition) }

// Err tells why the broker could not boot or had to stop, nil if it serves.
func (b *Broker) Err() error { return b.err }

// Handle implements sim.Node.
func (b *Broker) Handle(ctx *sim.Ctx, ev sim.Event) {
	b.ctx, b.wall = ctx, ctx.WallMs()
	defer func() { b.ctx = nil }()
	switch ev := ev.(type) {
	case sim.Boot:
		b.boot()
	case sim.Start:
		b.start()
	case sim.Request:
		b.receive(ev)
	case sim.Response:
		b.response(ev)
	case sim.Timer:
		b.timer(ev.Key)
	case sim.Materialize:
		b.materialize(ev.Peer)
	case sim.Disconnected:
		b.disconnected(ev)
	case sim.Unanswered:
		b.unanswered(ev)
	case sim.ConnectionClosed:
		b.closed(ev)
	case sim.Call:
		b.call(ev)
	}
	b.drain()
}

func (b *Broker) emit(body trace.Body) { b.ctx.Emit(body) }

// configs are the broker's effective configs.
func (b *Broker) configs() config.Values {
	return config.NewBroker(config.Layers{Static: b.Static, ClusterWide: b.image.ClusterConfigs(), PerBroker: b.image.BrokerConfigs(b.ID)})
}

// topicConfigs are a topic's effective configs on this broker.
func (b *Broker) topicConfigs(topic string) config.Values {
	return config.NewTopic(b.image.TopicConfigs(topic), b.configs())
}
