package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"kafkalab/engine/disk"
)

const leaderEpochFile = "leader-epoch-checkpoint"

// NoEpoch and NoOffset are what EndOffsetFor tells when it knows nothing
// (OffsetsForLeaderEpochResponse#UNDEFINED_EPOCH, UNDEFINED_EPOCH_OFFSET).
const (
	NoEpoch  = -1
	NoOffset = -1
)

// EpochStart is the first offset that was written in a leader's epoch.
type EpochStart struct {
	Epoch int32
	Start int64
}

// FormatLeaderEpochs is the contents of a leader-epoch-checkpoint file
// (LeaderEpochCheckpointFile).
func FormatLeaderEpochs(list []EpochStart) []byte {
	entries := make([]string, len(list))
	for i, e := range list {
		entries[i] = fmt.Sprintf("%d %d", e.Epoch, e.Start)
	}
	return formatCheckpoint(entries)
}

// ParseLeaderEpochs reads the contents of a leader-epoch-checkpoint file.
func ParseLeaderEpochs(data []byte) ([]EpochStart, error) {
	lines, err := parseCheckpoint(data)
	if err != nil {
		return nil, err
	}
	var list []EpochStart
	for i, line := range lines {
		fields := javaFields(line)
		if len(fields) != 2 {
			return nil, badLine(i+3, "%q, want: epoch offset", line)
		}
		n, err := numbers(i+3, fields, 32, 64)
		if err != nil {
			return nil, err
		}
		if n[0] < 0 || n[1] < 0 {
			return nil, unchecked(i+3, "%q: epochs and offsets are not negative", line)
		}
		list = append(list, EpochStart{int32(n[0]), n[1]})
	}
	return list, checkCount(data, lines)
}

// epochCache knows where each leader epoch of a log begins, in memory and in
// the partition's leader-epoch-checkpoint file. With it a follower finds the
// offset up to which it agrees with its leader
// (org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache; KIP-101,
// KIP-279). Both epochs and offsets grow strictly along the list.
type epochCache struct {
	fs   disk.FS
	path string
	list []EpochStart
}

// openEpochs reads the file, or makes an empty one.
func openEpochs(d disk.FS, path string) (*epochCache, error) {
	c := &epochCache{fs: d, path: path}
	data, err := disk.ReadFile(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := d.Create(path)
		if err != nil {
			return nil, err
		}
		return c, f.Close()
	}
	if err != nil {
		return nil, err
	}
	list, err := ParseLeaderEpochs(data)
	if err != nil {
		return nil, inFile(path, err)
	}
	for _, e := range list {
		c.add(e)
	}
	return c, nil
}

func (c *epochCache) write() error {
	return disk.WriteFileAtomic(c.fs, c.path, FormatLeaderEpochs(c.list))
}

func (c *epochCache) latest() (EpochStart, bool) {
	if len(c.list) == 0 {
		return EpochStart{Epoch: NoEpoch, Start: NoOffset}, false
	}
	return c.list[len(c.list)-1], true
}

// add puts an entry at the end. What contradicts it goes: entries with its
// epoch or a higher one, or with its start or a later one.
func (c *epochCache) add(e EpochStart) bool {
	last, ok := c.latest()
	if ok && e.Epoch == last.Epoch && e.Start >= last.Start {
		return false // the epoch has begun already
	}
	n := len(c.list)
	for n > 0 && (c.list[n-1].Epoch >= e.Epoch || c.list[n-1].Start >= e.Start) {
		n--
	}
	c.list = append(c.list[:n], e)
	return true
}

// assign notes that an epoch begins at start, and tells whether that was new.
// Batches from before there were epochs have -1, which is none.
func (c *epochCache) assign(epoch int32, start int64) (bool, error) {
	if epoch < 0 || start < 0 || !c.add(EpochStart{epoch, start}) {
		return false, nil
	}
	return true, c.write()
}

// endOffsetFor tells the newest epoch at or before the one asked for, and
// where that ended: the end offset of the log for the latest one. NoEpoch and
// NoOffset stand for an epoch that the log cannot know.
func (c *epochCache) endOffsetFor(epoch int32, logEnd int64) (int32, int64) {
	last, ok := c.latest()
	if !ok || epoch == NoEpoch {
		return NoEpoch, NoOffset
	}
	if epoch == last.Epoch {
		return epoch, logEnd
	}
	higher := slices.IndexFunc(c.list, func(e EpochStart) bool { return e.Epoch > epoch })
	switch {
	case higher < 0: // newer than all that is known
		return NoEpoch, NoOffset
	case higher == 0: // older: its records are gone, the follower goes on from here
		return epoch, c.list[0].Start
	}
	return c.list[higher-1].Epoch, c.list[higher].Start
}

// forOffset tells in which epoch an offset was written, NoEpoch if unknown.
func (c *epochCache) forOffset(offset int64) int32 {
	i := len(c.list)
	for i > 0 && c.list[i-1].Start > offset {
		i--
	}
	if i == 0 {
		return NoEpoch
	}
	return c.list[i-1].Epoch
}

// truncateFromEnd drops the epochs that begin at or after end.
func (c *epochCache) truncateFromEnd(end int64) error {
	n := len(c.list)
	for n > 0 && c.list[n-1].Start >= end {
		n--
	}
	if n == len(c.list) {
		return nil
	}
	c.list = c.list[:n]
	return c.write()
}

// truncateFromStart drops the epochs that ended before start; the one in which
// start was written now begins there.
func (c *epochCache) truncateFromStart(start int64) error {
	i := 0
	for i < len(c.list) && c.list[i].Start <= start {
		i++
	}
	if i == 0 || i == 1 && c.list[0].Start == start {
		return nil
	}
	c.list = slices.Clone(c.list[i-1:])
	c.list[0].Start = start
	return c.write()
}

func (c *epochCache) clear() error {
	c.list = nil
	return c.write()
}
