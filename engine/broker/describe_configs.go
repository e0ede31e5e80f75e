package broker

import (
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
)

// describeConfigs tells the effective configs of topics and of this broker,
// each with where its value comes from. Kafka's texts about each config are not
// here: whoever asks for documentation is given none.
// Source: ConfigHelper#describeConfigs.
func (b *Broker) describeConfigs(msg *kmsg.DescribeConfigsRequest) *kmsg.DescribeConfigsResponse {
	resp := kmsg.NewPtrDescribeConfigsResponse()
	if slices.ContainsFunc(msg.Resources, func(r kmsg.DescribeConfigsRequestResource) bool { return !describable(r.ResourceType) }) {
		return refuseDescription(msg, resp)
	}
	for i := range msg.Resources {
		r := &msg.Resources[i]
		out := kmsg.NewDescribeConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		// Kafka leaves the message of an answer empty where others have none.
		out.ErrorMessage = kmsg.StringPtr("")
		entries, kerr := b.resourceConfigs(r)
		if kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(kerr.Code), &kerr.Message
		} else {
			out.Configs = describe(entries, r.ConfigNames, msg.IncludeSynonyms)
		}
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}

func describable(kind kmsg.ConfigResourceType) bool {
	switch kind {
	case kmsg.ConfigResourceTypeTopic, kmsg.ConfigResourceTypeBroker, kmsg.ConfigResourceTypeBrokerLogger,
		kmsg.ConfigResourceTypeClientMetrics, kmsg.ConfigResourceTypeGroupConfig:
		return true
	}
	return false
}

// refuseDescription answers a request that has a kind of resource in it which
// nobody knows: with it all are refused (DescribeConfigsRequest#getErrorResponse).
func refuseDescription(msg *kmsg.DescribeConfigsRequest, resp *kmsg.DescribeConfigsResponse) *kmsg.DescribeConfigsResponse {
	for i := range msg.Resources {
		out := kmsg.NewDescribeConfigsResponseResource()
		out.ResourceType, out.ResourceName = msg.Resources[i].ResourceType, msg.Resources[i].ResourceName
		out.ErrorCode, out.ErrorMessage = int16(kerror.InvalidRequest), kmsg.StringPtr(malformed)
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}

// malformed is Kafka's text of INVALID_REQUEST where nothing more is said.
const malformed = "This most likely occurs because of a request being malformed by the client library or the message was sent to an incompatible broker. See the broker logs for more details."

func (b *Broker) resourceConfigs(r *kmsg.DescribeConfigsRequestResource) ([]config.Description, *kerror.Error) {
	switch r.ResourceType {
	case kmsg.ConfigResourceTypeTopic:
		if kerr := metadata.CheckTopicName(r.ResourceName); kerr != nil {
			return nil, kerr
		}
		if b.image.Topic(r.ResourceName) == nil {
			return nil, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
		}
		return b.topicConfigs(r.ResourceName).Describe(), nil
	case kmsg.ConfigResourceTypeBroker:
		if r.ResourceName == "" {
			return b.described().DescribeDefaults(), nil
		}
		return b.described().Describe(), b.checkDescribed(r.ResourceName, "Unexpected broker id, expected %d or empty string, but received %s")
	case kmsg.ConfigResourceTypeBrokerLogger:
		if r.ResourceName == "" {
			return nil, kerror.New(kerror.InvalidRequest, "Broker id must not be empty")
		}
		return nil, b.checkDescribed(r.ResourceName, "Unexpected broker id, expected %d but received %s")
	case kmsg.ConfigResourceTypeClientMetrics:
		if r.ResourceName == "" {
			return nil, kerror.New(kerror.InvalidRequest, "Client metrics subscription name must not be empty")
		}
	case kmsg.ConfigResourceTypeGroupConfig:
		if r.ResourceName == "" {
			return nil, kerror.New(kerror.InvalidRequest, "Group name must not be empty")
		}
	}
	return nil, nil // nothing of that kind is configured here
}

func (b *Broker) checkDescribed(name, other string) *kerror.Error {
	id, err := strconv.ParseInt(name, 10, 32)
	switch {
	case err != nil:
		return kerror.New(kerror.InvalidRequest, "Broker id must be an integer, but it is: %s", name)
	case int32(id) != b.ID:
		return kerror.New(kerror.InvalidRequest, other, b.ID, name)
	}
	return nil
}

// describe lists the entries that were asked for: all where no name is.
func describe(entries []config.Description, names []string, synonyms bool) []kmsg.DescribeConfigsResponseResourceConfig {
	var out []kmsg.DescribeConfigsResponseResourceConfig
	for _, d := range entries {
		if len(names) > 0 && !slices.Contains(names, d.Name) {
			continue
		}
		e := kmsg.NewDescribeConfigsResponseResourceConfig()
		e.Name, e.Value, e.ReadOnly, e.IsSensitive = d.Name, d.Value, d.ReadOnly, d.Sensitive
		e.Source, e.ConfigType = kmsg.ConfigSource(d.Source), kmsg.ConfigType(d.TypeCode)
		if synonyms {
			for _, s := range d.Synonyms {
				syn := kmsg.NewDescribeConfigsResponseResourceConfigConfigSynonym()
				syn.Name, syn.Value, syn.Source = s.Name, s.Value, kmsg.ConfigSource(s.Source)
				e.ConfigSynonyms = append(e.ConfigSynonyms, syn)
			}
		}
		out = append(out, e)
	}
	return out
}
