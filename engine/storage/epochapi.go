package storage

import (
	"slices"

	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
)

// AssignEpoch notes that a leader's epoch begins at an offset: what a broker
// does when it becomes leader, before it appends anything.
func (l *Log) AssignEpoch(epoch int32, start int64) {
	if l.check() != nil {
		return
	}
	l.assignEpoch(epoch, start)
}

func (l *Log) assignEpoch(epoch int32, start int64) *kerror.Error {
	fresh, err := l.epochs.assign(epoch, start)
	if err != nil {
		return l.storageError("writing the leader epochs of", err)
	}
	if fresh {
		l.tell(trace.EpochStarted{Partition: l.label, Epoch: epoch, Start: start})
	}
	return nil
}

// LatestEpoch is the newest leader epoch that the log knows of; ok is false and
// the epoch NoEpoch when it knows none.
func (l *Log) LatestEpoch() (epoch int32, ok bool) {
	e, ok := l.epochs.latest()
	return e.Epoch, ok
}

// EndOffsetFor tells the newest epoch at or before the one asked for, and the
// offset at which it ended: the log's end for the latest. A follower compares
// it with its own and truncates to what both have. NoEpoch and NoOffset stand
// for an epoch that the log cannot know (LeaderEpochFileCache#endOffsetFor).
func (l *Log) EndOffsetFor(epoch int32) (int32, int64) { return l.epochs.endOffsetFor(epoch, l.end) }

// Epochs lists the epochs that the log knows of, oldest first.
func (l *Log) Epochs() []EpochStart { return slices.Clone(l.epochs.list) }
