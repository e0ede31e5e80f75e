package console

import (
	"fmt"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/trace"
)

// showSequence lists the newest messages, each with the id of its event; of one
// event it shows the message with all its fields.
func showSequence(c *engine.Cluster, _ engine.ReplicaName, event int64) (any, []string) {
	if event >= 0 {
		return showMessage(c, trace.ID(event))
	}
	topic := topicNames(c)
	var lines []string
	events := newest(c, func(e trace.Event) bool { return e.Kind() == "MessageSent" })
	for _, e := range events {
		m := e.Body.(trace.MessageSent)
		what := ""
		if m.Response {
			what = " response"
		}
		line := fmt.Sprintf("%d.%03d  event %-5d %-12s ──▶ %-12s %s%s v%d  %d B", e.Time/1000, e.Time%1000, e.ID, m.From, m.To, m.API, what, m.Version, m.Bytes)
		if says := m.Summary(topic); says != "" {
			line += "  " + says
		}
		lines = append(lines, line)
	}
	return events, lines
}

// shownMessage is a message taken apart.
type shownMessage struct {
	Event  trace.Event       `json:"event"`
	Fields []trace.WireField `json:"fields"`
	Error  string            `json:"error,omitempty"` // why there are not more of them
}

// showMessage shows the message that an event sent, field by field.
func showMessage(c *engine.Cluster, id trace.ID) (any, []string) {
	e, ok := c.Event(id)
	sent, is := e.Body.(trace.MessageSent)
	if !ok || !is {
		return nil, []string{fmt.Sprintf("event %d sent no message, or is not kept: show sequence lists those that did", id)}
	}
	what := "request"
	if sent.Response {
		what = "response"
	}
	lines := []string{fmt.Sprintf("%s %s v%d  %s to %s  %d B", sent.API, what, sent.Version, sent.From, sent.To, sent.Bytes)}
	shown := shownMessage{Event: e}
	fields, err := sent.Fields()
	if err != nil {
		shown.Error = err.Error()
	}
	shown.Fields = fields
	lines = append(lines, fieldLines(fields, "  ", topicNames(c))...)
	if err != nil {
		lines = append(lines, "  "+err.Error())
	}
	return shown, lines
}

// fieldLines are fields, each in a line, what is in them indented.
func fieldLines(fields []trace.WireField, indent string, topic func(string) string) (lines []string) {
	for _, f := range fields {
		line := indent + f.Name
		switch {
		case strings.HasPrefix(f.Type, "[]"):
			line += "  " + f.Value + " of " + strings.TrimPrefix(f.Type, "[]")
			if f.Null() {
				line = indent + f.Name + "  null"
			}
		case f.Value != "":
			line += "  " + f.Value
		case f.Type == "string":
			line += "  ''"
		}
		if f.Name == "TopicId" && topic(f.Value) != "" {
			line += "  " + topic(f.Value)
		} else if f.Note != "" && f.Value != "" {
			line += "  " + f.Note
		}
		if f.Tag != trace.NoTag {
			line += fmt.Sprintf("  tag %d", f.Tag)
		}
		lines = append(lines, line)
		lines = append(lines, fieldLines(f.Fields, indent+"  ", topic)...)
	}
	return lines
}

// topicNames tells the topics of a cluster by their ids.
func topicNames(c *engine.Cluster) func(id string) string {
	names := map[string]string{}
	for _, t := range c.View().Topics {
		names[t.ID] = t.Name
	}
	return func(id string) string { return names[id] }
}
