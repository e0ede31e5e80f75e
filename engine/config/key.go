package config

import "strings"

// UpdateMode is how a broker config may be changed while the broker runs
// (DynamicBrokerConfig#dynamicConfigUpdateModes).
type UpdateMode string

const (
	ReadOnly    UpdateMode = "read-only"    // needs a restart
	PerBroker   UpdateMode = "per-broker"   // for one broker at a time
	ClusterWide UpdateMode = "cluster-wide" // for one broker or for all
)

// Unit is what a number counts, as far as a script may write it with a unit.
type Unit string

const (
	NoUnit  Unit = ""
	Bytes   Unit = "bytes"
	Millis  Unit = "ms"
	Seconds Unit = "seconds"
	Minutes Unit = "minutes"
	Hours   Unit = "hours"
)

// Key is one config: all that Kafka knows about it but its value. Its slices
// are the table's own and must not be changed.
type Key struct {
	Name  string // as Kafka spells it
	Scope Scope
	Type  Type

	Default     string // as text; empty too when there is none
	HasDefault  bool   // false: must be given, as bootstrap.servers
	NullDefault bool   // the default is null: not set

	Validator Validator // nil: every value of the type is allowed
	Internal  bool      // hidden from a description until it is set
	// DynamicOnly marks a broker config that cannot stand in the broker's
	// properties, such as leader.replication.throttled.rate.
	DynamicOnly bool
	UpdateMode  UpdateMode // of a broker config; empty in other scopes
	Unit        Unit
	// Synonyms of a topic config are the broker configs that stand in for it;
	// of a broker config those that say the same, itself among them. The first
	// that is set wins (ServerTopicConfigSynonyms,
	// DynamicBrokerConfig#brokerConfigSynonyms).
	Synonyms []string
	Honoured bool // the engine acts on it; one that is not is kept and described, no more

	perListener bool    // dynamic only as listener.name.NAME.KEY
	factors     []int64 // of each synonym: how many of this key's units one of its makes
	initial     value   // the default, parsed
}

// Sensitive tells whether Kafka keeps values of the config to itself.
func (k Key) Sensitive() bool { return k.Type == Password }

// Allowed says in a few words which values the config takes, for people:
// "INT, at least 1048576". Kafka's own words for a value it refuses come from
// Validate.
func (k Key) Allowed() string {
	if k.Validator == nil {
		return string(k.Type)
	}
	return string(k.Type) + ", " + k.Validator.String()
}

// brokerSynonyms are the names under which Kafka looks for a broker config's
// value: those of its group, or itself alone.
func (k Key) brokerSynonyms() []string {
	if len(k.Synonyms) > 0 {
		return k.Synonyms
	}
	return []string{k.Name}
}

// parse reads one line of the table.
func (k *Key) parse(scope Scope, line string) (bad string) {
	col := strings.Split(line, "\t")
	if len(col) != 9 {
		return "a config has nine columns"
	}
	*k = Key{Name: col[0], Scope: scope, Type: Type(col[1])}
	if k.Type.Code() == 0 {
		return "unknown type " + col[1]
	}
	k.HasDefault, k.NullDefault = col[2] != "(required)", col[2] == "null"
	if k.HasDefault && !k.NullDefault {
		k.Default = col[2]
	}
	k.Internal = col[4] == "internal"
	k.DynamicOnly = col[4] == "dynamic-only"
	k.perListener = col[4] == "per-listener"
	if col[5] != "-" {
		k.UpdateMode = UpdateMode(col[5])
	}
	if col[6] != "-" {
		k.Unit = Unit(col[6])
	}
	k.Honoured = col[8] == "yes"
	if bad = k.setSynonyms(col[7]); bad != "" {
		return bad
	}
	if k.Validator, bad = parseValidator(col[3]); bad != "" {
		return bad
	}
	if k.HasDefault && !k.NullDefault {
		k.initial, bad = parseValue(k, k.Default)
	}
	k.initial.null = k.NullDefault || !k.HasDefault
	return bad
}

// setSynonyms reads names with an optional factor: log.roll.hours*3600000.
func (k *Key) setSynonyms(text string) (bad string) {
	if text == "-" {
		return ""
	}
	for _, s := range strings.Split(text, ",") {
		name, times, found := strings.Cut(s, "*")
		factor := int64(1)
		if found {
			var ok bool
			if factor, ok = parseInt(times, 64); !ok {
				return "not a factor: " + times
			}
		}
		k.Synonyms, k.factors = append(k.Synonyms, name), append(k.factors, factor)
	}
	return ""
}
