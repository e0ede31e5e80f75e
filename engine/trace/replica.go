package trace

import "fmt"

// BecameLeader is a broker that leads a partition in a new epoch.
type BecameLeader struct {
	Partition string `json:"partition"`
	Epoch     int32  `json:"epoch"`
	Start     int64  `json:"start"` // the epoch's first offset
}

func (b BecameLeader) Line() string {
	return fmt.Sprintf("leads %s from offset %d on, epoch %d", b.Partition, b.Start, b.Epoch)
}

// BecameFollower is a broker that follows a partition's leader.
type BecameFollower struct {
	Partition string `json:"partition"`
	Leader    int32  `json:"leader"`
	Epoch     int32  `json:"epoch"`
}

func (b BecameFollower) Line() string {
	return fmt.Sprintf("follows broker-%d for %s, epoch %d", b.Leader, b.Partition, b.Epoch)
}

// HighWatermarkMoved is the leader's high watermark: what lies below is
// committed and may be read.
type HighWatermarkMoved struct {
	Partition string `json:"partition"`
	From      int64  `json:"from"`
	To        int64  `json:"to"`
}

func (h HighWatermarkMoved) Line() string {
	return fmt.Sprintf("moves the high watermark of %s from %d to %d", h.Partition, h.From, h.To)
}

// FollowerHighWatermarkMoved is a follower that heard of the leader's.
type FollowerHighWatermarkMoved struct {
	Partition string `json:"partition"`
	From      int64  `json:"from"`
	To        int64  `json:"to"`
}

func (h FollowerHighWatermarkMoved) Line() string {
	return fmt.Sprintf("hears that the high watermark of %s is %d", h.Partition, h.To)
}

// ProduceParked is a produce that waits until its records are committed.
type ProduceParked struct {
	Partition string `json:"partition"`
	Required  int64  `json:"required"` // the high watermark that it waits for
	TimeoutMs int64  `json:"timeout_ms"`
}

func (p ProduceParked) Line() string {
	return fmt.Sprintf("holds the answer until the high watermark of %s is %d", p.Partition, p.Required)
}

// FetchParked is a fetch that waits for data.
type FetchParked struct {
	Partition string `json:"partition"` // the first of the fetch
	Offset    int64  `json:"offset"`
	Replica   int32  `json:"replica"` // -1 for a consumer
	WaitMs    int64  `json:"wait_ms"`
}

func (p FetchParked) Line() string {
	who := "a consumer"
	if p.Replica >= 0 {
		who = fmt.Sprintf("broker-%d", p.Replica)
	}
	return fmt.Sprintf("parks the fetch of %s for %s at %d: nothing there yet, %d ms at most", who, p.Partition, p.Offset, p.WaitMs)
}

// OffsetLookup is how a consumer's fetch found its place in the log.
type OffsetLookup struct {
	Partition string `json:"partition"`
	Offset    int64  `json:"offset"`   // asked for
	Segment   int64  `json:"segment"`  // base offset of the segment
	Entry     string `json:"entry"`    // index entry used, relative:position, or none
	Position  int64  `json:"position"` // of the batch that holds the offset
	Scanned   int    `json:"scanned"`  // batch headers read
	Base      int64  `json:"base"`     // that batch's base offset
}

func (o OffsetLookup) Line() string {
	return fmt.Sprintf("finds %d of %s: segment %d, index entry %s, %s read, batch %d at byte %d",
		o.Offset, o.Partition, o.Segment, o.Entry, plural(o.Scanned, "header"), o.Base, o.Position)
}

// RecordsFetched is what a fetch gave back.
type RecordsFetched struct {
	Partition string `json:"partition"`
	Offset    int64  `json:"offset"` // asked for
	Bytes     int    `json:"bytes"`
	Replica   int32  `json:"replica"` // -1 for a consumer
}

func (r RecordsFetched) Line() string {
	return fmt.Sprintf("sends %d B of %s from offset %d on", r.Bytes, r.Partition, r.Offset)
}

