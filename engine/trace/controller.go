package trace

import "fmt"

// MetadataAppended is a batch of decisions in the cluster metadata log.
type MetadataAppended struct {
	Base    int64  `json:"base"`
	Records int    `json:"records"`
	First   string `json:"first"` // the kind of the first record, as Topic
}

func (m MetadataAppended) Line() string {
	return fmt.Sprintf("writes %s of metadata at %d, first a %s record", plural(m.Records, "record"), m.Base, m.First)
}

// MetadataApplied is a broker's image moving on.
type MetadataApplied struct {
	Broker int32 `json:"broker"`
	Offset int64 `json:"offset"` // the next offset it will ask for
}

func (m MetadataApplied) Line() string {
	return fmt.Sprintf("has replayed the metadata log up to %d", m.Offset)
}

// BrokerRegistered is a broker that the controller took in, still fenced.
type BrokerRegistered struct {
	Broker int32 `json:"broker"`
	Epoch  int64 `json:"epoch"`
}

func (b BrokerRegistered) Line() string {
	return fmt.Sprintf("registers broker-%d with broker epoch %d", b.Broker, b.Epoch)
}

// BrokerUnfenced is a broker that may lead and follow from now on.
type BrokerUnfenced struct {
	Broker int32 `json:"broker"`
}

func (b BrokerUnfenced) Line() string { return fmt.Sprintf("unfences broker-%d", b.Broker) }

// BrokerFenced is a broker that was not heard from in time, or that has left:
// it leads nothing and is in no ISR until it is unfenced.
type BrokerFenced struct {
	Broker        int32 `json:"broker"`
	LastContactMs int64 `json:"last_contact_ms"` // since the last heartbeat
}

func (b BrokerFenced) Line() string {
	return fmt.Sprintf("fences broker-%d, last heard of %d ms ago", b.Broker, b.LastContactMs)
}

// BrokerLeaving is a broker that has asked to shut down.
type BrokerLeaving struct {
	Broker int32 `json:"broker"`
}

func (b BrokerLeaving) Line() string {
	return fmt.Sprintf("takes broker-%d out of leaderships and ISRs, it wants to shut down", b.Broker)
}

// LeaderElected is a partition's new leader, -1 for none.
type LeaderElected struct {
	Partition string `json:"partition"`
	Leader    int32  `json:"leader"`
	Epoch     int32  `json:"epoch"`
	Unclean   bool   `json:"unclean"`
}

func (l LeaderElected) Line() string {
	if l.Leader < 0 {
		return fmt.Sprintf("finds no leader for %s, epoch %d", l.Partition, l.Epoch)
	}
	how := ""
	if l.Unclean {
		how = ", uncleanly"
	}
	return fmt.Sprintf("elects broker-%d leader of %s, epoch %d%s", l.Leader, l.Partition, l.Epoch, how)
}

// IsrChanged is an ISR as the controller has committed it.
type IsrChanged struct {
	Partition      string  `json:"partition"`
	Isr            []int32 `json:"isr"`
	PartitionEpoch int32   `json:"partition_epoch"`
}

func (i IsrChanged) Line() string {
	return fmt.Sprintf("commits the ISR %s of %s, partition epoch %d", idsText(i.Isr), i.Partition, i.PartitionEpoch)
}

func idsText(ids []int32) string {
	s := ""
	for n, id := range ids {
		if n > 0 {
			s += ","
		}
		s += fmt.Sprint(id)
	}
	return s
}

// TopicCreated is a topic with all its partitions placed.
type TopicCreated struct {
	Topic      string `json:"topic"`
	Partitions int    `json:"partitions"`
	Replicas   int    `json:"replicas"`
}

func (t TopicCreated) Line() string {
	return fmt.Sprintf("creates topic %s: %s, %s each", t.Topic, plural(t.Partitions, "partition"), plural(t.Replicas, "replica"))
}

// TopicDeleted is a topic that is gone from the metadata.
type TopicDeleted struct {
	Topic string `json:"topic"`
}

func (t TopicDeleted) Line() string { return "deletes topic " + t.Topic }

// ConfigChanged is a config of a topic or a broker with its new value.
type ConfigChanged struct {
	Resource string `json:"resource"`
	Name     string `json:"name"`
	Value    string `json:"value"` // empty when the override was taken away
}

func (c ConfigChanged) Line() string {
	if c.Value == "" {
		return fmt.Sprintf("takes %s of %s back to its default", c.Name, c.Resource)
	}
	return fmt.Sprintf("sets %s=%s for %s", c.Name, c.Value, c.Resource)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
