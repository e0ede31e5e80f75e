package config

import (
	"regexp"
	"strings"
	"testing"

	"kafkalab/engine/kerror"
)

var (
	createRow = regexp.MustCompile(`config=map\[(.*)\] assignment=\[\] -> (\S+) \| (.*) \| parts`)
	oneConfig = regexp.MustCompile(`([a-z.]+):(\S+)`)
)

// answer is an error as the goldens write it.
func answer(err *kerror.Error) string {
	if err == nil {
		return "ok"
	}
	return err.Message
}

// TestCreateTopics: what a running cluster answered to creations with configs.
func TestCreateTopics(t *testing.T) {
	for _, row := range vectorLines(t, "create-topics.txt") {
		m := createRow.FindStringSubmatch(row[0])
		if m == nil {
			t.Fatalf("cannot read %s", row[0])
		}
		overrides := map[string]string{}
		for _, c := range oneConfig.FindAllStringSubmatch(m[1], -1) {
			overrides[c[1]] = c[2]
		}
		err := ValidateTopic(overrides)
		code, message := "NONE", "null"
		if err != nil {
			code, message = err.Code.String()+"(40)", err.Message
		}
		if code != m[2] || message != m[3] {
			t.Errorf("%v: %s | %s, Kafka says %s | %s", overrides, code, message, m[2], m[3])
		}
		if len(overrides) == 1 {
			for name, value := range overrides {
				if one := Validate(Topic, name, value); answer(one) != answer(err) {
					t.Errorf("Validate(%s, %s) = %v, ValidateTopic says %v", name, value, one, err)
				}
			}
		}
	}
}

// TestTopics: several configs, several faults, and what a topic inherits.
func TestTopics(t *testing.T) {
	for _, row := range vectorLines(t, "topics.txt") {
		broker, topic, _ := strings.Cut(row[0], "|")
		got := answer(ValidateTopicOn(NewBroker(Layers{Static: settings(broker)}), settings(topic)))
		_, want, found := strings.Cut(row[1], ": ")
		if !found {
			want = row[1]
		}
		if topic == "BB=1;Aa=1" { // one bucket: Kafka then goes by the order of the request
			want = "Unknown topic config name: Aa"
		}
		if got != want {
			t.Errorf("%s: %s\nKafka says %s", row[0], got, want)
		}
	}
}

func TestLongValue(t *testing.T) {
	// ä is one UTF-16 unit and two bytes, 😀 two units
	for value, want := range map[string]string{
		strings.Repeat("ä", 32767):         "Not a number of type LONG",
		strings.Repeat("ä", 32768):         "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes.",
		strings.Repeat("😀", 16384):         "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes.",
		strings.Repeat(" ", 32766) + "5":   "ok",
		strings.Repeat(" ", 32766) + "-55": "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes.",
	} {
		got := answer(ValidateTopic(map[string]string{"retention.ms": value, "no.such": "1"}))
		if want == "ok" || strings.HasPrefix(want, "Not") {
			want = "Unknown topic config name: no.such"
		}
		if got != want {
			t.Errorf("%d bytes: %s, want %s", len(value), got, want)
		}
	}
}

// TestUnknownNames: only a topic minds them.
func TestUnknownNames(t *testing.T) {
	if err := Validate(Topic, "log.retention.ms", "1"); answer(err) != "Unknown topic config name: log.retention.ms" || err.Code != kerror.InvalidConfig {
		t.Errorf("topic: %v", err)
	}
	for _, scope := range []Scope{Broker, Producer, Consumer} {
		if err := Validate(scope, "no.such", "1"); err != nil {
			t.Errorf("%s: %v", scope, err)
		}
	}
	if err := Validate(Consumer, "acks", "all"); err != nil {
		t.Errorf("consumer: %v", err)
	}
}

// TestBrokers: would a broker start?
func TestBrokers(t *testing.T) {
	for _, row := range vectorLines(t, "brokers.txt") {
		static := settings(row[0])
		if _, ok := static["node.id"]; !ok {
			static["node.id"] = "1"
		}
		_, want, found := strings.Cut(row[1], ": ")
		if !found {
			want = row[1]
		}
		if got := answer(ValidateBroker(static)); got != want {
			t.Errorf("%s: %s\nKafka says %s", row[0], got, want)
		}
	}
}

// TestClients: would a Java client start, and what does it make of its
// settings?
func TestClients(t *testing.T) {
	for _, row := range vectorLines(t, "clients.txt") {
		scope, set := scopeOf(t, row[0]), settings(row[1])
		got := answer(ValidateClient(scope, set))
		if got == "ok" {
			v := NewClient(scope, set)
			if scope == Producer {
				got += " idempotence=" + v.String("enable.idempotence") + " acks=" + v.String("acks") +
					" reconnect.max=" + v.String("reconnect.backoff.max.ms")
			} else {
				got += " autocommit=" + v.String("enable.auto.commit")
			}
		}
		want, _, _ := strings.Cut(row[2], " client.id=")
		if _, inner, nested := strings.Cut(want, " <- "); nested {
			want = inner
		}
		if _, words, found := strings.Cut(want, "Exception: "); found {
			want = words
		}
		if strings.Contains(row[2], "ClassNotFoundException") { // the exception around it has the words
			want += " ClassNotFoundException exception occurred"
		}
		if got != want {
			t.Errorf("%s %s: %s\nKafka says %s", row[0], row[1], got, want)
		}
	}
}

func FuzzValidate(f *testing.F) {
	f.Add("segment.bytes", "4KiB")
	f.Add("cleanup.policy", "compact,,delete")
	f.Add("min.cleanable.dirty.ratio", "0x1p-1d")
	f.Add("auto.offset.reset", "by_duration:P-1DT-9223372036854775807S")
	f.Add("controller.quorum.voters", "1@h:99999999999,@")
	f.Add("leader.replication.throttled.replicas", "*")
	f.Fuzz(func(t *testing.T, name, raw string) {
		for _, scope := range Scopes(name) {
			key, _ := Lookup(scope, name)
			v, refusal := parseValue(&key, raw)
			if (refusal == "") != (Validate(scope, name, raw) == nil) {
				t.Fatalf("%s=%q: %q", name, raw, refusal)
			}
			if refusal != "" {
				continue
			}
			// what is shown is taken again, and shown the same
			shown := v.format(key.Type)
			again, refusal := parseValue(&key, shown)
			if refusal != "" && key.Type != List { // "a, ,b" cannot be shown so that it can be read
				t.Fatalf("%s=%q is shown as %q: %s", name, raw, shown, refusal)
			}
			if refusal == "" && again.format(key.Type) != shown {
				t.Fatalf("%s: %q, then %q", name, shown, again.format(key.Type))
			}
		}
	})
}
