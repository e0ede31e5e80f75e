package config

import (
	"maps"
	"slices"
	"strings"
)

// Values are the configs in force for one topic, broker or client. It is cheap
// to make and to copy: a config is looked up when it is asked for, in the maps
// that it was made from, which must not change while it is in use. The zero
// Values are a topic's with Kafka's defaults; given as a broker, a broker's.
//
// A value that Kafka would refuse is passed over, as a broker passes over such
// a dynamic config (DynamicBrokerConfig#removeInvalidConfigs): the checks come
// before.
type Values struct {
	scope   Scope
	own     map[string]string // a topic's overrides, a client's settings
	derived map[string]string // what a client makes of them
	broker  layers            // of a broker, or under a topic
}

// Layers are the three places where a broker's configs are set.
type Layers struct {
	Static      map[string]string // server.properties
	ClusterWide map[string]string // dynamic, of all brokers: resource ""
	PerBroker   map[string]string // dynamic, of this one
}

// layers are Layers without what a broker ignores, and what comes out of them.
type layers struct {
	Layers
	merged map[string]string
}

// NewBroker gives the configs of a broker (or controller). Kafka takes node.id
// and broker.id for each other when only one is given
// (AbstractKafkaConfig#populateSynonyms).
func NewBroker(l Layers) Values {
	l.ClusterWide, l.PerBroker = usable(l.ClusterWide, false), usable(l.PerBroker, true)
	for _, pair := range [][2]string{{"node.id", "broker.id"}, {"broker.id", "node.id"}} {
		id, given := l.Static[pair[0]]
		if _, both := l.Static[pair[1]]; given && !both {
			l.Static = maps.Clone(l.Static)
			l.Static[pair[1]] = id
		}
	}
	merged := l.Static
	if len(l.ClusterWide)+len(l.PerBroker) > 0 {
		merged = maps.Clone(merged)
		if merged == nil {
			merged = map[string]string{}
		}
		override(merged, l.ClusterWide)
		override(merged, l.PerBroker)
	}
	return Values{scope: Broker, broker: layers{Layers: l, merged: merged}}
}

// usable leaves out what cannot stand at a dynamic level: wrong values,
// configs that need a restart, and for all brokers at once those of one
// (DynamicBrokerConfig#fromPersistentProps).
func usable(level map[string]string, perBroker bool) map[string]string {
	out := level
	// order: each is judged alone
	for name, raw := range level {
		k := find(Broker, name)
		if k == nil {
			continue // kept for plug-ins
		}
		_, refusal := parseValue(k, raw)
		if refusal == "" && k.UpdateMode != ReadOnly && !k.perListener && (perBroker || k.UpdateMode != PerBroker) {
			continue
		}
		if len(out) == len(level) {
			out = maps.Clone(level)
		}
		delete(out, name)
	}
	return out
}

// override lays a dynamic level over what is below. A name also hides its
// synonyms there: a dynamic log.retention.ms hides log.retention.hours of the
// properties, and the other way round (DynamicBrokerConfig#overrideProps).
func override(below, level map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(level)) {
		if k := find(Broker, name); k != nil {
			for _, synonym := range k.brokerSynonyms() {
				delete(below, synonym)
			}
		}
		below[name] = level[name]
	}
}

// NewTopic gives the configs of a topic on a broker.
func NewTopic(overrides map[string]string, broker Values) Values {
	return Values{scope: Topic, own: overrides, broker: broker.broker}
}

// Scope tells whose configs these are.
func (v Values) Scope() Scope { return v.scope }

// given is the text that was set, as it was written.
func (v Values) given(name string) (raw string, ok bool) {
	if v.scope == Broker {
		raw, ok = v.broker.merged[name]
	} else if raw, ok = v.derived[name]; !ok {
		raw, ok = v.own[name]
	}
	return raw, ok
}

// at is a config's value in force.
func (v Values) at(k *Key) value {
	if raw, ok := v.given(k.Name); ok {
		if parsed, refusal := parseValue(k, raw); refusal == "" {
			return parsed
		}
	}
	if v.scope == Topic && len(k.Synonyms) > 0 {
		return v.inherited(k)
	}
	return k.initial
}

// at is the value of a broker config.
func (l layers) at(k *Key) value { return Values{scope: Broker, broker: l}.at(k) }

// inherited is what a topic config is on this broker when the topic says
// nothing: the first synonym that is set, in the topic's unit
// (KafkaConfig#extractLogConfigMap).
func (v Values) inherited(k *Key) value {
	out := k.initial
	for i, name := range k.Synonyms {
		if b := v.broker.at(find(Broker, name)); !b.null {
			out = b
			out.num *= k.factors[i]
			break
		}
	}
	if k.Name == "retention.ms" && out.num < 0 {
		out.num = -1 // any negative time is for ever
	}
	return out
}

// key finds a config that the program itself asks for. A name that is none is
// a slip of the programmer's, never of a user's, and stops it.
func (v Values) key(name string) *Key {
	k := find(v.scope, name)
	if k == nil {
		panic("config: no " + v.scope.String() + " config " + name)
	}
	return k
}

// Has tells whether a config has a value: log.retention.ms and
// internal.segment.bytes have none until they are set.
func (v Values) Has(name string) bool { return !v.at(v.key(name)).null }

// Int is a SHORT, INT or LONG in the config's own unit, 0 when it is not set.
func (v Values) Int(name string) int64 { return v.at(v.key(name)).num }

// Bool is a BOOLEAN, false when it is not set.
func (v Values) Bool(name string) bool { return v.at(v.key(name)).num != 0 }

// Float is a DOUBLE or any number as one.
func (v Values) Float(name string) float64 {
	k := v.key(name)
	return v.at(k).float(k.Type)
}

// String is a config of any type as text, spelled as a description spells it;
// empty when it is not set.
func (v Values) String(name string) string {
	k := v.key(name)
	if val := v.at(k); !val.null {
		return val.format(k.Type)
	}
	return ""
}

// List is a LIST; class names in it are plain, though Kafka shows a default
// one as "class org.apache.kafka…".
func (v Values) List(name string) []string {
	list := slices.Clone(v.at(v.key(name)).list)
	for i, s := range list {
		list[i] = strings.TrimPrefix(s, "class ")
	}
	return list
}
