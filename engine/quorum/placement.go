package quorum

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// place decides which brokers hold each partition of a new topic: as the
// request says, or dealt out by the controller.
func (c *Controller) place(ctx *sim.Ctx, t *kmsg.CreateTopicsRequestTopic) ([][]int32, *kerror.Error) {
	if len(t.ReplicaAssignment) > 0 {
		return c.placeByHand(t)
	}
	partitions, factor := int(t.NumPartitions), int(t.ReplicationFactor)
	switch {
	case factor < -1 || factor == 0:
		return nil, kerror.New(kerror.InvalidReplicationFactor, "Replication factor must be larger than 0, or -1 to use the default value.")
	case partitions < -1 || partitions == 0:
		return nil, kerror.New(kerror.InvalidPartitions, "Number of partitions was set to an invalid non-positive value.")
	}
	if partitions == -1 {
		partitions = int(c.int("num.partitions"))
	}
	if factor == -1 {
		factor = int(c.int("default.replication.factor"))
	}
	placed, kerr := c.stripe(ctx, partitions, factor)
	if kerr != nil {
		return nil, kerror.New(kerr.Code, "Unable to replicate the partition %d time(s): %s", factor, kerr.Message)
	}
	return placed, nil
}

func (c *Controller) placeByHand(t *kmsg.CreateTopicsRequestTopic) ([][]int32, *kerror.Error) {
	if t.ReplicationFactor != -1 {
		return nil, kerror.New(kerror.InvalidRequest, "A manual partition assignment was specified, but replication factor was not set to -1.")
	}
	if t.NumPartitions != -1 {
		return nil, kerror.New(kerror.InvalidRequest, "A manual partition assignment was specified, but numPartitions was not set to -1.")
	}
	byNumber := map[int32][]int32{}
	factor := -1
	for _, a := range t.ReplicaAssignment {
		if byNumber[a.Partition] != nil {
			return nil, kerror.New(kerror.InvalidReplicaAssignment, "Found multiple manual partition assignments for partition %d", a.Partition)
		}
		if kerr := c.checkAssignment(a.Partition, a.Replicas, factor); kerr != nil {
			return nil, kerr
		}
		byNumber[a.Partition], factor = a.Replicas, len(a.Replicas)
	}
	placed := make([][]int32, len(byNumber))
	for i := range placed {
		if placed[i] = byNumber[int32(i)]; placed[i] == nil {
			return nil, kerror.New(kerror.InvalidReplicaAssignment, "partitions should be a consecutive 0-based integer sequence")
		}
	}
	return placed, nil
}

// checkAssignment holds one partition's replicas against the rules of
// ReplicationControlManager#validateManualPartitionAssignment, and wants one of
// them to be there to lead; factor is how many the partitions before it have, -1
// for the first.
func (c *Controller) checkAssignment(partition int32, replicas []int32, factor int) *kerror.Error {
	if len(replicas) == 0 {
		return kerror.New(kerror.InvalidReplicaAssignment, "The manual partition assignment includes an empty replica list.")
	}
	sorted := slices.Sorted(slices.Values(replicas))
	for i, r := range sorted {
		if c.image.Brokers[r] == nil {
			return kerror.New(kerror.InvalidReplicaAssignment, "The manual partition assignment includes broker %d, but no such broker is registered.", r)
		}
		if i > 0 && sorted[i-1] == r {
			return kerror.New(kerror.InvalidReplicaAssignment, "The manual partition assignment includes the broker %d more than once.", r)
		}
	}
	if factor >= 0 && len(replicas) != factor {
		return kerror.New(kerror.InvalidReplicaAssignment,
			"The manual partition assignment includes a partition with %d replica(s), but this is not consistent with previous partitions, which have %d replica(s).",
			len(replicas), factor)
	}
	if !slices.ContainsFunc(replicas, c.image.Active) {
		return kerror.New(kerror.InvalidReplicaAssignment,
			"All brokers specified in the manual partition assignment for partition %d are fenced or in controlled shutdown.", partition)
	}
	return nil
}

// stripe deals partitions out as Kafka's StripedReplicaPlacer does in a
// cluster without racks: shuffle the brokers, start somewhere, give each
// partition the next leader and the brokers after it as followers; after as
// many partitions as there are brokers, shuffle again. A fenced broker never
// comes first.
func (c *Controller) stripe(ctx *sim.Ctx, partitions, factor int) ([][]int32, *kerror.Error) {
	var active, fenced []int32
	for _, id := range c.image.BrokerIDs() {
		if c.image.Active(id) {
			active = append(active, id)
		} else {
			fenced = append(fenced, id)
		}
	}
	all := len(active) + len(fenced)
	if factor > all {
		return nil, kerror.New(kerror.InvalidReplicationFactor,
			"The target replication factor of %d cannot be reached because only %d broker(s) are registered or some brokers have all their log directories cordoned.",
			factor, all)
	}
	if len(active) == 0 {
		return nil, kerror.New(kerror.InvalidReplicationFactor, "All brokers are currently fenced or have all their log directories cordoned.")
	}
	r := ctx.Rand("placement")
	placed := make([][]int32, 0, partitions)
	start := 0
	for p := range partitions {
		if p%len(active) == 0 {
			r.Shuffle(len(active), func(i, j int) { active[i], active[j] = active[j], active[i] })
			start = r.IntN(len(active))
		}
		lead := (start + p) % len(active)
		ring := append(append(slices.Clone(active[lead:]), active[:lead]...), fenced...)
		placed = append(placed, ring[:factor])
	}
	return placed, nil
}
