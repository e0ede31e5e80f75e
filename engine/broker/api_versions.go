package broker

import "github.com/twmb/franz-go/pkg/kmsg"

// served are the requests that this broker answers, with their versions. A
// name that stands here has a file of its own in this package.
var served = []struct{ key, min, max int16 }{
	{0, 3, 13}, // Produce
	{1, 4, 17}, // Fetch
	{2, 1, 10}, // ListOffsets
	{3, 0, 13}, // Metadata
	{18, 0, 4}, // ApiVersions
	{19, 2, 7}, // CreateTopics
	{20, 1, 6}, // DeleteTopics
	{21, 0, 2}, // DeleteRecords
	{22, 0, 4}, // InitProducerId
	{23, 2, 4}, // OffsetForLeaderEpoch
	{32, 1, 4}, // DescribeConfigs
	{37, 0, 3}, // CreatePartitions
	{43, 0, 2}, // ElectLeaders
	{44, 0, 1}, // IncrementalAlterConfigs
}

// apiVersions lists what the broker serves, and no more (KIP-35).
func apiVersions() *kmsg.ApiVersionsResponse {
	resp := kmsg.NewPtrApiVersionsResponse()
	for _, s := range served {
		k := kmsg.NewApiVersionsResponseApiKey()
		k.ApiKey, k.MinVersion, k.MaxVersion = s.key, s.min, s.max
		resp.ApiKeys = append(resp.ApiKeys, k)
	}
	return resp
}
