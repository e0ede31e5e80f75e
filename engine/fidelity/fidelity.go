// Package fidelity says how true the lab is to Apache Kafka 4.4: what is exact,
// what is simplified, what is absent. It is the one source of that table; the
// command line, the screens and the README show its rows.
package fidelity

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Level is how true one thing is.
type Level string

const (
	Exact      Level = "exact"      // Kafka's rule, bytes or words
	Simplified Level = "simplified" // the same outcome by a shorter way, or a part of the rule
	Absent     Level = "absent"     // not there yet: nothing pretends that it is
)

// Row is one thing of Kafka's.
type Row struct {
	Area    string // storage, replication, controller, protocol, clients, time
	Name    string
	Level   Level
	Rule    string // Kafka's rule, and how ours differs if it does
	Default string // the config that governs it with Kafka's default, if one does
	Source  string // class, KIP or file that says so
	Test    string // the test that holds it; of what is absent, the one that shows it is refused
}

// Rows is the whole table, by area.
func Rows() []Row {
	return slices.Concat(storageRows, replicationRows, controllerRows, protocolRows, clientRows, timeRows)
}

// About finds the rows whose area or name has one of the words in it.
func About(words ...string) []Row {
	var out []Row
	for _, r := range Rows() {
		text := strings.ToLower(r.Area + " " + r.Name)
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, strings.ToLower(w)) }) {
			out = append(out, r)
		}
	}
	return out
}

// Write prints the table as text, an area at a time.
func Write(w io.Writer) error {
	area := ""
	for _, r := range Rows() {
		if r.Area != area {
			if area != "" {
				fmt.Fprintln(w)
			}
			area = r.Area
			fmt.Fprintln(w, strings.ToUpper(area))
		}
		fmt.Fprintf(w, "  %-10s %s\n", r.Level, r.Name)
		fmt.Fprintf(w, "             %s\n", r.Rule)
		if r.Default != "" {
			fmt.Fprintf(w, "             default: %s\n", r.Default)
		}
		if _, err := fmt.Fprintf(w, "             source: %s · test: %s\n", r.Source, r.Test); err != nil {
			return err
		}
	}
	return nil
}
