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

// alterConfigs takes operations on configs of topics and brokers, one resource
// at a time: all of a resource's changes hold or none does.
// Source: ConfigurationControlManager#incrementalAlterConfigs.
func (c *Controller) alterConfigs(ctx *sim.Ctx, msg *kmsg.IncrementalAlterConfigsRequest) *kmsg.IncrementalAlterConfigsResponse {
	resp := kmsg.NewPtrIncrementalAlterConfigsResponse()
	var records []metadata.Record
	for i := range msg.Resources {
		r := &msg.Resources[i]
		out := kmsg.NewIncrementalAlterConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		more, kerr := c.alterResource(r)
		if kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
		}
		records = append(records, more...)
		resp.Resources = append(resp.Resources, out)
	}
	c.writeConfigs(ctx, records, msg.ValidateOnly)
	return resp
}

// alterConfigsOld gives resources all the configs that they are to have, in the
// place of those that they have.
// Source: ConfigurationControlManager#legacyAlterConfigs.
func (c *Controller) alterConfigsOld(ctx *sim.Ctx, msg *kmsg.AlterConfigsRequest) *kmsg.AlterConfigsResponse {
	resp := kmsg.NewPtrAlterConfigsResponse()
	var records []metadata.Record
	for i := range msg.Resources {
		r := &msg.Resources[i]
		out := kmsg.NewAlterConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		next := map[string]string{}
		for _, cfg := range r.Configs {
			if cfg.Value != nil {
				next[cfg.Name] = *cfg.Value
			}
		}
		more, kerr := c.changeTo(r.ResourceType, r.ResourceName, next, nil)
		if kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
		}
		records = append(records, more...)
		resp.Resources = append(resp.Resources, out)
	}
	c.writeConfigs(ctx, records, msg.ValidateOnly)
	return resp
}

func (c *Controller) writeConfigs(ctx *sim.Ctx, records []metadata.Record, validateOnly bool) {
	if validateOnly || len(records) == 0 {
		return
	}
	c.append(ctx, records...)
	for _, rec := range records {
		change := rec.(*metadata.Config)
		ev := trace.ConfigChanged{Resource: resourceText(change), Name: change.Name}
		if change.Value != nil {
			ev.Value = *change.Value
		}
		ctx.Emit(ev)
	}
}

// alterResource gives the records of the operations on one resource.
func (c *Controller) alterResource(r *kmsg.IncrementalAlterConfigsRequestResource) ([]metadata.Record, *kerror.Error) {
	next := copied(c.overrides(r.ResourceType, r.ResourceName))
	var named []string
	for i := range r.Configs {
		cfg := &r.Configs[i]
		if kerr := operate(r.ResourceType, next, cfg); kerr != nil {
			return nil, kerr
		}
		named = append(named, cfg.Name)
	}
	return c.changeTo(r.ResourceType, r.ResourceName, next, named)
}

// operate does one operation on a resource's overrides. An operation that Kafka
// does not know it stumbles over, unless a broker has stopped it before.
func operate(kind kmsg.ConfigResourceType, next map[string]string, cfg *kmsg.IncrementalAlterConfigsRequestResourceConfig) *kerror.Error {
	value := ""
	if cfg.Value != nil {
		value = *cfg.Value
	}
	switch cfg.Op {
	case kmsg.IncrementalAlterConfigOpSet:
		next[cfg.Name] = value
	case kmsg.IncrementalAlterConfigOpDelete:
		delete(next, cfg.Name)
	case kmsg.IncrementalAlterConfigOpAppend, kmsg.IncrementalAlterConfigOpSubtract:
		key, _ := config.Lookup(scopeOf(kind), cfg.Name)
		if key.Type != config.List {
			return kerror.New(kerror.InvalidConfig, "Can't %s to key %s because its type is not LIST.", cfg.Op, cfg.Name)
		}
		current, set := next[cfg.Name]
		if !set {
			current = key.Default
		}
		next[cfg.Name] = strings.Join(config.ChangeList(current, value, cfg.Op == kmsg.IncrementalAlterConfigOpSubtract), ",")
	default:
		return &kerror.Error{Code: kerror.UnknownServerError}
	}
	return nil
}

