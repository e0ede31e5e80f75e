package broker

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// volumeBytes is the size that the volume under a log directory is said to
// have: disks in memory have none.
const volumeBytes = 1 << 40

// describeLogDirs tells how large the replicas in the broker's log directory
// are and how far each is behind its own high watermark (KIP-113).
// Source: ReplicaManager#describeLogDirs.
func (b *Broker) describeLogDirs(msg *kmsg.DescribeLogDirsRequest) *kmsg.DescribeLogDirsResponse {
	resp := kmsg.NewPtrDescribeLogDirsResponse()
	dir := kmsg.NewDescribeLogDirsResponseDir()
	dir.Dir = b.logDir()
	if b.diskFailed {
		dir.ErrorCode = int16(kerror.KafkaStorageError)
		resp.Dirs = append(resp.Dirs, dir)
		return resp
	}
	used := int64(0)
	for _, p := range b.sorted() {
		used += p.log.Size()
		if !wantsDir(msg, p.tp) {
			continue
		}
		if n := len(dir.Topics); n == 0 || dir.Topics[n-1].Topic != p.topic {
			t := kmsg.NewDescribeLogDirsResponseDirTopic()
			t.Topic = p.topic
			dir.Topics = append(dir.Topics, t)
		}
		x := kmsg.NewDescribeLogDirsResponseDirTopicPartition()
		x.Partition, x.Size, x.OffsetLag = p.partition, p.log.Size(), max(p.log.HighWatermark()-p.log.LogEndOffset(), 0)
		t := &dir.Topics[len(dir.Topics)-1]
		t.Partitions = append(t.Partitions, x)
	}
	dir.TotalBytes, dir.UsableBytes = volumeBytes, max(volumeBytes-used, 0)
	resp.Dirs = append(resp.Dirs, dir)
	return resp
}

func wantsDir(msg *kmsg.DescribeLogDirsRequest, key tp) bool {
	return msg.Topics == nil || slices.ContainsFunc(msg.Topics, func(t kmsg.DescribeLogDirsRequestTopic) bool {
		return t.Topic == key.topic && slices.Contains(t.Partitions, key.partition)
	})
}
