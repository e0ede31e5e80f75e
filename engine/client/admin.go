package client

import (
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// Setting is one config with its value as Kafka takes it.
type Setting struct{ Name, Value string }

// CreateTopic is an admin's call. Without an assignment the replicas are dealt
// out from the first live broker on, so that a script reads the same
// everywhere; when that cannot be done, the controller is left to say why.
type CreateTopic struct {
	Topic      string
	Partitions int32
	Replicas   int16
	Assignment [][]int32
	Configs    []Setting
}

// AlterTopic changes a topic's configs, and with Grow raises its number of
// partitions.
type AlterTopic struct {
	Topic      string
	Grow       bool
	Partitions int32
	Configs    []Setting
}

// DeleteTopic deletes a topic.
type DeleteTopic struct{ Topic string }

// AlterBroker changes dynamic configs of a broker.
type AlterBroker struct {
	Broker  int32
	Configs []Setting
}

// DeleteRecords moves the start of a partition's log to an offset, or to the
// high watermark when Before is -1.
type DeleteRecords struct {
	Topic     string
	Partition int32
	Before    int64
}

// Administered is the outcome of an admin's call.
type Administered struct {
	Err        *kerror.Error
	ID         [16]byte // of a created topic
	Partitions int
	Replicas   int
	Start      int64 // low watermark after DeleteRecords
}

// administering is an admin's call under way: requests one after the other,
// the first error ends it.
type administering struct {
	adminCall
	step  int
	route route
	out   Administered
	done  bool

	attempt int
}

// adminCall says which requests a call makes, and reads their answers.
type adminCall interface {
	topic() string // to ask metadata about first, empty for none
	// request is the step-th request, nil when there is none; partition is the
	// one whose leader it goes to, anyBroker when any will do.
	request(r route, step int) (req kmsg.Request, partition int32)
	read(out *Administered, resp kmsg.Response)
}

const anyBroker int32 = -1

func (k *administering) finished() bool { return k.done }

func (k *administering) start(c *Client, ctx *sim.Ctx) { c.askMetadata(ctx, k, k.topic(), 0) }

// lost begins anew with another broker, as Kafka's admin client does, until
// each has been tried.
func (k *administering) lost(c *Client, ctx *sim.Ctx, _ int32, code kerror.Code) {
	if k.attempt++; k.attempt >= len(c.Bootstrap) {
		k.out.Err, k.done = &kerror.Error{Code: code}, true
		return
	}
	k.step = max(k.step-1, 0)
	c.askMetadata(ctx, k, k.topic(), k.attempt)
}

func (k *administering) answer(c *Client, ctx *sim.Ctx, ev sim.Response) {
	if msg, ok := ev.Msg.(*kmsg.MetadataResponse); ok {
		k.route, _ = readMetadata(msg)
	} else {
		k.read(&k.out, ev.Msg)
	}
	req, partition := k.request(k.route, k.step)
	if req == nil || k.out.Err != nil {
		k.done = true
		return
	}
	k.step++
	to := c.bootstrap(k.attempt)
	if own, ok := k.adminCall.(interface{ broker() int32 }); ok && slices.Contains(k.route.brokers, own.broker()) {
		to = c.Name(own.broker())
	}
	if partition != anyBroker {
		if int(partition) >= len(k.route.leaders) || k.route.leaders[partition] < 0 {
			k.out.Err, k.done = &kerror.Error{Code: kerror.UnknownTopicOrPartition}, true
			return
		}
		to = c.Name(k.route.leaders[partition])
	}
	c.send(ctx, k, to, sim.ConnClient, req)
}

const adminTimeoutMs = 60000 // default.api.timeout.ms

func errorOf(code int16, message *string) *kerror.Error {
	if code == 0 {
		return nil
	}
	e := &kerror.Error{Code: kerror.Code(code)}
	if message != nil {
		e.Message = *message
	}
	return e
}

func (a CreateTopic) begin() call     { return &administering{adminCall: a} }
func (a CreateTopic) topic() string   { return a.Topic }
func (a AlterTopic) begin() call      { return &administering{adminCall: a} }
func (a AlterTopic) topic() string    { return a.Topic }
func (a AlterBroker) begin() call     { return &administering{adminCall: a} }
func (a AlterBroker) topic() string   { return "" }
func (a DeleteTopic) begin() call     { return &administering{adminCall: a} }
func (a DeleteTopic) topic() string   { return a.Topic }
func (a DeleteRecords) begin() call   { return &administering{adminCall: a} }
func (a DeleteRecords) topic() string { return a.Topic }

func (a CreateTopic) request(r route, step int) (kmsg.Request, int32) {
	if step > 0 {
		return nil, anyBroker
	}
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version, req.TimeoutMillis = 7, adminTimeoutMs
	t := kmsg.NewCreateTopicsRequestTopic()
	t.Topic, t.NumPartitions, t.ReplicationFactor = a.Topic, a.Partitions, a.Replicas
	assignment := a.Assignment
	if assignment == nil {
		assignment = dealOut(r.brokers, int(a.Partitions), int(a.Replicas))
	}
	if assignment != nil {
		t.NumPartitions, t.ReplicationFactor = -1, -1
	}
	for p, replicas := range assignment {
		ra := kmsg.NewCreateTopicsRequestTopicReplicaAssignment()
		ra.Partition, ra.Replicas = int32(p), replicas
		t.ReplicaAssignment = append(t.ReplicaAssignment, ra)
	}
	for _, s := range a.Configs {
		cfg := kmsg.NewCreateTopicsRequestTopicConfig()
		cfg.Name, cfg.Value = s.Name, &s.Value
		t.Configs = append(t.Configs, cfg)
	}
	req.Topics = append(req.Topics, t)
	return req, anyBroker
}

func (a CreateTopic) read(out *Administered, resp kmsg.Response) {
	t := &resp.(*kmsg.CreateTopicsResponse).Topics[0]
	out.Err, out.ID = errorOf(t.ErrorCode, t.ErrorMessage), t.TopicID
	out.Partitions, out.Replicas = int(t.NumPartitions), int(t.ReplicationFactor)
}

// maxDealtOut is how many partitions a client places itself; more than the
// controller takes in one request are left to its refusal.
const maxDealtOut = 10_000

// dealOut gives partition p the replicas p, p+1, … of the live brokers, nil if
// that cannot be.
func dealOut(brokers []int32, partitions, replicas int) [][]int32 {
	if partitions < 1 || partitions > maxDealtOut || replicas < 1 || replicas > len(brokers) {
		return nil
	}
	placed := make([][]int32, partitions)
	for p := range placed {
		for r := range replicas {
			placed[p] = append(placed[p], brokers[(p+r)%len(brokers)])
		}
	}
	return placed
}

func (a AlterTopic) request(r route, step int) (kmsg.Request, int32) {
	if !a.Grow {
		step++
	}
	switch {
	case step == 0:
		req := kmsg.NewPtrCreatePartitionsRequest()
		req.Version, req.TimeoutMillis = 3, adminTimeoutMs
		t := kmsg.NewCreatePartitionsRequestTopic()
		t.Topic, t.Count = a.Topic, a.Partitions
		for _, replicas := range a.more(r) {
			ra := kmsg.NewCreatePartitionsRequestTopicAssignment()
			ra.Replicas = replicas
			t.Assignment = append(t.Assignment, ra)
		}
		req.Topics = append(req.Topics, t)
		return req, anyBroker
	case step == 1 && len(a.Configs) > 0:
		return alterRequest(metadata.ResourceTopic, a.Topic, a.Configs), anyBroker
	}
	return nil, anyBroker
}

// more deals out the partitions to be added, on from where those that are
// there would have ended.
func (a AlterTopic) more(r route) [][]int32 {
	have := len(r.leaders)
	placed := dealOut(r.brokers, int(a.Partitions), r.replicas)
	if have == 0 || len(placed) <= have {
		return nil
	}
	return placed[have:]
}

func (a AlterTopic) read(out *Administered, resp kmsg.Response) { readAltered(out, resp) }

func (a AlterBroker) request(r route, step int) (kmsg.Request, int32) {
	if step > 0 {
		return nil, anyBroker
	}
	return alterRequest(metadata.ResourceBroker, strconv.Itoa(int(a.Broker)), a.Configs), anyBroker
}

// broker is whom a change of a broker's configs is sent to: itself.
func (a AlterBroker) broker() int32 { return a.Broker }

func (a AlterBroker) read(out *Administered, resp kmsg.Response) { readAltered(out, resp) }

func alterRequest(kind int8, name string, settings []Setting) kmsg.Request {
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	req.Version = 1
	r := kmsg.NewIncrementalAlterConfigsRequestResource()
	r.ResourceType, r.ResourceName = kmsg.ConfigResourceType(kind), name
	for _, s := range settings {
		cfg := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		cfg.Name, cfg.Value, cfg.Op = s.Name, &s.Value, kmsg.IncrementalAlterConfigOpSet
		r.Configs = append(r.Configs, cfg)
	}
	req.Resources = append(req.Resources, r)
	return req
}

func readAltered(out *Administered, resp kmsg.Response) {
	switch resp := resp.(type) {
	case *kmsg.CreatePartitionsResponse:
		out.Err = errorOf(resp.Topics[0].ErrorCode, resp.Topics[0].ErrorMessage)
	case *kmsg.IncrementalAlterConfigsResponse:
		out.Err = errorOf(resp.Resources[0].ErrorCode, resp.Resources[0].ErrorMessage)
	}
}

func (a DeleteTopic) request(r route, step int) (kmsg.Request, int32) {
	if step > 0 {
		return nil, anyBroker
	}
	req := kmsg.NewPtrDeleteTopicsRequest()
	req.Version, req.TimeoutMillis = 6, adminTimeoutMs
	t := kmsg.NewDeleteTopicsRequestTopic()
	t.Topic = &a.Topic
	req.Topics = append(req.Topics, t)
	return req, anyBroker
}

func (a DeleteTopic) read(out *Administered, resp kmsg.Response) {
	t := &resp.(*kmsg.DeleteTopicsResponse).Topics[0]
	out.Err = errorOf(t.ErrorCode, t.ErrorMessage)
}

func (a DeleteRecords) request(r route, step int) (kmsg.Request, int32) {
	if step > 0 {
		return nil, anyBroker
	}
	req := kmsg.NewPtrDeleteRecordsRequest()
	req.Version, req.TimeoutMillis = 2, adminTimeoutMs
	t := kmsg.NewDeleteRecordsRequestTopic()
	t.Topic = a.Topic
	p := kmsg.NewDeleteRecordsRequestTopicPartition()
	p.Partition, p.Offset = a.Partition, a.Before
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	return req, a.Partition
}

// ElectLeader holds an election for a partition by hand.
type ElectLeader struct {
	Topic     string
	Partition int32
	Unclean   bool
}

func (a ElectLeader) begin() call   { return &administering{adminCall: a} }
func (a ElectLeader) topic() string { return a.Topic }

func (a ElectLeader) request(r route, step int) (kmsg.Request, int32) {
	if step > 0 {
		return nil, anyBroker
	}
	req := kmsg.NewPtrElectLeadersRequest()
	req.Version, req.TimeoutMillis = 2, adminTimeoutMs
	if a.Unclean {
		req.ElectionType = 1
	}
	t := kmsg.NewElectLeadersRequestTopic()
	t.Topic, t.Partitions = a.Topic, []int32{a.Partition}
	req.Topics = append(req.Topics, t)
	return req, anyBroker
}

func (a ElectLeader) read(out *Administered, resp kmsg.Response) {
	msg := resp.(*kmsg.ElectLeadersResponse)
	if out.Err = errorOf(msg.ErrorCode, nil); out.Err == nil {
		p := &msg.Topics[0].Partitions[0]
		out.Err = errorOf(p.ErrorCode, p.ErrorMessage)
	}
}

func (a DeleteRecords) read(out *Administered, resp kmsg.Response) {
	p := &resp.(*kmsg.DeleteRecordsResponse).Topics[0].Partitions[0]
	out.Err, out.Start = errorOf(p.ErrorCode, nil), p.LowWatermark
}
