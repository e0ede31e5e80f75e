package progress

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// The file's objects keep the fields they do not know: a later program of the
// same version may have written them, and two labs of different age on one file
// must not take each other's away.

// MarshalJSON writes the known fields in their order, version first, then the
// others.
func (p Progress) MarshalJSON() ([]byte, error) {
	type plain Progress
	return join(plain(p), p.extra)
}

// UnmarshalJSON keeps fields it does not know.
func (p *Progress) UnmarshalJSON(data []byte) (err error) {
	type plain Progress
	p.extra, err = split(data, (*plain)(p))
	return err
}

// MarshalJSON writes the known fields, then the others.
func (c Check) MarshalJSON() ([]byte, error) {
	type plain Check
	return join(plain(c), c.extra)
}

// UnmarshalJSON keeps fields it does not know.
func (c *Check) UnmarshalJSON(data []byte) (err error) {
	type plain Check
	c.extra, err = split(data, (*plain)(c))
	return err
}

// MarshalJSON writes the known fields, then the others.
func (l Lesson) MarshalJSON() ([]byte, error) {
	type plain Lesson
	return join(plain(l), l.extra)
}

// UnmarshalJSON keeps fields it does not know.
func (l *Lesson) UnmarshalJSON(data []byte) (err error) {
	type plain Lesson
	l.extra, err = split(data, (*plain)(l))
	return err
}

// MarshalJSON writes the known fields, then the others.
func (d Drill) MarshalJSON() ([]byte, error) {
	type plain Drill
	return join(plain(d), d.extra)
}

// UnmarshalJSON keeps fields it does not know.
func (d *Drill) UnmarshalJSON(data []byte) (err error) {
	type plain Drill
	d.extra, err = split(data, (*plain)(d))
	return err
}

// split reads an object into a struct and gives the fields that the struct has
// no place for.
func split(data []byte, known any) (map[string]json.RawMessage, error) {
	if err := json.Unmarshal(data, known); err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	t := reflect.TypeOf(known).Elem()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		delete(all, name)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}

// join writes a struct, and behind its fields the ones that were kept.
func join(known any, extra map[string]json.RawMessage) ([]byte, error) {
	head, err := json.Marshal(known)
	if err != nil || len(extra) == 0 {
		return head, err
	}
	tail, err := json.Marshal(extra)
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{head[:len(head)-1], tail[1:]}, []byte(",")), nil
}
