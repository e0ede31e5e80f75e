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
