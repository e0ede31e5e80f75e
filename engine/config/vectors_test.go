package config

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// vectorLines reads a file of testdata: what Apache Kafka 4.4.0 answered, tab
// between the columns.
func vectorLines(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows [][]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	return rows
}

var unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r", `\v`, "\v")

// settings reads a=1;b=2.
func settings(text string) map[string]string {
	set := map[string]string{}
	for _, pair := range strings.Split(text, ";") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			set[name] = unescape.Replace(value)
		}
	}
	return set
}

func scopeOf(t *testing.T, name string) Scope {
	t.Helper()
	for s := range scopeNames {
		if scopeNames[s] == name {
			return Scope(s)
		}
	}
	t.Fatalf("no scope %s", name)
	return 0
}

// TestValues: one value for one config, parsed by ConfigDef of Kafka 4.4.0.
// Columns: scope, name, value, ok or err, what the value is shown as or the
// message.
func TestValues(t *testing.T) {
	for _, row := range vectorLines(t, "values.txt") {
		scope, name, raw := scopeOf(t, row[0]), row[1], unescape.Replace(row[2])
		key, ok := Lookup(scope, name)
		if !ok {
			t.Errorf("no %s config %s", scope, name)
			continue
		}
		v, got := parseValue(&key, raw)
		verdict := "err"
		if got == "" {
			verdict, got = "ok", v.format(key.Type)
		}
		if want := unescape.Replace(row[4]); verdict != row[3] || got != want {
			t.Errorf("%s %s=%q: %s %q, Kafka says %s %q", scope, name, raw, verdict, got, row[3], want)
		}
	}
}
