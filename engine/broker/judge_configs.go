package broker

import (
	"maps"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
)

// judge says of each change what the broker can say without the controller, nil
// where that is nothing (ConfigAdminManager#preprocess).
func (b *Broker) judge(changes []configChange) []*verdict {
	verdicts := make([]*verdict, len(changes))
	type resource struct {
		kind kmsg.ConfigResourceType
		name string
	}
	first := map[resource]int{}
	for i, c := range changes {
		r := resource{c.kind, c.name}
		if at, twice := first[r]; twice {
			once := kerror.New(kerror.InvalidRequest, "Each resource must appear at most once.")
			verdicts[at], verdicts[i] = &verdict{c.kind, c.name, once}, &verdict{c.kind, c.name, once}
		} else {
			first[r] = i
		}
	}
	for i := range changes {
		if verdicts[i] != nil {
			continue
		}
		c := &changes[i]
		kerr := checkOps(c)
		if kerr == nil {
			kerr = b.checkResource(c)
		}
		if kerr != nil || c.kind == kmsg.ConfigResourceTypeBrokerLogger {
			verdicts[i] = &verdict{c.kind, c.name, kerr}
		}
	}
	return verdicts
}

// checkOps refuses what no resource takes.
func checkOps(c *configChange) *kerror.Error {
	seen := map[string]bool{}
	var nulls []string
	for _, op := range c.ops {
		if seen[op.name] {
			return kerror.New(kerror.InvalidRequest, "Error due to duplicate config keys")
		}
		seen[op.name] = true
		if op.value == nil && op.op != kmsg.IncrementalAlterConfigOpDelete {
			nulls = append(nulls, op.name)
		}
	}
	if len(nulls) > 0 {
		return kerror.New(kerror.InvalidRequest, "Null value not supported for : %s", strings.Join(nulls, ", "))
	}
	return nil
}

func (b *Broker) checkResource(c *configChange) *kerror.Error {
	switch c.kind {
	case kmsg.ConfigResourceTypeTopic, kmsg.ConfigResourceTypeClientMetrics, kmsg.ConfigResourceTypeGroupConfig:
		return nil
	case kmsg.ConfigResourceTypeBroker:
		if c.name != "" {
			if kerr := b.checkNode(c.name, "Unexpected broker id, expected %d, but received %s"); kerr != nil {
				return kerr
			}
		}
		return b.checkOwnConfigs(c)
	case kmsg.ConfigResourceTypeBrokerLogger:
		if !c.old {
			return b.checkLoggers(c)
		}
	}
	return kerror.New(kerror.InvalidRequest, "Unknown resource type %d", c.kind)
}

// checkNode refuses a name that is not this broker's id.
func (b *Broker) checkNode(name, other string) *kerror.Error {
	id, err := strconv.ParseInt(name, 10, 32)
	switch {
	case err != nil:
		return kerror.New(kerror.InvalidRequest, "Node id must be an integer, but it is: %s", name)
	case int32(id) != b.ID:
		return kerror.New(kerror.InvalidRequest, other, b.ID, name)
	}
	return nil
}

// checkLoggers: there are no loggers whose levels could be changed, so that each
// is one that does not exist (RuntimeLoggerManager#validateLogLevelConfigs).
func (b *Broker) checkLoggers(c *configChange) *kerror.Error {
	if kerr := b.checkNode(c.name, "Unexpected node id. Expected %d, but received %s"); kerr != nil {
		return kerr
	}
	if len(c.ops) == 0 {
		return nil
	}
	switch op := c.ops[0]; op.op {
	case kmsg.IncrementalAlterConfigOpSet, kmsg.IncrementalAlterConfigOpDelete:
		return kerror.New(kerror.InvalidConfig, "Logger %s does not exist!", op.name)
	case kmsg.IncrementalAlterConfigOpAppend, kmsg.IncrementalAlterConfigOpSubtract:
		return kerror.New(kerror.InvalidRequest, "%s operation is not allowed for the BROKER_LOGGER resource", op.op)
	default:
		return kerror.New(kerror.InvalidRequest, "Unknown operation type %d is not allowed for the BROKER_LOGGER resource", op.op)
	}
}

// checkOwnConfigs asks whether this broker, as it runs, could take the change.
// Source: ConfigAdminManager#validateBrokerConfigChange.
func (b *Broker) checkOwnConfigs(c *configChange) *kerror.Error {
	next := map[string]string{}
	if !c.old {
		now := b.image.ClusterConfigs()
		if c.name != "" {
			now = b.image.BrokerConfigs(b.ID)
		}
		maps.Copy(next, now)
	}
	for _, op := range c.ops {
		switch op.op {
		case kmsg.IncrementalAlterConfigOpSet, kmsg.IncrementalAlterConfigOpDelete, kmsg.IncrementalAlterConfigOpAppend, kmsg.IncrementalAlterConfigOpSubtract:
		default:
			return kerror.New(kerror.InvalidRequest, "Unknown operations type %d", op.op)
		}
	}
	for _, op := range c.ops {
		if kerr := applyOp(next, op); kerr != nil {
			return kerr
		}
	}
	return b.configs().ValidateDynamic(c.name != "", next)
}

func applyOp(next map[string]string, op configOp) *kerror.Error {
	word := "append"
	switch op.op {
	case kmsg.IncrementalAlterConfigOpSet:
		next[op.name] = *op.value
		return nil
	case kmsg.IncrementalAlterConfigOpDelete:
		delete(next, op.name)
		return nil
	case kmsg.IncrementalAlterConfigOpSubtract:
		word = "subtract"
	}
	key, known := config.Lookup(config.Broker, op.name)
	if !known {
		return kerror.New(kerror.InvalidConfig, "Unknown config name: %s", op.name)
	}
	if key.Type != config.List {
		return kerror.New(kerror.InvalidConfig, "Config value %s is not allowed for config key: %s", word, op.name)
	}
	current, set := next[op.name]
	if !set {
		current = key.Default
	}
	next[op.name] = strings.Join(config.ChangeList(current, *op.value, op.op == kmsg.IncrementalAlterConfigOpSubtract), ",")
	return nil
}
