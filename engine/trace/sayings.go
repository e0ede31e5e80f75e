package trace

import (
	"strconv"
	"strings"
)

// saying names the words for a message.
type saying struct {
	api      string
	response bool
}

var sayings = map[saying]func(summary) []string{
	{"Produce", false}:                 summary.produce,
	{"Produce", true}:                  summary.produced,
	{"Fetch", false}:                   summary.fetch,
	{"Fetch", true}:                    summary.fetched,
	{"ListOffsets", false}:             summary.listOffsets,
	{"ListOffsets", true}:              summary.listedOffsets,
	{"OffsetForLeaderEpoch", false}:    summary.leaderEpoch,
	{"OffsetForLeaderEpoch", true}:     summary.leaderEpochEnd,
	{"Metadata", false}:                summary.metadata,
	{"Metadata", true}:                 summary.clusterMetadata,
	{"AlterPartition", false}:          summary.alterPartition,
	{"AlterPartition", true}:           summary.alteredPartition,
	{"BrokerHeartbeat", false}:         summary.heartbeat,
	{"BrokerHeartbeat", true}:          summary.heartbeaten,
	{"BrokerRegistration", false}:      summary.registration,
	{"BrokerRegistration", true}:       summary.registered,
	{"InitProducerId", true}:           summary.producerID,
	{"InitProducerId", false}:          summary.transactionalID,
	{"AllocateProducerIds", true}:      summary.producerIDs,
	{"CreateTopics", false}:            summary.topicNames,
	{"DeleteTopics", false}:            summary.topicNames,
	{"CreatePartitions", false}:        summary.topicNames,
	{"DeleteRecords", false}:           summary.deleteRecords,
	{"DescribeConfigs", false}:         summary.resources,
	{"IncrementalAlterConfigs", false}: summary.resources,
	{"ApiVersions", true}:              summary.apiVersions,
	{"Envelope", false}:                summary.envelope,
}

func (s summary) produce() []string {
	words := []string{"acks=" + s.value("Acks")}
	if id := s.at("TransactionalId"); !id.null && id.Value != "" {
		words = append(words, "as "+id.Value)
	}
	return append(words, s.partitions("TopicData", "PartitionData", "Index", func(p summary) string {
		records := int64(0)
		for _, b := range Batches(p.at("Records").Data) {
			records += int64(b.Count)
		}
		return " " + counted(records, "record")
	})...)
}

func (s summary) produced() []string {
	return s.partitions("Responses", "PartitionResponses", "Index", func(p summary) string {
		if code := p.failed(); code != "" {
			return " " + code
		}
		return " base " + p.value("BaseOffset")
	})
}

// fetch names the epoch once where all partitions have it, as they mostly do.
func (s summary) fetch() (words []string) {
	epochs := map[string]bool{}
	for _, t := range s.list("Topics") {
		for _, p := range t.list("Partitions") {
			epochs[p.value("CurrentLeaderEpoch")] = true
			if len(words) == 0 {
				words = []string{"epoch " + p.value("CurrentLeaderEpoch")}
			}
		}
	}
	if s.at("IsolationLevel").number == 1 {
		words = append(words, "READ_COMMITTED")
	}
	rest := s.partitions("Topics", "Partitions", "Partition", func(p summary) string {
		text := "@" + p.value("FetchOffset")
		if len(epochs) > 1 {
			text += " epoch " + p.value("CurrentLeaderEpoch")
		}
		return text
	})
	if len(epochs) > 1 {
		words = words[1:]
	}
	if len(rest) == 0 { // the session has its partitions already (KIP-227)
		return append(words, "session "+s.value("SessionId")+" epoch "+s.value("SessionEpoch"))
	}
	return append(words, rest...)
}

func (s summary) fetched() []string {
	if code := s.failed(); code != "" {
		return []string{code}
	}
	words := s.partitions("Responses", "Partitions", "PartitionIndex", func(p summary) string {
		if code := p.failed(); code != "" {
			return " " + code
		}
		if d := p.at("DivergingEpoch"); len(d.Fields) > 0 {
			return " diverging: epoch " + d.value("Epoch") + " ends at " + d.value("EndOffset")
		}
		text := " hw " + p.value("HighWatermark")
		for _, b := range Batches(p.at("Records").Data) {
			return text + ", " + strconv.Itoa(len(p.at("Records").Data)) + " B from " + strconv.FormatInt(b.Base, 10)
		}
		return text + ", " + strconv.Itoa(len(p.at("Records").Data)) + " B"
	})
	if len(words) == 0 {
		return []string{"nothing new"}
	}
	return words
}

func (s summary) listOffsets() []string {
	return s.partitions("Topics", "Partitions", "PartitionIndex", func(p summary) string {
		if t := p.at("Timestamp"); t.Note != "" {
			return " " + t.Note
		}
		return " time " + p.value("Timestamp")
	})
}

func (s summary) listedOffsets() []string {
	return s.partitions("Topics", "Partitions", "PartitionIndex", func(p summary) string {
		if code := p.failed(); code != "" {
			return " " + code
		}
		return " offset " + p.value("Offset")
	})
}

