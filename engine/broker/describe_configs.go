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
// each with where its value comes from (ConfigHelper#describeConfigs).
func (b *Broker) describeConfigs(msg *kmsg.DescribeConfigsRequest) *kmsg.DescribeConfigsResponse {
	resp := kmsg.NewPtrDescribeConfigsResponse()
	for i := range msg.Resources {
		r := &msg.Resources[i]
		out := kmsg.NewDescribeConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		values, kerr := b.resourceConfigs(r)
		if kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(kerr.Code), text(kerr)
		} else {
			out.Configs = describe(values.Describe(), r.ConfigNames, msg.IncludeSynonyms)
		}
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}

func (b *Broker) resourceConfigs(r *kmsg.DescribeConfigsRequestResource) (config.Values, *kerror.Error) {
	switch int8(r.ResourceType) {
	case metadata.ResourceTopic:
		if b.image.Topic(r.ResourceName) == nil {
			return config.Values{}, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
		}
		return b.topicConfigs(r.ResourceName), nil
	case metadata.ResourceBroker:
		if id, err := strconv.ParseInt(r.ResourceName, 10, 32); err != nil || int32(id) != b.ID {
			return config.Values{}, kerror.New(kerror.InvalidRequest, "Unexpected broker id, expected %d or empty string, but received %s", b.ID, r.ResourceName)
		}
		return b.configs(), nil
	}
	return config.Values{}, kerror.New(kerror.InvalidRequest, "Unsupported resource type: %d", r.ResourceType)
}

func describe(entries []config.Description, names []string, synonyms bool) []kmsg.DescribeConfigsResponseResourceConfig {
	var out []kmsg.DescribeConfigsResponseResourceConfig
	for _, d := range entries {
		if names != nil && !slices.Contains(names, d.Name) {
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
