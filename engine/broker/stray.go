package broker

import (
	"fmt"
	"path"
	"slices"

	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// findStrays looks, once after the start, for logs that the cluster does not
// know any more: their topic was deleted while this broker was down, perhaps
// with another made in its name, or the replica was moved away. They are renamed,
// so that a new log can be made, and stay for whoever wants to look into them.
// Source: LogManager#loadLog, BrokerMetadataPublisher#initializeManagers.
func (b *Broker) findStrays() {
	dirs, _, err := storage.PartitionDirs(b.FS)
	if err != nil {
		b.fail(err)
		return
	}
	for _, dir := range dirs {
		topic, partition, _, _ := storage.ParseDirName(path.Base(dir))
		id, known, err := storage.ReadTopicID(b.FS, dir)
		if err != nil {
			b.fail(err)
			return
		}
		if topic == metadata.TopicName {
			continue
		}
		why := "it has no topic id" // and so nothing was ever appended to it
		if known {
			why = b.stray(id, partition)
		}
		if why != "" {
			b.setAside(dir, tp{topic, partition}, why)
		}
		if b.failed() {
			return
		}
	}
}

// stray tells why a log is one, "" if it is not.
func (b *Broker) stray(id [16]byte, partition int32) string {
	t := b.image.TopicByID(id)
	switch {
	case t == nil:
		return fmt.Sprintf("its topic id %s is not known", storage.FormatUUID(id))
	case int(partition) >= len(t.Partitions):
		return fmt.Sprintf("the topic has %d partitions", len(t.Partitions))
	case !slices.Contains(t.Partitions[partition].Replicas, b.ID):
		return fmt.Sprintf("its replicas are %s", idList(t.Partitions[partition].Replicas))
	}
	return ""
}

func (b *Broker) setAside(dir string, key tp, why string) {
	id := sim.UUID(b.ctx.Rand("stray.id"))
	to := path.Join(path.Dir(dir), storage.StrayDirName(path.Base(dir), fmt.Sprintf("%x", id)))
	if err := b.FS.Rename(dir, to); err != nil {
		b.fail(err)
		return
	}
	for _, c := range []storage.OffsetCheckpoint{b.points.recovery, b.points.start, b.points.hw, b.points.cleaner} {
		c.Remove(key.topic, key.partition)
	}
	b.emit(trace.LogSetAside{Partition: key.String(), Dir: to, Why: why})
}
