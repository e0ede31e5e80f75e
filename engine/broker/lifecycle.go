package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
)

// boot is the broker's start: it opens its log directory, registers with the
// controller and begins to read the metadata log (BrokerServer#startup).
func (b *Broker) boot() {
	meta, err := storage.FormatOrRead(b.FS, storage.MetaProperties{
		NodeID: b.ID, ClusterID: b.ClusterID, DirectoryID: sim.UUID(b.ctx.Rand("directory.id")),
	}, b.wall)
	if err != nil {
		if b.err = err; DiskError(err) {
			b.err = nil
			b.fail(err)
		}
		return // a folder of another node or cluster is for whoever gave it
	}
	b.meta = meta
	if err := b.points.load(b.FS); err != nil {
		b.fail(err)
		return
	}
	if b.leftover(); b.failed() {
		return
	}
	b.incarnation = sim.UUID(b.ctx.Rand("incarnation.id"))
	b.ctx.SetPeriodic("giveup", b.configs().Int("initial.broker.registration.timeout.ms"))
	b.register()
	b.fetchMetadata()
}

func (b *Broker) register() {
	req := kmsg.NewPtrBrokerRegistrationRequest()
	req.Version = 4
	req.BrokerID, req.ClusterID, req.IncarnationID = b.ID, b.meta.ClusterID, b.incarnation
	req.LogDirs, req.PreviousBrokerEpoch = [][16]byte{b.meta.DirectoryID}, b.points.previousEpoch
	if b.Rack != "" {
		req.Rack = &b.Rack
	}
	l := kmsg.NewBrokerRegistrationRequestListener()
	l.Name, l.Host, l.Port = "PLAINTEXT", string(b.Name(b.ID)), listenerPort
	req.Listeners = append(req.Listeners, l)
	for _, f := range supportedFeatures {
		feature := kmsg.NewBrokerRegistrationRequestFeature()
		feature.Name, feature.MinSupportedVersion, feature.MaxSupportedVersion = f.Name, f.Min, f.Max
		req.Features = append(req.Features, feature)
	}
	b.ctx.Send(b.Controller, sim.ConnHeartbeat, req)
}

// supportedFeatures are those of a Kafka 4.4 broker.
var supportedFeatures = []metadata.Feature{
	{Name: "eligible.leader.replicas.version", Min: 0, Max: 1},
	{Name: "group.version", Min: 0, Max: 1},
	{Name: "kraft.version", Min: 0, Max: 1},
	{Name: "metadata.version", Min: 7, Max: 33},
	{Name: "share.version", Min: 0, Max: 2},
	{Name: "streams.version", Min: 0, Max: 1},
	{Name: "transaction.version", Min: 0, Max: 2},
}

// lifecycle takes the answers to registration and heartbeats
// (BrokerLifecycleManager).
func (b *Broker) lifecycle(ev sim.Response) {
	switch msg := ev.Msg.(type) {
	case *kmsg.BrokerRegistrationResponse:
		if msg.ErrorCode != 0 {
			b.registerAgain()
			return
		}
		b.epoch, b.attempts = msg.BrokerEpoch, 0
		b.ctx.CancelTimer("giveup")
		b.heartbeat()
		b.caughtUpWithItself()
	case *kmsg.BrokerHeartbeatResponse:
		b.beaten(msg)
	}
}

// Retries of a registration: an earlier incarnation's session has to end first
// (BrokerLifecycleManager, ExponentialBackoff(100, 2, session timeout)).
const firstRetryMs = 100

func (b *Broker) registerAgain() {
	wait := min(int64(firstRetryMs)<<min(b.attempts, 16), b.configs().Int("broker.session.timeout.ms"))
	b.attempts++
	b.ctx.SetTimer("register", wait)
}

// beaten takes the answer to a heartbeat. The next one follows after
// broker.heartbeat.interval.ms; while nothing is going on it is not sent, see
// materialize.
func (b *Broker) beaten(msg *kmsg.BrokerHeartbeatResponse) {
	b.beating = false
	interval := b.configs().Int("broker.heartbeat.interval.ms")
	if msg.ErrorCode != 0 {
		b.ctx.SetPeriodic("heartbeat", interval)
		return
	}
	wasFenced := b.fenced
	b.fenced = msg.IsFenced
	switch {
	case msg.ShouldShutdown:
		b.stopped = true
	case b.beatAgain:
		b.heartbeat()
	case b.fenced || b.leaving || b.beatExplicit || b.ctx.Explicit(b.Controller):
		if b.serving || b.leaving {
			b.ctx.SetPeriodic("heartbeat", interval)
		}
	case wasFenced && b.serving: // from here on they are skipped
		b.ctx.CancelTimer("heartbeat")
	}
}

// heartbeat tells the controller that the broker lives, how far it has read
// the metadata log, and whether it wants to shut down. One is under way at a
// time; if there is news meanwhile, the next follows at once.
func (b *Broker) heartbeat() {
	if b.epoch < 0 {
		return
	}
	if b.beatAgain = b.beating; b.beating {
		return
	}
	b.beating, b.beatExplicit = true, b.ctx.Explicit(b.Controller)
	req := kmsg.NewPtrBrokerHeartbeatRequest()
	req.BrokerID, req.BrokerEpoch, req.CurrentMetadataOffset = b.ID, b.epoch, b.metaOffset-1
	req.WantShutdown = b.leaving
	b.ctx.CancelTimer("heartbeat")
	b.beat = b.ctx.Now()
	b.ctx.Send(b.Controller, sim.ConnHeartbeat, req)
}

// start is time 0, or the moment of a later start: the broker's periodic tasks
// begin.
func (b *Broker) start() {
	b.serving, b.started = true, b.ctx.Now()
	b.startCleaner()
	b.armChores()
	if b.ctx.Explicit(b.Controller) {
		b.heartbeat()
		return
	}
	b.beat = b.ctx.Now()
}

// Stopped tells whether the controller has let a broker go that wanted to shut
// down.
func (b *Broker) Stopped() bool { return b.stopped }

// Abandon ends the broker as the end of its process does: what was written
// stays, nothing more is.
func (b *Broker) Abandon() error {
	for _, p := range b.sorted() {
		if err := p.log.Abandon(); err != nil {
			return err
		}
	}
	return nil
}

// Ready tells whether the broker serves: registered, unfenced, and with all of
// the metadata log replayed.
func (b *Broker) Ready(metadataEnd int64) bool {
	return b.err == nil && !b.fenced && b.metaOffset >= metadataEnd
}

// Close ends the broker's life cleanly: logs are closed, checkpoints written,
// and a file left behind that says so (LogManager#shutdown).
func (b *Broker) Close(wallMs int64) error {
	b.wall = wallMs
	if b.err != nil {
		return nil
	}
	for _, p := range b.sorted() {
		if err := p.log.Close(); err != nil {
			return err
		}
	}
	if err := b.writeCheckpoints(); err != nil {
		return err
	}
	return storage.WriteCleanShutdown(b.FS, b.epoch)
}
