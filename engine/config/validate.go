package config

import (
	"unicode/utf16"

	"kafkalab/engine/kerror"
)

// maxValueLength is the longest value that the controller stores, in UTF-16
// units (ConfigurationControlManager#validateAlterConfig).
const maxValueLength = 32767

// Validate asks whether Kafka takes a value for one config, and answers with
// Kafka's error if not. A name that is no config is an error for a topic only:
// brokers and clients keep names they do not know, for their plug-ins. Ask
// Lookup where such a name should be told.
func Validate(scope Scope, name, raw string) *kerror.Error {
	k := find(scope, name)
	if k == nil {
		if scope == Topic {
			return unknownTopicConfig(name)
		}
		return nil
	}
	if _, refusal := parseValue(k, raw); refusal != "" {
		return kerror.New(kerror.InvalidConfig, "%s", refusal)
	}
	return nil
}

func unknownTopicConfig(name string) *kerror.Error {
	return kerror.New(kerror.InvalidConfig, "Unknown topic config name: %s", name)
}

// ValidateTopic asks whether Kafka takes all of a topic's overrides, on a
// controller whose own configs are Kafka's defaults.
func ValidateTopic(overrides map[string]string) *kerror.Error {
	return ValidateTopicOn(Values{}, overrides)
}

// ValidateTopicOn is ValidateTopic on a controller with these configs: a topic
// is refused too when an override does not go with what it inherits
// (LogConfig#validate). Of several faults Kafka reports one: first unknown
// names, in the order of a Java hash map; then the first wrong value in the
// order of the table; then what two values are to each other.
func ValidateTopicOn(controller Values, overrides map[string]string) *kerror.Error {
	names := make([]string, 0, len(overrides))
	// order: put in order below
	for name := range overrides {
		names = append(names, name)
	}
	names = hashOrder(names)
	for _, name := range names {
		if len(utf16.Encode([]rune(overrides[name]))) > maxValueLength {
			return kerror.New(kerror.InvalidConfig,
				"The configuration value cannot be added because it exceeds the maximum value size of %d bytes.", maxValueLength)
		}
	}
	for _, name := range names {
		if find(Topic, name) == nil {
			return unknownTopicConfig(name)
		}
	}
	topic := NewTopic(overrides, controller)
	if refusal := topic.checkAll(); refusal != "" {
		return kerror.New(kerror.InvalidConfig, "%s", refusal)
	}
	if refusal := topic.checkTopic(); refusal != "" {
		return kerror.New(kerror.InvalidConfig, "%s", refusal)
	}
	return nil
}

// checkAll parses and checks every config of the scope, in Kafka's order, as
// ConfigDef#parse does: what is given, and what a topic inherits.
func (v Values) checkAll() (refusal string) {
	keys := tableOf(v.scope).keys
	for i := range keys {
		k := &keys[i]
		if raw, ok := v.given(k.Name); ok {
			_, refusal = parseValue(k, raw)
		} else if v.scope == Topic && len(k.Synonyms) > 0 {
			inherited := v.inherited(k)
			refusal = check(k, &inherited)
		}
		if refusal != "" {
			return refusal
		}
	}
	return ""
}
