package trace

import (
	"maps"
	"slices"
	"sync"
)

// bodies has one of each kind of event, so that scripts can be told at once
// that they name one that does not exist.
var bodies = []Body{
	CommandGiven{}, MessageSent{}, MessageReceived{}, MessageLost{},
	MetadataAppended{}, MetadataApplied{}, BrokerRegistered{}, BrokerUnfenced{}, BrokerFenced{}, BrokerLeaving{}, LeaderElected{}, IsrChanged{}, TopicCreated{}, TopicDeleted{}, ConfigChanged{},
	BecameLeader{}, BecameFollower{}, HighWatermarkMoved{}, FollowerHighWatermarkMoved{},
	ProducerIDGranted{}, ProducerEpochBumped{}, BatchClosed{}, BatchSent{}, BatchRetried{}, BatchDone{},
	IsrShrunk{}, IsrExpanded{}, IsrSettled{}, FetcherStalled{}, FetcherResumed{}, FollowerFailed{}, LogSetAside{}, LogNotOpened{}, FolderRemoved{}, LogDirFailed{}, BrokerDied{}, BrokerGaveUp{}, ShutdownNotApproved{}, Diverged{}, NodeDown{}, NodeUp{},
	ProduceParked{}, FetchParked{}, OffsetLookup{}, RecordsFetched{}, RequestRefused{}, ReplicaDeleted{}, CheckpointWritten{},
}

// kinds has the field names of each kind.
var kinds = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, b := range slices.Concat(bodies, logBodies, cleanerBodies, connectionBodies) {
		m[KindOf(b)] = FieldNames(b)
	}
	return m
})

// Kinds lists the kinds of events by name.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds())) }

// Fields lists the fields of a kind, in order; known is false for a kind that
// does not exist.
func Fields(kind string) (names []string, known bool) {
	names, known = kinds()[kind]
	return names, known
}
