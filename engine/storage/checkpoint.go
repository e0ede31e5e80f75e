package storage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

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

// parseCheckpoint gives the entries' lines. An empty file has none, and neither
// has one that ends after its version (CheckpointFile.CheckpointReadBuffer#read).
func parseCheckpoint(data []byte) ([]string, error) {
	lines := javaLines(data)
	if len(lines) == 0 {
		return nil, nil
	}
	if version, err := strconv.ParseInt(lines[0], 10, 32); err != nil || version != checkpointVersion {
		return nil, badLine(1, "version %q, only %d is known", lines[0], checkpointVersion)
	}
	if len(lines) < 2 {
		return nil, nil
	}
	count, err := strconv.ParseInt(lines[1], 10, 32)
	switch {
	case err != nil:
		return nil, badLine(2, "%q, want the number of entries", lines[1])
	case count < 0:
		return nil, unchecked(2, "%d entries, want 0 or more", count)
	}
	return lines[2:], nil
}

// checkCount holds the number of entries that a checkpoint declares against
// those that were read: Kafka reads them first.
func checkCount(data []byte, entries []string) error {
	if lines := javaLines(data); len(lines) > 1 && lines[1] != strconv.Itoa(len(entries)) {
		if count, _ := strconv.Atoi(lines[1]); count != len(entries) {
			return badLine(2, "%d entries declared, %d found", count, len(entries))
		}
	}
	return nil
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
		fields := javaFields(line)
		if len(fields) != 3 {
			return nil, badLine(i+3, "%q, want: topic partition offset", line)
		}
		n, err := numbers(i+3, fields[1:], 32, 64)
		if err != nil {
			return nil, err
		}
		c.Set(fields[0], int32(n[0]), n[1])
	}
	return c, checkCount(data, lines)
}

// ReadOffsetCheckpoint reads a checkpoint file; one that is not there has no
// entries. What is wrong with one is a TextError.
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
		return nil, inFile(name, err)
	}
	return c, nil
}

// WriteOffsetCheckpoint replaces a checkpoint file, durably.
func WriteOffsetCheckpoint(d disk.FS, name string, c OffsetCheckpoint) error {
	return disk.WriteFileAtomic(d, name, c.Format())
}
