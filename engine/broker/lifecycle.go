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
	if err == nil {
		b.meta = meta
		err = b.points.load(b.FS)
	}
	if err != nil {
		b.err = err
		return
	}
	b.incarnation = sim.UUID(b.ctx.Rand("incarnation.id"))
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
	l.Name, l.Host, l.Port = "PLAINTEXT", string(b.Name(b.ID)), 9092
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
		if msg.ErrorCode == 0 {
			b.epoch = msg.BrokerEpoch
			b.heartbeat()
		}
	case *kmsg.BrokerHeartbeatResponse:
		if msg.ErrorCode == 0 {
			b.fenced = msg.IsFenced
		}
	}
}

// heartbeat tells the controller that the broker lives and how far it has read
// the metadata log. Once it is unfenced, a heartbeat changes nothing: those are
// skipped, but for a test that wants every round.
func (b *Broker) heartbeat() {
	req := kmsg.NewPtrBrokerHeartbeatRequest()
	req.BrokerID, req.BrokerEpoch, req.CurrentMetadataOffset = b.ID, b.epoch, b.metaOffset-1
	b.ctx.Send(b.Controller, sim.ConnHeartbeat, req)
	if b.ctx.EveryRound() && b.serving {
		b.ctx.SetPeriodic("heartbeat", b.configs().Int("broker.heartbeat.interval.ms"))
	}
}

// start is time 0: the broker's periodic tasks begin.
func (b *Broker) start() {
	b.serving = true
	if b.ctx.EveryRound() {
		b.heartbeat()
	}
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
	b.removeLeaving(true)
	if err := b.writeCheckpoints(); err != nil {
		return err
	}
	return storage.WriteCleanShutdown(b.FS, b.epoch)
}
