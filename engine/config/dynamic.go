package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kafkalab/engine/kerror"
)

// ValidateDynamic asks whether a running broker takes a change of its dynamic
// configs: next is all of what would be set then for this broker (perBroker) or
// for all. Kafka calls a wrong value here INVALID_REQUEST, though for a topic it
// is INVALID_CONFIG (ConfigAdminManager#validateBrokerConfigChange; KAFKA-13609).
func (v Values) ValidateDynamic(perBroker bool, next map[string]string) *kerror.Error {
	refusal := checkNames(perBroker, next)
	if refusal == "" {
		before := NewBroker(v.broker.Layers)
		l := before.broker.Layers
		if perBroker {
			l.PerBroker = next
		} else {
			l.ClusterWide = next
		}
		after := NewBroker(l)
		if refusal = after.checkBroker(); refusal == "" {
			refusal = before.checkChange(after)
		}
	}
	if refusal != "" {
		return kerror.New(kerror.InvalidRequest, "%s", refusal)
	}
	return nil
}

// checkNames is DynamicBrokerConfig#validateConfigs: may these names be set at
// this level at all, and are their values sound?
func checkNames(perBroker bool, next map[string]string) (refusal string) {
	names := hashOrder(slices.Collect(maps.Keys(next)))
	refuse := func(why string, wrong func(*Key) bool) {
		var found []string
		for _, name := range names {
			if k := find(Broker, name); k != nil && wrong(k) {
				found = append(found, name)
			}
		}
		if refusal == "" && len(found) > 0 {
			refusal = why + ": [" + strings.Join(found, ", ") + "]"
		}
	}
	refuse("Cannot update these configs dynamically", func(k *Key) bool { return k.UpdateMode == ReadOnly })
	refuse("These security configs can be dynamically updated only per-listener using the listener prefix",
		func(k *Key) bool { return k.perListener })
	if refusal == "" {
		refusal = checkDynamicValues(next)
	}
	if !perBroker {
		refuse("Cannot update these configs at default cluster level, broker id must be specified",
			func(k *Key) bool { return k.UpdateMode == PerBroker })
	}
	return refusal
}

// checkDynamicValues parses in the order of DynamicConfig.Broker: the
// dynamic-only configs first.
func checkDynamicValues(next map[string]string) (refusal string) {
	keys := tableOf(Broker).keys
	for _, dynamicOnly := range []bool{true, false} {
		for i := range keys {
			raw, set := next[keys[i].Name]
			if !set || keys[i].DynamicOnly != dynamicOnly {
				continue
			}
			if refusal = parseStrictly(&keys[i], raw); refusal != "" {
				return refusal
			}
		}
	}
	return ""
}

// parseStrictly is parseValue without leniency for lists that name something
// twice: only what is given at a start or for a topic is cleaned of it
// (ConfigDef.ValidList#ensureValid).
func parseStrictly(k *Key, raw string) (refusal string) {
	v, refusal := parseType(k, raw)
	if refusal != "" {
		return refusal
	}
	if _, ok := k.Validator.(listOf); ok && len(distinct(v.list)) < len(v.list) {
		return "Configuration '" + k.Name + "' values must not be duplicated."
	}
	return check(k, &v)
}

// checkChange asks those parts of a broker that would have to follow the
// change. Their message is wrapped twice: Kafka hands an exception to a
// constructor that takes it for a value.
func (v Values) checkChange(after Values) (refusal string) {
	checks := []func(before, after Values) string{checkPools, checkBrokerLog, checkRemote, checkCleaner}
	for _, check := range checks {
		if refusal = check(v, after); refusal != "" {
			return "Invalid value org.apache.kafka.common.config.ConfigException: " + refusal + " for configuration Invalid dynamic configuration"
		}
	}
	return ""
}

// checkPools: a pool of threads at most doubles or halves in one step
// (DynamicThreadPool, DynamicListenerConfig, DynamicRemoteLogConfig).
func checkPools(before, after Values) (refusal string) {
	pools := []string{
		"num.io.threads", "num.replica.fetchers", "num.recovery.threads.per.data.dir", "background.threads", "num.network.threads",
		"remote.log.reader.threads", "remote.log.manager.copier.thread.pool.size",
		"remote.log.manager.expiration.thread.pool.size", "remote.log.manager.follower.thread.pool.size",
	}
	for _, name := range pools {
		now, next := before.Int(name), after.Int(name)
		prefix := fmt.Sprintf("Dynamic thread count update validation failed for %s=%d, value should ", name, next)
		switch {
		case next == now:
		case next <= 0:
			return prefix + "be at least 1"
		case next < now/2:
			return fmt.Sprintf("%sbe at least half the current value %d", prefix, now)
		case next > now*2:
			return fmt.Sprintf("%snot be greater than double the current value %d", prefix, now)
		}
	}
	return ""
}

// checkBrokerLog is DynamicLogConfig#validateReconfiguration, asked when
// anything that topics inherit has changed.
func checkBrokerLog(before, after Values) (refusal string) {
	if !changedForTopics(before, after) {
		return ""
	}
	inherits := NewTopic(nil, after)
	for _, check := range []func(Values, string, string) string{Values.checkLocalRetention, Values.checkCopyLag} {
		for _, unit := range []string{"ms", "bytes"} {
			if refusal = check(inherits, "log.", unit); refusal != "" {
				return refusal
			}
		}
	}
	return ""
}

// changedForTopics tells whether a config that stands in for one of a topic's
// was set, removed or set to something else.
func changedForTopics(before, after Values) bool {
	for _, k := range tableOf(Topic).keys {
		if len(k.Synonyms) > 0 && changed(before, after, k.Synonyms[0]) {
			return true
		}
	}
	return changed(before, after, "cordoned.log.dirs")
}

func changed(before, after Values, name string) bool {
	was, set := before.broker.merged[name]
	is, stays := after.broker.merged[name]
	return was != is || set != stays
}

// checkRemote is DynamicRemoteLogConfig#validateReconfiguration.
func checkRemote(before, after Values) (refusal string) {
	for _, name := range []string{
		"remote.log.index.file.cache.total.size.bytes",
		"remote.log.manager.copy.max.bytes.per.second", "remote.log.manager.fetch.max.bytes.per.second",
	} {
		if n := after.Int(name); n <= 0 && n != before.Int(name) {
			return fmt.Sprintf("Dynamic remote log manager config update validation failed for %s=%d, value should be at least 1", name, n)
		}
	}
	return ""
}

// checkCleaner is LogCleaner#validateReconfiguration.
func checkCleaner(before, after Values) (refusal string) {
	now, next := before.Int("log.cleaner.threads"), after.Int("log.cleaner.threads")
	switch {
	case next < now/2:
		return fmt.Sprintf("Log cleaner threads cannot be reduced to less than half the current value %d", now)
	case next > now*2:
		return fmt.Sprintf("Log cleaner threads cannot be increased to more than double the current value %d", now)
	}
	return ""
}
