package quorum

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// alterConfigs changes configs of topics and brokers, one resource at a time:
// all of a resource's changes hold or none does.
// Source: ConfigurationControlManager#incrementalAlterConfigs.
func (c *Controller) alterConfigs(ctx *sim.Ctx, msg *kmsg.IncrementalAlterConfigsRequest) *kmsg.IncrementalAlterConfigsResponse {
	resp := kmsg.NewPtrIncrementalAlterConfigsResponse()
	for i := range msg.Resources {
		r := &msg.Resources[i]
		out := kmsg.NewIncrementalAlterConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		if kerr := c.alterResource(ctx, r, msg.ValidateOnly); kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
		}
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}

func (c *Controller) alterResource(ctx *sim.Ctx, r *kmsg.IncrementalAlterConfigsRequestResource, validateOnly bool) *kerror.Error {
	scope, next, kerr := c.resource(r)
	if kerr != nil {
		return kerr
	}
	var records []metadata.Record
	for i := range r.Configs {
		value, kerr := newValue(scope, next, &r.Configs[i])
		if kerr != nil {
			return kerr
		}
		name := r.Configs[i].Name
		if value == nil {
			delete(next, name)
		} else {
			next[name] = *value
		}
		records = append(records, &metadata.Config{ResourceType: int8(r.ResourceType), ResourceName: r.ResourceName, Name: name, Value: value})
	}
	if kerr := c.checkConfigs(scope, r.ResourceName, next); kerr != nil {
		return kerr
	}
	if validateOnly || len(records) == 0 {
		return nil
	}
	c.append(ctx, records...)
	for _, rec := range records {
		change := rec.(*metadata.Config)
		ev := trace.ConfigChanged{Resource: resourceText(scope, change.ResourceName), Name: change.Name}
		if change.Value != nil {
			ev.Value = *change.Value
		}
		ctx.Emit(ev)
	}
	return nil
}

// checkConfigs holds all of a resource's overrides, as they would be, against
// Kafka's rules.
func (c *Controller) checkConfigs(scope config.Scope, name string, next map[string]string) *kerror.Error {
	if scope == config.Topic {
		return config.ValidateTopic(next)
	}
	l := config.Layers{ClusterWide: c.image.ClusterConfigs()}
	if id, err := strconv.ParseInt(name, 10, 32); err == nil {
		l.PerBroker = c.image.BrokerConfigs(int32(id))
	}
	return config.NewBroker(l).ValidateDynamic(name != "", next)
}

// resource finds what a change is about and a copy of the overrides it has.
func (c *Controller) resource(r *kmsg.IncrementalAlterConfigsRequestResource) (config.Scope, map[string]string, *kerror.Error) {
	switch int8(r.ResourceType) {
	case metadata.ResourceTopic:
		if c.image.Topic(r.ResourceName) == nil {
			return 0, nil, kerror.New(kerror.UnknownTopicOrPartition, "The topic '%s' does not exist.", r.ResourceName)
		}
		return config.Topic, copied(c.image.TopicConfigs(r.ResourceName)), nil
	case metadata.ResourceBroker:
		if r.ResourceName == "" {
			return config.Broker, copied(c.image.ClusterConfigs()), nil
		}
		id, err := strconv.ParseInt(r.ResourceName, 10, 32)
		if err != nil {
			return 0, nil, kerror.New(kerror.InvalidRequest, "Node id must be an integer, but it is: %s", r.ResourceName)
		}
		if c.image.Brokers[int32(id)] == nil {
			return 0, nil, kerror.New(kerror.BrokerIdNotRegistered, "No node with id %s found.", r.ResourceName)
		}
		return config.Broker, copied(c.image.BrokerConfigs(int32(id))), nil
	}
	return 0, nil, kerror.New(kerror.InvalidRequest, "Unexpected resource type %d", r.ResourceType)
}

func copied(m map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, m)
	return out
}

// newValue is what a config is after one operation, nil when it is deleted.
func newValue(scope config.Scope, now map[string]string, cfg *kmsg.IncrementalAlterConfigsRequestResourceConfig) (*string, *kerror.Error) {
	key, known := config.Lookup(scope, cfg.Name)
	if !known && scope == config.Topic {
		return nil, kerror.New(kerror.InvalidConfig, "Unknown topic config name: %s", cfg.Name)
	}
	switch cfg.Op {
	case kmsg.IncrementalAlterConfigOpDelete:
		return nil, nil
	case kmsg.IncrementalAlterConfigOpAppend, kmsg.IncrementalAlterConfigOpSubtract:
		if key.Type != "LIST" {
			return nil, kerror.New(kerror.InvalidConfig, "Can't %s to key %s because its type is not LIST.", cfg.Op, cfg.Name)
		}
		value := changeList(now, key, cfg)
		return &value, nil
	}
	if cfg.Value == nil {
		return nil, kerror.New(kerror.InvalidConfig, "Null value not supported for : %s", cfg.Name)
	}
	return cfg.Value, nil
}

func changeList(now map[string]string, key config.Key, cfg *kmsg.IncrementalAlterConfigsRequestResourceConfig) string {
	current, ok := now[cfg.Name]
	if !ok {
		current = key.Default
	}
	items := strings.FieldsFunc(current, func(r rune) bool { return r == ',' })
	value := ""
	if cfg.Value != nil {
		value = *cfg.Value
	}
	for _, item := range strings.Split(value, ",") {
		at := slices.Index(items, item)
		switch {
		case cfg.Op == kmsg.IncrementalAlterConfigOpAppend && at < 0:
			items = append(items, item)
		case cfg.Op == kmsg.IncrementalAlterConfigOpSubtract && at >= 0:
			items = slices.Delete(items, at, at+1)
		}
	}
	return strings.Join(items, ",")
}

func resourceText(scope config.Scope, name string) string {
	switch {
	case scope == config.Topic:
		return "topic " + name
	case name == "":
		return "all brokers"
	default:
		return "broker-" + name
	}
}
