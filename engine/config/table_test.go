package config

import (
	"slices"
	"testing"
)

// TestDefaults: every config of Kafka's own classes is in the table, and
// nothing else but the three that are dynamic only.
func TestDefaults(t *testing.T) {
	seen := map[Scope]map[string]bool{Topic: {}, Broker: {}, Producer: {}, Consumer: {}}
	for _, row := range vectorLines(t, "defaults.txt") {
		scope, name := scopeOf(t, row[0]), row[1]
		seen[scope][name] = true
		k, ok := Lookup(scope, name)
		if !ok {
			t.Errorf("no %s config %s", scope, name)
			continue
		}
		want := k.Default
		if k.NullDefault {
			want = "null"
		} else if !k.HasDefault {
			want = "(required)"
		}
		if want != row[3] || string(k.Type) != row[2] || k.Internal != (row[4] == "internal") {
			t.Errorf("%s %s: %s %q internal=%v, Kafka has %v", scope, name, k.Type, want, k.Internal, row[2:])
		}
	}
	for scope := range seen {
		for _, k := range Keys(scope) {
			if !seen[scope][k.Name] && !k.DynamicOnly {
				t.Errorf("Kafka has no %s config %s", scope, k.Name)
			}
		}
	}
}

func TestKeysAreSortedAndFound(t *testing.T) {
	for s := range scopeNames {
		keys := Keys(Scope(s))
		for i, k := range keys {
			if i > 0 && keys[i-1].Name >= k.Name {
				t.Errorf("%s before %s", keys[i-1].Name, k.Name)
			}
			if found, ok := Lookup(Scope(s), k.Name); !ok || found.Name != k.Name || found.Scope != Scope(s) {
				t.Errorf("Lookup(%s, %s) = %v %v", Scope(s), k.Name, found, ok)
			}
		}
	}
	if len(Keys(Scope(9))) != 0 || Scope(9).String() != "unknown scope" {
		t.Error("a scope that is none has configs")
	}
}

func TestScopes(t *testing.T) {
	for name, want := range map[string][]Scope{
		"retention.ms":        {Topic},
		"log.retention.ms":    {Broker},
		"min.insync.replicas": {Topic, Broker},
		"compression.type":    {Topic, Broker, Producer},
		"client.id":           {Producer, Consumer},
		"no.such":             nil,
	} {
		if got := Scopes(name); !slices.Equal(got, want) {
			t.Errorf("Scopes(%s) = %v, want %v", name, got, want)
		}
	}
}

// TestTableRefersToItself: synonyms and rules name configs that are there, and
// of a type that can be reckoned with.
func TestTableRefersToItself(t *testing.T) {
	for s := range scopeNames {
		for _, k := range Keys(Scope(s)) {
			for i, name := range k.Synonyms {
				b, ok := Lookup(Broker, name)
				if !ok {
					t.Errorf("%s: synonym %s is no broker config", k.Name, name)
				}
				if k.factors[i] != 1 && (!b.Type.numeric() || !k.Type.numeric()) {
					t.Errorf("%s: synonym %s is multiplied and no number", k.Name, name)
				}
			}
			if k.Unit != NoUnit && !k.Type.numeric() && k.Type != Double {
				t.Errorf("%s has a unit and is a %s", k.Name, k.Type)
			}
			if (k.UpdateMode != "") != (k.Scope == Broker) {
				t.Errorf("%s %s has update mode %q", k.Scope, k.Name, k.UpdateMode)
			}
			if k.Allowed() == "" {
				t.Errorf("%s allows nothing", k.Name)
			}
		}
	}
	for _, p := range pairs() {
		for _, name := range []string{p.left, p.right} {
			if k, ok := Lookup(Broker, name); !ok || !k.Type.numeric() {
				t.Errorf("rules.tsv: %s is no broker config with a number", name)
			}
		}
		if !slices.Contains([]string{"<", "<=", ">="}, p.op) {
			t.Errorf("rules.tsv: %s is no comparison", p.op)
		}
	}
	if len(pairs()) != 40 {
		t.Errorf("%d rules, Kafka has 40", len(pairs()))
	}
}

func TestKey(t *testing.T) {
	for _, c := range []struct {
		scope   Scope
		name    string
		allowed string
		unit    Unit
		mode    UpdateMode
	}{
		{Topic, "segment.bytes", "INT, at least 1048576", Bytes, ""},
		{Topic, "cleanup.policy", "LIST, of compact, delete", NoUnit, ""},
		{Topic, "min.cleanable.dirty.ratio", "DOUBLE, 0 to 1", NoUnit, ""},
		{Topic, "internal.segment.bytes", "INT", Bytes, ""},
		{Broker, "log.retention.hours", "INT", Hours, ReadOnly},
		{Broker, "log.retention.ms", "LONG", Millis, ClusterWide},
		{Broker, "listeners", "LIST, any, not empty", NoUnit, PerBroker},
		{Broker, "leader.imbalance.check.interval.seconds", "LONG, at least 1", Seconds, ReadOnly},
		{Broker, "leader.replication.throttled.rate", "LONG, at least 0", Bytes, ClusterWide},
		{Consumer, "group.protocol", "STRING, one of consumer, classic", NoUnit, ""},
		{Producer, "batch.size", "INT, at least 0", Bytes, ""},
	} {
		k, _ := Lookup(c.scope, c.name)
		if k.Allowed() != c.allowed || k.Unit != c.unit || k.UpdateMode != c.mode {
			t.Errorf("%s: %q %q %q, want %q %q %q", c.name, k.Allowed(), k.Unit, k.UpdateMode, c.allowed, c.unit, c.mode)
		}
	}
	if k, _ := Lookup(Broker, "ssl.key.password"); !k.Sensitive() {
		t.Error("a password is not sensitive")
	}
	if k, _ := Lookup(Topic, "segment.bytes"); !k.Honoured {
		t.Error("segment.bytes is not honoured")
	}
}

func TestCodes(t *testing.T) {
	for typ, code := range map[Type]int8{Boolean: 1, String: 2, Int: 3, Short: 4, Long: 5, Double: 6, List: 7, Class: 8, Password: 9, "": 0} {
		if typ.Code() != code {
			t.Errorf("%s is %d, want %d", typ, typ.Code(), code)
		}
	}
	if DynamicDefaultConfig.String() != "DYNAMIC_DEFAULT_BROKER_CONFIG" || Source(77).String() != "UNKNOWN" {
		t.Error("wrong names of sources")
	}
}

// TestBrokenLines: a fault in the table is found when it is read.
func TestBrokenLines(t *testing.T) {
	for _, line := range []string{
		"a\tINT",
		"a\tFLOAT\t0\t-\t-\t-\t-\t-\tno",
		"a\tINT\tx\t-\t-\t-\t-\t-\tno",
		"a\tINT\t0\trange 1 -\t-\t-\t-\t-\tno",
		"a\tINT\t0\trange x -\t-\t-\t-\t-\tno",
		"a\tINT\t0\trange - y\t-\t-\t-\t-\tno",
		"a\tINT\t0\tnonsense\t-\t-\t-\t-\tno",
		"a\tLIST\t\tlist sorted\t-\t-\t-\t-\tno",
		"a\tINT\t0\t\t-\t-\t-\t-\tno",
		"a\tINT\t0\t-\t-\t-\t-\tb*x\tno",
	} {
		if bad := new(Key).parse(Topic, line); bad == "" {
			t.Errorf("%q was taken", line)
		}
	}
}
