package storage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/disk"
)

// The checkpoint files at the root of a log directory.
const (
	RecoveryPointFile  = "recovery-point-offset-checkpoint" // first offset not known to be flushed
	LogStartOffsetFile = "log-start-offset-checkpoint"      // only logs that begin inside their first segment
	HighWatermarkFile  = "replication-offset-checkpoint"    // high watermarks
	CleanerOffsetFile  = "cleaner-offset-checkpoint"        // first dirty offset of each compacted log
)

// checkpointVersion is the only version of the text format there has been.
const checkpointVersion = 0

// A checkpoint is a text file: the version, the number of entries, then one
// entry a line (org.apache.kafka.server.common.CheckpointFile).

func formatCheckpoint(entries []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d\n%d\n", checkpointVersion, len(entries))
	for _, e := range entries {
		b.WriteString(e)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// parseCheckpoint gives the entries' lines. An empty file has none.
func parseCheckpoint(data []byte) ([]string, error) {
	if len(data) == 0 {
		return nil, nil
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	version, err := strconv.Atoi(lines[0])
	if err != nil || version != checkpointVersion {
		return nil, fmt.Errorf("line 1: version %q, only %d is known", lines[0], checkpointVersion)
	}
	if len(lines) < 2 {
		return nil, errors.New("line 2: the number of entries is missing")
	}
	count, err := strconv.Atoi(lines[1])
	if err != nil || count < 0 {
		return nil, fmt.Errorf("line 2: %q, want the number of entries", lines[1])
	}
	if len(lines)-2 != count {
		return nil, fmt.Errorf("line 2: %d entries declared, %d found", count, len(lines)-2)
	}
	return lines[2:], nil
}

// TopicPartition names a partition in a checkpoint.
type TopicPartition struct {
	Topic     string
	Partition int32
}

// OffsetCheckpoint is a file of one offset for each partition.
type OffsetCheckpoint map[TopicPartition]int64

// Get is a partition's offset, 0 when it is not listed.
func (c OffsetCheckpoint) Get(topic string, partition int32) int64 {
	return c[TopicPartition{topic, partition}]
}

// Set lists a partition's offset.
func (c OffsetCheckpoint) Set(topic string, partition int32, offset int64) {
	c[TopicPartition{topic, partition}] = offset
}

// Remove takes a partition off the list.
func (c OffsetCheckpoint) Remove(topic string, partition int32) {
	delete(c, TopicPartition{topic, partition})
}

// Partitions lists the partitions by topic and number.
func (c OffsetCheckpoint) Partitions() []TopicPartition {
	list := make([]TopicPartition, 0, len(c))
	// order: sorted below
	for tp := range c {
		list = append(list, tp)
	}
	slices.SortFunc(list, func(a, b TopicPartition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return list
}

// Format is the file's contents. Kafka writes the entries in the order of a
// hash map; here they are sorted, so that a run can be repeated.
func (c OffsetCheckpoint) Format() []byte {
	entries := make([]string, 0, len(c))
	for _, tp := range c.Partitions() {
		entries = append(entries, fmt.Sprintf("%s %d %d", tp.Topic, tp.Partition, c[tp]))
	}
	return formatCheckpoint(entries)
}

// ParseOffsetCheckpoint reads the contents of a checkpoint file.
func ParseOffsetCheckpoint(data []byte) (OffsetCheckpoint, error) {
	lines, err := parseCheckpoint(data)
	if err != nil {
		return nil, err
	}
	c := OffsetCheckpoint{}
	for i, line := range lines {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: %q, want: topic partition offset", i+3, line)
		}
		partition, err1 := strconv.ParseInt(fields[1], 10, 32)
		offset, err2 := strconv.ParseInt(fields[2], 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", i+3, line, err)
		}
		c.Set(fields[0], int32(partition), offset)
	}
	return c, nil
}

// ReadOffsetCheckpoint reads a checkpoint file; one that is not there has no
// entries. The error names the file and the line.
func ReadOffsetCheckpoint(d disk.FS, name string) (OffsetCheckpoint, error) {
	data, err := disk.ReadFile(d, name)
	if errors.Is(err, fs.ErrNotExist) {
		return OffsetCheckpoint{}, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := ParseOffsetCheckpoint(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// WriteOffsetCheckpoint replaces a checkpoint file, durably.
func WriteOffsetCheckpoint(d disk.FS, name string, c OffsetCheckpoint) error {
	return disk.WriteFileAtomic(d, name, c.Format())
}
