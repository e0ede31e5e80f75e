package config

import (
	"maps"
	"slices"
	"strings"
)

// Description is one config in a DescribeConfigs or CreateTopics response.
type Description struct {
	Name      string
	Value     *string // nil: not set, or kept back because it is sensitive
	Source    Source
	ReadOnly  bool // needs a restart
	Sensitive bool
	TypeCode  int8      // Type.Code, 0 for a config that Kafka does not know
	Synonyms  []Synonym // all that was set, what is in force first
}

// Synonym is one place where a config's value is set.
type Synonym struct {
	Name   string
	Value  *string // as it was written there
	Source Source
}

// Describe lists the configs in force, by name, as Kafka describes a topic or
// a broker (ConfigHelper). Kafka's own order is that of a hash map, and its
// tools sort. A client's configs are known to nobody but the client: none.
func (v Values) Describe() []Description {
	if v.scope != Topic && v.scope != Broker {
		return nil
	}
	var out []Description
	for _, at := range tableOf(v.scope).sorted {
		k := &tableOf(v.scope).keys[at]
		val := v.at(k)
		raw, given := v.given(k.Name)
		switch {
		case (k.Internal || k.DynamicOnly) && given:
			out = append(out, v.describe(k.Name, k, &raw)) // as it was written
		case k.Internal || k.DynamicOnly || !k.HasDefault && !given:
		case val.null:
			out = append(out, v.describe(k.Name, k, nil))
		default:
			text := val.format(k.Type)
			out = append(out, v.describe(k.Name, k, &text))
		}
	}
	if v.scope == Broker {
		out = append(out, v.describeUnknown()...)
		slices.SortFunc(out, func(a, b Description) int { return strings.Compare(a.Name, b.Name) })
	}
	return out
}

// describeUnknown lists what was set on a broker under names that Kafka does
// not know. It may be a plug-in's password, so that its value is kept back.
func (v Values) describeUnknown() []Description {
	var out []Description
	// order: sorted by the caller
	for name, raw := range v.broker.merged {
		if find(Broker, name) == nil {
			out = append(out, v.describe(name, nil, &raw))
		}
	}
	return out
}

// DescribeDefaults lists the dynamic configs of all brokers, as Kafka describes
// the broker without a name.
func (v Values) DescribeDefaults() []Description {
	var out []Description
	for _, name := range slices.Sorted(maps.Keys(v.broker.ClusterWide)) {
		raw := v.broker.ClusterWide[name]
		d := v.describe(name, find(Broker, name), &raw)
		d.Synonyms = slices.DeleteFunc(d.Synonyms, func(s Synonym) bool { return s.Source != DynamicDefaultConfig })
		d.Source = DynamicDefaultConfig
		out = append(out, d)
	}
	return out
}

// describe is one entry; k is nil for a name that Kafka does not know.
func (v Values) describe(name string, k *Key, text *string) Description {
	d := Description{Name: name, Value: text, Sensitive: k == nil || k.Sensitive()}
	if k != nil {
		d.TypeCode = k.Type.Code()
	}
	if d.Sensitive {
		d.Value = nil
	}
	if v.scope == Broker {
		d.ReadOnly = k == nil || k.UpdateMode == ReadOnly
		d.Synonyms = v.broker.synonyms(name, k, d.Sensitive)
	} else {
		if _, overridden := v.own[name]; overridden {
			d.Synonyms = append(d.Synonyms, Synonym{name, d.Value, DynamicTopicConfig})
		}
		if k != nil && len(k.Synonyms) > 0 {
			first := find(Broker, k.Synonyms[0])
			d.Synonyms = append(d.Synonyms, v.broker.synonyms(first.Name, first, d.Sensitive)...)
		}
	}
	d.Source = DefaultConfig
	if len(d.Synonyms) > 0 {
		d.Source = d.Synonyms[0].Source
	}
	return d
}

// synonyms lists where a broker config is set, level by level. What comes
// before the config's own name is left out, so that log.retention.hours alone
// does not show under log.retention.ms (ConfigHelper#configSynonyms).
func (l layers) synonyms(name string, k *Key, sensitive bool) []Synonym {
	names := []string{name}
	if k != nil {
		names = k.brokerSynonyms()
	}
	var out []Synonym
	add := func(name, raw string, source Source) {
		s := Synonym{Name: name, Source: source}
		if !sensitive {
			s.Value = &raw
		}
		out = append(out, s)
	}
	levels := []struct {
		set    map[string]string
		source Source
	}{{l.PerBroker, DynamicBrokerConfig}, {l.ClusterWide, DynamicDefaultConfig}, {l.Static, StaticBrokerConfig}}
	for _, level := range levels {
		for _, n := range names {
			if raw, ok := level.set[n]; ok {
				add(n, raw, level.source)
			}
		}
	}
	for _, n := range names {
		if d := find(Broker, n); d != nil && d.HasDefault && !d.NullDefault && !d.DynamicOnly {
			add(n, d.Default, DefaultConfig)
		}
	}
	at := slices.IndexFunc(out, func(s Synonym) bool { return s.Name == name })
	if at < 0 {
		return nil
	}
	return out[at:]
}

// Created lists a topic's configs as the answer to its creation does, by name:
// each value as it was written where it is set, and no synonyms
// (KafkaConfigSchema#resolveEffectiveTopicConfigs). The broker under these
// Values is the controller's node.
func (v Values) Created() []Description {
	var out []Description
	for _, at := range tableOf(Topic).sorted {
		k := &tableOf(Topic).keys[at]
		raw, overridden := v.own[k.Name]
		if k.Internal && !overridden {
			continue
		}
		d := Description{Name: k.Name, Sensitive: k.Sensitive(), TypeCode: k.Type.Code(), Source: DynamicTopicConfig}
		if !overridden {
			raw, d.Source = v.broker.raw(k)
		}
		if !d.Sensitive && (overridden || d.Source != DefaultConfig || !k.NullDefault) {
			d.Value = &raw
		}
		out = append(out, d)
	}
	return out
}

// raw is what stands in for a topic config at the highest level that says
// anything, as it was written but in the topic's unit.
func (l layers) raw(k *Key) (text string, source Source) {
	levels := []map[string]string{l.PerBroker, l.ClusterWide, l.Static}
	for i, level := range levels {
		for j, name := range k.Synonyms {
			raw, ok := level[name]
			if !ok {
				continue
			}
			if factor := k.factors[j]; factor != 1 {
				n, _ := parseInt(trim(raw), 32) // Kafka too takes what is no number for 0
				raw = value{num: n * factor}.format(Long)
			}
			return raw, DynamicBrokerConfig + Source(i)
		}
	}
	return k.Default, DefaultConfig
}