func (s summary) leaderEpoch() []string {
	return s.partitions("Topics", "Partitions", "Partition", func(p summary) string { return " epoch " + p.value("LeaderEpoch") })
}

func (s summary) leaderEpochEnd() []string {
	return s.partitions("Topics", "Partitions", "Partition", func(p summary) string {
		if code := p.failed(); code != "" {
			return " " + code
		}
		return " epoch " + p.value("LeaderEpoch") + " ends at " + p.value("EndOffset")
	})
}

func (s summary) metadata() []string {
	if s.at("Topics").null {
		return []string{"of all topics"}
	}
	if len(s.list("Topics")) == 0 {
		return []string{"of no topic"}
	}
	return s.topicNames()
}

func (s summary) clusterMetadata() []string {
	if code := s.errorWords(); code != nil {
		return code
	}
	return []string{counted(s.at("Brokers").number, "broker") + ",", counted(s.at("Topics").number, "topic")}
}

// topicNames lists the names of topics, wherever the request has them.
func (s summary) topicNames() (words []string) {
	all := append(s.list("Topics"), s.list("TopicNames")...)
	for i, t := range all {
		if i == most {
			return append(words, "and "+strconv.Itoa(len(all)-most)+" more")
		}
		name := t.Value
		if len(t.Fields) > 0 {
			name = t.name()
		}
		words = append(words, name)
	}
	return words
}

func (s summary) alterPartition() []string {
	return append([]string{"broker " + s.value("BrokerId")}, s.partitions("Topics", "Partitions", "PartitionIndex", func(p summary) string {
		var isr []string
		for _, b := range p.list("NewIsrWithEpochs") {
			isr = append(isr, b.value("BrokerId"))
		}
		for _, b := range p.list("NewIsr") {
			isr = append(isr, b.Value)
		}
		return " isr " + strings.Join(isr, ",")
	})...)
}

func (s summary) alteredPartition() []string {
	if code := s.failed(); code != "" {
		return []string{code}
	}
	return s.partitions("Topics", "Partitions", "PartitionIndex", func(p summary) string {
		if code := p.failed(); code != "" {
			return " " + code
		}
		var isr []string
		for _, b := range p.list("Isr") {
			isr = append(isr, b.Value)
		}
		return " isr " + strings.Join(isr, ",") + " partition epoch " + p.value("PartitionEpoch")
	})
}

func (s summary) heartbeat() []string {
	words := []string{"broker " + s.value("BrokerId"), "metadata offset " + s.value("CurrentMetadataOffset")}
	for _, wants := range []string{"WantFence", "WantShutDown"} {
		if s.at(wants).number != 0 {
			words = append(words, wants)
		}
	}
	return words
}

func (s summary) heartbeaten() []string {
	if code := s.failed(); code != "" {
		return []string{code}
	}
	words := []string{"unfenced"}
	if s.at("IsFenced").number != 0 {
		words = []string{"fenced"}
	}
	if s.at("ShouldShutDown").number != 0 {
		words = append(words, "may shut down")
	}
	return words
}

func (s summary) registration() []string { return []string{"broker " + s.value("BrokerId")} }

func (s summary) registered() []string {
	if code := s.failed(); code != "" {
		return []string{code}
	}
	return []string{"broker epoch " + s.value("BrokerEpoch")}
}

func (s summary) transactionalID() []string {
	if id := s.at("TransactionalId"); !id.null {
		return []string{id.Value}
	}
	return nil
}

func (s summary) producerID() []string {
	if code := s.failed(); code != "" {
		return []string{code}
	}
	return []string{"producer id " + s.value("ProducerId"), "epoch " + s.value("ProducerEpoch")}
}

func (s summary) producerIDs() []string {
	if code := s.failed(); code != "" {
		return []string{code}
	}
	return []string{s.value("ProducerIdLen"), "ids from " + s.value("ProducerIdStart")}
}

func (s summary) deleteRecords() []string {
	return s.partitions("Topics", "Partitions", "PartitionIndex", func(p summary) string { return " before " + p.value("Offset") })
}

func (s summary) resources() (words []string) {
	for _, r := range s.list("Resources") {
		words = append(words, strings.ToLower(r.at("ResourceType").Note), r.value("ResourceName"))
		for _, c := range r.list("Configs") {
			if name, ok := c.Get("Name"); ok {
				words = append(words, name.Value+"="+c.value("Value"))
			}
		}
	}
	return words
}

// envelope names the request that is forwarded.
func (s summary) envelope() []string {
	inner := s.at("RequestData")
	api := inner.at("RequestApiKey").Note
	if api == "" {
		return nil
	}
	words := []string{"of " + api + " v" + inner.value("RequestApiVersion")}
	if say := forwarded[api]; say != nil {
		words = append(words, say(inner)...)
	}
	return words
}

// forwarded are the words for what brokers forward.
var forwarded = map[string]func(summary) []string{
	"CreateTopics": summary.topicNames, "DeleteTopics": summary.topicNames, "CreatePartitions": summary.topicNames,
	"IncrementalAlterConfigs": summary.resources,
}

func (s summary) apiVersions() []string {
	if code := s.failed(); code != "" {
		return []string{code}
	}
	return []string{counted(s.at("ApiKeys").number, "API")}
}