// changeTo checks the overrides that a resource is to have and gives the records
// that lead there. Those of the configs that were named come first, in their
// order; a broker's are written even where nothing changes.
func (c *Controller) changeTo(kind kmsg.ConfigResourceType, name string, next map[string]string, named []string) ([]metadata.Record, *kerror.Error) {
	if kerr := c.checkConfigs(kind, name, next); kerr != nil {
		return nil, kerr
	}
	if kerr := c.checkExists(kind, name); kerr != nil {
		return nil, kerr
	}
	now := c.overrides(kind, name)
	others := slices.Sorted(maps.Keys(next))
	others = append(others, slices.Sorted(maps.Keys(now))...)
	var records []metadata.Record
	done := map[string]bool{}
	for i, key := range append(named, others...) {
		if done[key] {
			continue
		}
		done[key] = true
		before, was := now[key]
		after, is := next[key]
		asked := i < len(named) || named == nil && is
		if was == is && before == after && !(asked && kind == kmsg.ConfigResourceTypeBroker) {
			continue
		}
		rec := &metadata.Config{ResourceType: int8(kind), ResourceName: name, Name: key}
		if is {
			rec.Value = &after
		}
		records = append(records, rec)
	}
	return records, nil
}

func scopeOf(kind kmsg.ConfigResourceType) config.Scope {
	if kind == kmsg.ConfigResourceTypeTopic {
		return config.Topic
	}
	return config.Broker
}

// overrides are what a resource has set; the map is the image's own.
func (c *Controller) overrides(kind kmsg.ConfigResourceType, name string) map[string]string {
	if kind == kmsg.ConfigResourceTypeTopic {
		return c.image.TopicConfigs(name)
	}
	if id, err := strconv.ParseInt(name, 10, 32); err == nil {
		return c.image.BrokerConfigs(int32(id))
	}
	return c.image.ClusterConfigs()
}

// checkConfigs holds all of a resource's overrides, as they would be, against
// Kafka's rules. Those of a broker's have been held against by that broker,
// which alone knows how it runs.
// Source: ControllerConfigurationValidator#validate.
func (c *Controller) checkConfigs(kind kmsg.ConfigResourceType, name string, next map[string]string) *kerror.Error {
	switch kind {
	case kmsg.ConfigResourceTypeTopic:
		if name == "" {
			return kerror.New(kerror.InvalidRequest, "Default topic resources are not allowed.")
		}
		if kerr := metadata.CheckTopicName(name); kerr != nil {
			return kerr
		}
		return config.ValidateTopicOn(c.configs(), next)
	case kmsg.ConfigResourceTypeBroker:
		if name == "" {
			return nil
		}
		id, err := strconv.ParseInt(name, 10, 32)
		switch {
		case err != nil:
			return kerror.New(kerror.InvalidRequest, "Unable to parse broker name as a base 10 number.")
		case id < 0:
			return kerror.New(kerror.InvalidRequest, "Invalid negative broker ID.")
		}
		return nil
	}
	return kerror.New(kerror.InvalidRequest, "Unknown resource type %s", kind)
}

// checkExists refuses configs of what is not there.
func (c *Controller) checkExists(kind kmsg.ConfigResourceType, name string) *kerror.Error {
	if kind == kmsg.ConfigResourceTypeTopic && c.image.Topic(name) == nil {
		return kerror.New(kerror.UnknownTopicOrPartition, "The topic '%s' does not exist.", name)
	}
	if id, err := strconv.ParseInt(name, 10, 32); kind == kmsg.ConfigResourceTypeBroker && err == nil && c.image.Brokers[int32(id)] == nil {
		return kerror.New(kerror.BrokerIdNotRegistered, "No node with id %s found.", name)
	}
	return nil
}

func copied(m map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, m)
	return out
}

func resourceText(change *metadata.Config) string {
	switch {
	case change.ResourceType == metadata.ResourceTopic:
		return "topic " + change.ResourceName
	case change.ResourceName == "":
		return "all brokers"
	default:
		return "broker-" + change.ResourceName
	}
}