// RequestRefused is an error that a broker answered for a partition.
type RequestRefused struct {
	API       string `json:"api"`
	Partition string `json:"partition"`
	Error     string `json:"error"`
	Log       string `json:"log,omitempty"` // the words in the broker's log; few of them travel to the client
}

func (r RequestRefused) Line() string {
	if r.Error == "REQUEST_TIMED_OUT" {
		return fmt.Sprintf("answers the %s for %s with REQUEST_TIMED_OUT: what was asked has begun, and is not done in time", r.API, r.Partition)
	}
	line := fmt.Sprintf("refuses the %s for %s: %s", r.API, r.Partition, r.Error)
	if r.Log != "" {
		line += ": " + r.Log
	}
	return line
}

// CheckpointWritten is a checkpoint file that a broker wrote.
type CheckpointWritten struct {
	File string `json:"file"`
}

func (c CheckpointWritten) Line() string { return "writes " + c.File }

// ReplicaDeleted is a replica whose topic is gone; its files follow later.
type ReplicaDeleted struct {
	Partition string `json:"partition"`
	Dir       string `json:"dir"` // the folder's new name
}

func (r ReplicaDeleted) Line() string {
	return fmt.Sprintf("gives up its replica of %s, renamed to %s", r.Partition, r.Dir)
}

// FolderRemoved is the end of a deleted replica: its folder with all files.
type FolderRemoved struct {
	Dir string `json:"dir"`
}

func (f FolderRemoved) Line() string { return "removes the folder " + f.Dir }

// LogNotOpened is a replica whose log cannot be made or opened: the broker goes
// on without it.
type LogNotOpened struct {
	Partition string `json:"partition"`
	Error     string `json:"error"`
}

func (l LogNotOpened) Line() string {
	return fmt.Sprintf("cannot open a log for its replica of %s: %s", l.Partition, l.Error)
}

// LogSetAside is a log that a broker found at its start and that the cluster does
// not know: it is renamed and left alone.
type LogSetAside struct {
	Partition string `json:"partition"`
	Dir       string `json:"dir"` // the folder's new name
	Why       string `json:"why"`
}

func (l LogSetAside) Line() string {
	return fmt.Sprintf("finds a stray log of %s, renamed to %s: %s", l.Partition, l.Dir, l.Why)
}

// LogDirFailed is a log directory that cannot be written any more: the broker
// halts.
type LogDirFailed struct {
	Error string `json:"error"`
}

func (l LogDirFailed) Line() string { return "halts, its log directory has failed: " + l.Error }

// ShutdownNotApproved is a broker that the controller has not let go in time: it
// shuts down all the same.
type ShutdownNotApproved struct {
	Broker   int32 `json:"broker"`
	WaitedMs int64 `json:"waited_ms"`
}

func (s ShutdownNotApproved) Line() string {
	return fmt.Sprintf("shuts down without the controller's word, after %d ms", s.WaitedMs)
}

// BrokerDied is a broker that met data which it cannot work with.
type BrokerDied struct {
	Error string `json:"error"`
}

func (b BrokerDied) Line() string { return "dies of an error: " + b.Error }

// BrokerGaveUp is a broker that no controller has registered in time: it ends.
type BrokerGaveUp struct {
	Broker    int32 `json:"broker"`
	TimeoutMs int64 `json:"timeout_ms"`
}

func (b BrokerGaveUp) Line() string {
	return fmt.Sprintf("ends: no controller has registered it within %d ms", b.TimeoutMs)
}

// FollowerFailed is a partition that a broker's fetcher gives up: an append
// failed that will not go better the next time.
type FollowerFailed struct {
	Partition string `json:"partition"`
	Leader    int32  `json:"leader"`
	Error     string `json:"error"`
}

func (f FollowerFailed) Line() string {
	return fmt.Sprintf("no longer copies %s from broker-%d until its leader epoch changes: %s", f.Partition, f.Leader, f.Error)
}
