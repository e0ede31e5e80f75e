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
	sign := f.sign()
	for _, l := range f.textLines() {
		if isComment(l.text) {
			f.out.note(l.text)
			continue
		}
		p, damage := readProperty(l, sign)
		if damage != nil {
			f.out.damage(damage)
			return
		}
		f.out.entry(p)
	}
}

// sign is what stands between a name and its value.
func (n fileName) sign() string {
	if strings.HasPrefix(n.base, "meta.") {
		return "="
	}
	return ": "
}

// isComment tells of a line that it has no property: it is empty, or a comment.
func isComment(text string) bool {
	trimmed := strings.TrimSpace(text)
	return trimmed == "" || trimmed[0] == '#' || trimmed[0] == '!'
}

func readProperty(l textLine, sign string) (Property, *Damage) {
	key, value, found := strings.Cut(strings.TrimSpace(l.text), sign)
	if !found {
		return Property{}, damagef(l.at, "%q is not name%svalue", l.text, sign)
	}
	return Property{strings.TrimSpace(key), strings.TrimSpace(value), l.text}, nil
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
	if damage := checkObject(p); damage != nil {
		f.out.damage(damage)
		return
	}
	f.out.entry(Object{bytes.TrimSpace(p)})
}

// checkObject tells why a text is no JSON object.
func checkObject(p []byte) *Damage {
	before := int64(len(p) - len(bytes.TrimLeft(p, " \t\r\n")))
	var object map[string]json.RawMessage
	err := json.Unmarshal(bytes.TrimSpace(p), &object)
	if err == nil {
		return nil
	}
	at := before
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at += max(syntax.Offset-1, 0)
	}
	return damagef(at, "no JSON object: %v", err)
}
