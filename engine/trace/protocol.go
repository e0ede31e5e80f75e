package trace

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// protocolText is the table of all messages, see its head.
//
//go:embed protocol.txt
var protocolText string

// protocol is the table, read when a message is looked at for the first time.
var protocol = sync.OnceValue(func() map[layoutName]*layout {
	all, err := readProtocol(protocolText)
	if err != nil {
		panic("trace: " + err.Error()) // the table is part of the program
	}
	return all
})

// layoutName names a message: its key, and whether it is the answer. The
// headers have the key -1.
type layoutName struct {
	key      int16
	response bool
}

const headerKey = -1

// layout is how the versions of a message lie on the wire.
type layout struct {
	name     string // Produce
	versions versions
	flexible versions
	fields   []layoutField
}

// layoutField is one field of a message or of a struct in it.
type layoutField struct {
	name     string // Kafka's: TopicData
	kind     string // int32, string, records, …, or the name of a struct
	array    bool
	versions versions
	nullable versions
	tagged   versions
	tag      uint64
	rigid    bool // never in the compact form (ClientId of the request header)
	fields   []layoutField
}

// versions is a range of versions, both ends in it.
type versions struct{ from, to int16 }

func (v versions) has(n int16) bool { return n >= v.from && n <= v.to }

// noVersions has none, lastVersion is the end of a range without one.
var noVersions = versions{1, 0}

const lastVersion = 1<<15 - 1

func readVersions(text string) (versions, error) {
	if text == "none" {
		return noVersions, nil
	}
	first, last, ranged := strings.Cut(text, "-")
	if open, ok := strings.CutSuffix(text, "+"); ok {
		first, last, ranged = open, strconv.Itoa(lastVersion), true
	}
	if !ranged {
		last = first
	}
	from, err := strconv.ParseInt(first, 10, 16)
	to, err2 := strconv.ParseInt(last, 10, 16)
	if err != nil || err2 != nil || from < 0 || to < from {
		return noVersions, fmt.Errorf("%q are no versions: want 3, 3-5, 3+ or none", text)
	}
	return versions{int16(from), int16(to)}, nil
}

// readProtocol reads the table. The error names the line.
func readProtocol(text string) (map[layoutName]*layout, error) {
	all := map[layoutName]*layout{}
	var path []*[]layoutField // where a field of each depth is put
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		depth := len(line) - len(strings.TrimLeft(line, "\t"))
		if depth == 0 {
			name, l, err := readLayout(words)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			all[name], path = l, []*[]layoutField{nil, &l.fields}
			continue
		}
		f, err := readLayoutField(words)
		if err == nil && depth >= len(path) {
			err = fmt.Errorf("%s stands too deep", words[0])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		into := path[depth]
		*into = append(*into, f)
		path = append(path[:depth+1], &(*into)[len(*into)-1].fields)
	}
	return all, nil
}

func readLayout(words []string) (name layoutName, l *layout, err error) {
	if len(words) != 5 {
		return name, nil, fmt.Errorf("a message has five words, here are %d", len(words))
	}
	key, err := strconv.ParseInt(words[2], 10, 16)
	if err != nil {
		return name, nil, fmt.Errorf("key %q: want a number", words[2])
	}
	name = layoutName{int16(key), strings.HasSuffix(words[0], "ResponseHeader") || words[1] == "response"}
	l = &layout{name: words[0]}
	if l.versions, err = readVersions(words[3]); err == nil {
		l.flexible, err = readVersions(words[4])
	}
	return name, l, err
}

func readLayoutField(words []string) (f layoutField, err error) {
	if len(words) < 3 {
		return f, fmt.Errorf("%s: a field has a name, a type and versions", words[0])
	}
	f = layoutField{name: words[0], nullable: noVersions, tagged: noVersions}
	f.kind, f.array = strings.CutPrefix(words[1], "[]")
	if f.versions, err = readVersions(words[2]); err != nil {
		return f, err
	}
	for _, word := range words[3:] {
		what, value, _ := strings.Cut(word, "=")
		switch what {
		case "null":
			f.nullable, err = readVersions(value)
		case "tag":
			tag, in, _ := strings.Cut(value, ":")
			if f.tag, err = strconv.ParseUint(tag, 10, 32); err == nil {
				f.tagged, err = readVersions(in)
			}
		case "flexible":
			f.rigid = value == "none"
		default:
			err = fmt.Errorf("%q: want null=, tag= or flexible=", word)
		}
		if err != nil {
			return f, err
		}
	}
	return f, nil
}
