package config

import (
	"strings"
	"sync"
)

// class is one class of Kafka's that a config may name.
type class struct {
	implements string
	short      string // an assignor's name in the protocol, else empty
}

var classes = sync.OnceValue(func() map[string]class {
	all := map[string]class{}
	for _, line := range dataLines("classes.tsv") {
		if col := strings.Split(line, "\t"); len(col) == 3 {
			all[col[0]] = class{implements: col[1], short: strings.Trim(col[2], "-")}
		}
	}
	return all
})

func knownClass(name string) bool {
	_, ok := classes()[name]
	return ok
}

// assignorClass finds a client assignor's class by the name that it has in the
// group protocol, such as cooperative-sticky.
func assignorClass(short string) (name string, ok bool) {
	// order: a short name belongs to one class
	for name, c := range classes() {
		if c.short != "" && c.short == short {
			return name, true
		}
	}
	return "", false
}
