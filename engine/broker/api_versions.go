package broker

import (
	"maps"
	"regexp"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// served are the requests that this broker answers, with Kafka 4.4's own range
// of versions. A name that stands here has a file of its own in this package,
// or is forwarded to the controller.
var served = []struct{ key, min, max int16 }{
	{produceKey, 3, 13}, // Produce
	{1, 4, 18},          // Fetch
	{2, 1, 11},          // ListOffsets
	{3, 0, 13},          // Metadata
	{18, 0, 5},          // ApiVersions
	{19, 2, 7},          // CreateTopics
	{20, 1, 6},          // DeleteTopics
	{21, 0, 2},          // DeleteRecords
	{22, 0, 5},          // InitProducerId
	{23, 2, 4},          // OffsetForLeaderEpoch
	{32, 1, 4},          // DescribeConfigs
	{33, 0, 2},          // AlterConfigs
	{35, 1, 5},          // DescribeLogDirs
	{37, 0, 3},          // CreatePartitions
	{43, 0, 2},          // ElectLeaders
	{44, 0, 1},          // IncrementalAlterConfigs
	{60, 0, 2},          // DescribeCluster
	{75, 0, 0},          // DescribeTopicPartitions
}

const produceKey = 0

// softwareName is what a client may call itself and its version (KIP-511).
var softwareName = regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$`)

// apiVersions lists what the broker serves, and no more (KIP-35), and the
// features of the cluster (KIP-584). A client that says which broker of which
// cluster it believes to be talking to, and is wrong, is told to begin anew
// (KIP-1242).
// Source: KafkaApis#handleApiVersionsRequest, DefaultApiVersionManager.
func (b *Broker) apiVersions(msg *kmsg.ApiVersionsRequest) *kmsg.ApiVersionsResponse {
	resp := kmsg.NewPtrApiVersionsResponse()
	if code := b.checkApiVersions(msg); code != kerror.None {
		resp.ErrorCode = int16(code)
		return resp
	}
	for _, s := range served {
		k := kmsg.NewApiVersionsResponseApiKey()
		k.ApiKey, k.MinVersion, k.MaxVersion = s.key, s.min, s.max
		if s.key == produceKey {
			// Old librdkafka takes a broker without version 0 for one that
			// cannot be produced to (ApiKeys#PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION).
			k.MinVersion = 0
		}
		resp.ApiKeys = append(resp.ApiKeys, k)
	}
	b.features(msg.Version, resp)
	return resp
}

func (b *Broker) checkApiVersions(msg *kmsg.ApiVersionsRequest) kerror.Code {
	if msg.Version >= 3 && !(softwareName.MatchString(msg.ClientSoftwareName) && softwareName.MatchString(msg.ClientSoftwareVersion)) {
		return kerror.InvalidRequest
	}
	if msg.Version < 5 {
		return kerror.None
	}
	switch {
	case (msg.ClusterID == nil) != (msg.NodeID == -1):
		return kerror.InvalidRequest
	case msg.ClusterID != nil && (*msg.ClusterID != b.meta.ClusterID || msg.NodeID != b.ID):
		return kerror.RebootstrapRequired
	}
	return kerror.None
}

// features tells which features this broker knows and at which level the
// cluster has them. Clients before version 4 cannot read a range that begins
// with 0, and are not told of it.
func (b *Broker) features(version int16, resp *kmsg.ApiVersionsResponse) {
	for _, f := range supportedFeatures {
		if version < 4 && f.Min == 0 {
			continue
		}
		k := kmsg.NewApiVersionsResponseSupportedFeature()
		k.Name, k.MinVersion, k.MaxVersion = f.Name, f.Min, f.Max
		resp.SupportedFeatures = append(resp.SupportedFeatures, k)
	}
	resp.FinalizedFeaturesEpoch = b.metaOffset - 1
	for _, name := range slices.Sorted(maps.Keys(b.image.Features)) {
		level := b.image.Features[name]
		if level == 0 {
			continue
		}
		k := kmsg.NewApiVersionsResponseFinalizedFeature()
		k.Name, k.MinVersionLevel, k.MaxVersionLevel = name, level, level
		resp.FinalizedFeatures = append(resp.FinalizedFeatures, k)
	}
}
