package config

import (
	"fmt"
	"slices"
)

// checkTopic holds the rules between a topic's configs
// (LogConfig#validateTopicLogConfigValues).
func (v Values) checkTopic() (refusal string) {
	if refusal = v.checkLags(); refusal != "" {
		return refusal
	}
	if v.Bool("remote.storage.enable") {
		return v.checkTiered()
	}
	return ""
}

func (v Values) checkLags() (refusal string) {
	min, max := v.Int("min.compaction.lag.ms"), v.Int("max.compaction.lag.ms")
	if min > max {
		return fmt.Sprintf("conflict topic config setting min.compaction.lag.ms (%d) > max.compaction.lag.ms (%d)", min, max)
	}
	return ""
}

// checkTiered holds the rules of a topic with tiered storage (KIP-405): parts
// of its log are kept elsewhere, and the local part cannot outlive the whole.
func (v Values) checkTiered() (refusal string) {
	if system := find(Broker, "remote.log.storage.system.enable"); v.broker.at(system).num == 0 {
		return "Tiered Storage functionality is disabled in the broker. Topic cannot be configured with remote log storage."
	}
	policy := v.List("cleanup.policy")
	if len(policy) > 0 && !slices.Equal(policy, []string{"delete"}) {
		return "Remote log storage only supports topics with cleanup.policy=delete or cleanup.policy being an empty list."
	}
	for _, check := range []func(Values, string, string) string{Values.checkLocalRetention, Values.checkCopyLag} {
		for _, unit := range []string{"bytes", "ms"} {
			if refusal = check(v, "", unit); refusal != "" {
				return refusal
			}
		}
	}
	if !v.Bool("remote.log.copy.disable") {
		return ""
	}
	for _, unit := range []string{"bytes", "ms"} {
		local := v.Int("local.retention." + unit)
		if local != sameAsRetention && local != v.Int("retention."+unit) {
			return fmt.Sprintf("When `remote.log.copy.disable` is set to true, the `local.retention.%s` and `retention.%s` "+
				"must be set to the identical value because there will be no more logs copied to the remote storage.", unit, unit)
		}
	}
	return ""
}

// sameAsRetention as local.retention.* stands for the value of retention.*.
const sameAsRetention = -2

// checkLocalRetention: what is kept here is no more than what is kept at all.
// The prefix is "log." where the message is about a broker's configs.
func (v Values) checkLocalRetention(prefix, unit string) (refusal string) {
	name, whole := "local.retention."+unit, "retention."+unit
	local, all := v.Int(name), v.Int(whole)
	name, whole = prefix+name, prefix+whole
	switch {
	case all <= -1 || local == sameAsRetention:
	case local == -1:
		return invalid(name, "-1", fmt.Sprintf("Value must not be -1 as %s value is set as %d.", whole, all))
	case local > all:
		return invalid(name, fmt.Sprint(local), fmt.Sprintf("Value must not be more than %s property value: %d", whole, all))
	}
	return ""
}

// checkCopyLag: a segment is copied away before it is deleted here.
func (v Values) checkCopyLag(prefix, unit string) (refusal string) {
	name := "remote.copy.lag." + unit
	lag, local := v.Int(name), v.Int("local.retention."+unit)
	if local == sameAsRetention {
		local = v.Int("retention." + unit)
	}
	if lag > 0 && local >= 0 && lag > local {
		return invalid(prefix+name, fmt.Sprint(lag), fmt.Sprintf("Value must not exceed %slocal.retention.%s (effective value: %d)", prefix, unit, local))
	}
	return ""
}
