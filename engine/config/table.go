package config

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"kafkalab/assets"
)

// table is the configs of one scope.
type table struct {
	keys   []Key          // in Kafka's order of checking: the first wrong one is reported
	byName map[string]int // places in keys
	sorted []int          // places in keys, by name
}

var tables [len(scopeNames)]struct {
	table
	read sync.Once
}

// tableOf gives the configs of a scope, reading its part of the table first if
// nobody has asked yet: a program that never does must not wait for it at its
// start.
func tableOf(scope Scope) *table {
	if int(scope) >= len(tables) {
		return &table{}
	}
	t := &tables[scope]
	t.read.Do(func() { t.table = readScope(scope) })
	return &t.table
}

// readScope reads a part of the table. The table is built into the program and
// held by tests, so that a fault in it is a fault of the program's own.
func readScope(scope Scope) table {
	name := scope.String() + ".tsv"
	lines := dataLines(name)
	t := table{keys: make([]Key, 0, len(lines)), byName: make(map[string]int, len(lines))}
	for n, line := range lines {
		if line == "" {
			continue
		}
		at := len(t.keys)
		t.keys = t.keys[:at+1]
		if bad := t.keys[at].parse(scope, line); bad != "" {
			panic(fmt.Sprintf("assets/config/%s:%d: %s", name, n+1, bad))
		}
		t.byName[t.keys[at].Name] = at
		t.sorted = append(t.sorted, at)
	}
	slices.SortFunc(t.sorted, func(a, b int) int { return strings.Compare(t.keys[a].Name, t.keys[b].Name) })
	return t
}

// dataLines are the lines of a data file, comments made empty so that a line
// keeps its number.
func dataLines(name string) []string {
	data, err := fs.ReadFile(assets.Config(), name)
	if err != nil {
		panic(err) // built into the program, as the table itself
	}
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "#") {
			lines[i] = ""
		}
	}
	return lines
}

// find is Lookup without a copy.
func find(scope Scope, name string) *Key {
	t := tableOf(scope)
	if i, ok := t.byName[name]; ok {
		return &t.keys[i]
	}
	return nil
}

// Lookup finds a config by Kafka's name.
func Lookup(scope Scope, name string) (Key, bool) {
	if k := find(scope, name); k != nil {
		return *k, true
	}
	return Key{}, false
}

// Keys lists the configs of a scope by name.
func Keys(scope Scope) []Key {
	t := tableOf(scope)
	keys := make([]Key, len(t.sorted))
	for i, at := range t.sorted {
		keys[i] = t.keys[at]
	}
	return keys
}

// Scopes lists where a name is a config, for the message that says whose it
// is.
func Scopes(name string) []Scope {
	var scopes []Scope
	for s := range scopeNames {
		if find(Scope(s), name) != nil {
			scopes = append(scopes, Scope(s))
		}
	}
	return scopes
}
