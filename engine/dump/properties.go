package dump

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Property is a line of a file of names and values.
type Property struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	text  string
}

// Line implements Entry.
func (p Property) Line() string { return p.text }

// dumpProperties tells meta.properties, whose lines are name=value, and
// partition.metadata, where it is name: value. Comments begin with # or !.
func dumpProperties(f *file) {
	sign := ": "
	if strings.HasPrefix(f.base, "meta.") {
		sign = "="
	}
	for _, l := range f.textLines() {
		trimmed := strings.TrimSpace(l.text)
		if trimmed == "" || trimmed[0] == '#' || trimmed[0] == '!' {
			f.out.note(l.text)
			continue
		}
		key, value, found := strings.Cut(trimmed, sign)
		if !found {
			f.out.damage(damagef(l.at, "%q is not name%svalue", l.text, sign))
			return
		}
		f.out.entry(Property{strings.TrimSpace(key), strings.TrimSpace(value), l.text})
	}
}

// Object is a file that holds one JSON object.
type Object struct{ raw json.RawMessage }

// Line implements Entry.
func (o Object) Line() string { return string(o.raw) }

// MarshalJSON makes the object itself the entry.
func (o Object) MarshalJSON() ([]byte, error) { return o.raw, nil }

// dumpJSON tells .kafka_cleanshutdown and quorum-state.
func dumpJSON(f *file) {
	p, damage := f.all()
	if damage != nil {
		f.out.damage(damage)
		return
	}
	p = bytes.TrimSpace(p)
	var object map[string]json.RawMessage
	if err := json.Unmarshal(p, &object); err != nil {
		at := int64(0)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = max(syntax.Offset-1, 0)
		}
		f.out.damage(damagef(at, "no JSON object: %v", err))
		return
	}
	f.out.entry(Object{p})
}
