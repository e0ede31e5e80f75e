// Package trace is what a cluster tells about itself: typed events, each with
// its numbers, the node that decided, and the event that caused it. Text is
// made from an event when someone looks, never when it happens.
package trace

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// ID numbers the events of one cluster from 1 on, without holes. 0 is "no
// event": the cause of what a command of the learner's started.
type ID uint64

// Event is one thing that happened.
type Event struct {
	ID    ID
	Cause ID    // the event this one follows from, 0 for a command
	Time  int64 // virtual milliseconds since the cluster's start
	Step  int64 // the step of the loop in which it was emitted, from 1
	Node  string
	Body  Body
}

// Body is the typed part of an event. Its exported fields are its numbers: in
// JSON and in event.KIND.FIELD they go by the name in their json tag.
type Body interface {
	// Line says what happened in one line of plain text, in Kafka's terms,
	// without time and node: the reader sees those beside it.
	Line() string
}

// Kind is the name of an event's type, such as IsrShrunk.
func (e Event) Kind() string { return KindOf(e.Body) }

// KindOf names the type of a body.
func KindOf(b Body) string {
	t := reflect.TypeOf(b)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// Line is the event in one line: time in seconds, node, what happened.
func (e Event) Line() string {
	return fmt.Sprintf("%d.%03d %s %s", e.Time/1000, e.Time%1000, e.Node, e.Body.Line())
}

// MarshalJSON puts the body's fields beside id, cause, time, node and kind.
func (e Event) MarshalJSON() ([]byte, error) {
	head, err := PlainJSON(struct {
		ID    ID     `json:"id"`
		Cause ID     `json:"cause"`
		Time  int64  `json:"time"`
		Node  string `json:"node"`
		Kind  string `json:"kind"`
	}{e.ID, e.Cause, e.Time, e.Node, e.Kind()})
	if err != nil {
		return nil, err
	}
	body, err := PlainJSON(e.Body)
	if err != nil {
		return nil, err
	}
	if string(body) == "{}" {
		return head, nil
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

// Field reads one number or word of a body by its json name. Lists are joined
// by commas; ok is false when the kind has no such field.
func Field(b Body, name string) (value string, ok bool) {
	v := reflect.Indirect(reflect.ValueOf(b))
	for _, f := range reflect.VisibleFields(v.Type()) {
		if tag := jsonName(f); tag != "" && tag == name {
			return fieldText(v.FieldByIndex(f.Index)), true
		}
	}
	return "", false
}

// FieldNames lists the names that Field knows for a body, in order.
func FieldNames(b Body) []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.Indirect(reflect.ValueOf(b)).Type()) {
		if tag := jsonName(f); tag != "" {
			names = append(names, tag)
		}
	}
	return names
}

func jsonName(f reflect.StructField) string {
	tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if tag == "-" {
		return ""
	}
	return tag
}

func fieldText(v reflect.Value) string {
	if s, ok := v.Interface().(fmt.Stringer); ok {
		return s.String()
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = fieldText(v.Index(i))
		}
		return strings.Join(parts, ",")
	default:
		return fmt.Sprint(v.Interface())
	}
}
