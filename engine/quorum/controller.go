// Package quorum is the controller: it registers brokers, places partitions,
// and writes every decision to the cluster metadata log, which brokers fetch
// and replay. One controller decides alone for now; it already writes the log
// of a quorum of one, so that voters can join it.
package quorum

import (
	"fmt"

	"kafkalab/engine/disk"
	"kafkalab/engine/metadata"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// FirstNodeID is the node.id of controller-1. Brokers count from 1 and node
// ids are one space for both, so controllers have ids that no broker reaches.
const FirstNodeID = 3001

// Options of a controller.
type Options struct {
	ID        int32 // node.id
	FS        disk.FS
	ClusterID string
	Name      func(broker int32) sim.NodeID
	Static    map[string]string // configs, as server.properties has them
}

// Controller is the active controller of the cluster.
type Controller struct {
	Options
	log        *storage.Log
	epoch      int32 // the leader epoch of the metadata log
	image      *metadata.Image
	fetches    map[sim.NodeID]*metadataFetch
	contact    map[int32]sim.Rounds // the newest heartbeat of each broker, and those that were skipped since
	parting    map[int32]parting    // brokers in controlled shutdown
	appended   sim.Time             // when the log last grew
	registered map[int32]bool       // brokers that have registered since the controller started
	applied    map[int32]int64      // how far each broker has said it has replayed the log
	err        error                // what made the node unusable, for whoever started it
}

// New makes a controller; it opens its log at Boot.
func New(o Options) *Controller {
	return &Controller{Options: o, image: metadata.NewImage(), fetches: map[sim.NodeID]*metadataFetch{},
		contact: map[int32]sim.Rounds{}, parting: map[int32]parting{}, applied: map[int32]int64{}, registered: map[int32]bool{}}
}

// Err tells why the controller could not boot, nil if it could.
func (c *Controller) Err() error { return c.err }

// Image is the cluster as the controller sees it. It must not be changed.
func (c *Controller) Image() *metadata.Image { return c.image }

// Epoch is the controller's leader epoch.
func (c *Controller) Epoch() int32 { return c.epoch }

// EndOffset is the end of the metadata log; all of it is committed.
func (c *Controller) EndOffset() int64 { return c.log.LogEndOffset() }

// Log is the metadata log, to look at.
func (c *Controller) Log() *storage.Log { return c.log }

// Handle implements sim.Node.
func (c *Controller) Handle(ctx *sim.Ctx, ev sim.Event) {
	switch ev := ev.(type) {
	case sim.Boot:
		c.boot(ctx)
	case sim.Request:
		c.request(ctx, ev)
	case sim.Start:
		c.start(ctx)
	case sim.Materialize:
		c.materialize(ctx, ev.Peer)
	case sim.Timer:
		c.timer(ctx, ev.Key)
	}
}

// boot opens the metadata log and begins a leader epoch in it. A log that is
// new starts with the records that formatting would have left behind.
func (c *Controller) boot(ctx *sim.Ctx) {
	meta, err := storage.FormatOrRead(c.FS, storage.MetaProperties{
		NodeID: c.ID, ClusterID: c.ClusterID, DirectoryID: sim.UUID(ctx.Rand("directory.id")),
	}, ctx.WallMs())
	if err != nil {
		c.err = err
		return
	}
	c.ClusterID = meta.ClusterID
	wall := ctx.WallMs()
	log, err := storage.Open(storage.Options{
		FS: c.FS, Dir: metadata.TopicName + "-0", Topic: metadata.TopicName, TopicID: metadata.TopicID,
		Config: storage.DefaultConfig(), RecoveryPoint: 0, Now: func() int64 { return wall },
		Jitter: func() int32 { return 0 },
	})
	if err != nil {
		c.err = err
		return
	}
	c.log = log
	c.log.UpdateHighWatermark(c.log.LogEndOffset())
	if err := c.replay(); err != nil {
		c.err = err
		return
	}
	last, _ := c.log.LatestEpoch()
	c.epoch = max(last, 0) + 1
	c.log.AssignEpoch(c.epoch, c.log.LogEndOffset())
	fresh := c.log.LogEndOffset() == 0
	self := []int32{c.ID}
	c.appendBatch(metadata.LeaderChangeBatch(c.log.LogEndOffset(), ctx.WallMs(), c.epoch, c.ID, self, self))
	if fresh {
		c.append(ctx, bootstrapRecords()...)
	}
}

// bootstrapRecords are those of a cluster formatted with Kafka 4.4's features,
// but with eligible.leader.replicas.version 0.
func bootstrapRecords() []metadata.Record {
	name := "Bootstrap records"
	return []metadata.Record{
		&metadata.BeginTransaction{Name: &name},
		&metadata.FeatureLevel{Name: "metadata.version", Level: 33},
		&metadata.FeatureLevel{Name: "group.version", Level: 1},
		&metadata.FeatureLevel{Name: "share.version", Level: 2},
		&metadata.FeatureLevel{Name: "streams.version", Level: 1},
		&metadata.FeatureLevel{Name: "transaction.version", Level: 2},
		&metadata.EndTransaction{},
	}
}

// replay builds the image from a log that was there already.
func (c *Controller) replay() error {
	for offset := c.log.LogStartOffset(); offset < c.log.LogEndOffset(); {
		data, kerr := c.log.Read(offset, 1<<20, c.log.LogEndOffset(), true)
		if kerr != nil {
			return fmt.Errorf("metadata log at offset %d: %w", offset, kerr)
		}
		next, err := metadata.Replay(c.image, data.Records, offset)
		if err != nil {
			return fmt.Errorf("metadata log at offset %d: %w", offset, err)
		}
		if next == offset {
			return fmt.Errorf("metadata log at offset %d: no whole batch", offset)
		}
		offset = next
	}
	return nil
}

// append writes records as one batch, which a quorum of one has committed with
// that, replays them, and answers whoever waits for news. It returns the
// offset of the first record.
func (c *Controller) append(ctx *sim.Ctx, records ...metadata.Record) int64 {
	base := c.log.LogEndOffset()
	c.appendBatch(metadata.Batch(base, ctx.WallMs(), c.epoch, records))
	for _, rec := range records {
		c.image.Apply(rec)
	}
	c.appended = ctx.Now()
	ctx.Emit(trace.MetadataAppended{Base: base, Records: len(records), First: fmt.Sprintf("%T", records[0])[len("*metadata."):]})
	c.tellAll(ctx)
	return base
}

func (c *Controller) appendBatch(batch record.Batch, err error) {
	if err != nil {
		panic("quorum: " + err.Error())
	}
	if _, kerr := c.log.AppendAsLeader(batch, c.epoch, storage.RaftLeader); kerr != nil {
		panic("quorum: the metadata log refuses its own leader: " + kerr.Error())
	}
	c.log.UpdateHighWatermark(c.log.LogEndOffset())
}

// Close ends the controller's life cleanly.
func (c *Controller) Close() error {
	if c.log == nil {
		return nil
	}
	return c.log.Close()
}
