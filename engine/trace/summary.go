package trace

import (
	"strconv"
	"strings"
)

// Summary is what matters most in a message, in a few words: epoch 3 orders-0@1085
// of a fetch, orders-0 hw 12, 0 B of its answer. topic gives the name that belongs
// to a topic's id as Kafka writes it, empty for one that is not known. The summary
// is empty when the bytes were not kept, or when nothing in them stands out.
func (m Message) Summary(topic func(id string) string) string {
	fields, err := m.Fields()
	if err != nil {
		return ""
	}
	s := summary{WireField{Fields: fields}, topic}
	if say := sayings[saying{m.API, m.Response}]; say != nil {
		return strings.Join(say(s), " ")
	}
	return strings.Join(s.errorWords(), " ")
}

// summary makes words of a message's fields.
type summary struct {
	WireField
	topic func(id string) string
}

// at is a field by its way, empty if it is not there: Topics.
func (s summary) at(name string) summary {
	f, _ := s.Get(name)
	return summary{f, s.topic}
}

func (s summary) list(name string) []summary {
	f, _ := s.Get(name)
	list := make([]summary, len(f.Fields))
	for i := range f.Fields {
		list[i] = summary{f.Fields[i], s.topic}
	}
	return list
}

func (s summary) value(name string) string { return s.at(name).Value }

// name is the topic's: as it stands there, or by its id.
func (s summary) name() string {
	for _, field := range []string{"Name", "Topic", "TopicName"} {
		if f, ok := s.Get(field); ok && !f.null && f.Value != "" {
			return f.Value
		}
	}
	id := s.value("TopicId")
	if id == metadataTopicID {
		return "__cluster_metadata"
	}
	if s.topic != nil {
		if name := s.topic(id); name != "" {
			return name
		}
	}
	return id
}

// metadataTopicID is the id of KRaft's own topic in every cluster
// (Uuid.METADATA_TOPIC_ID).
const metadataTopicID = "AAAAAAAAAAAAAAAAAAAAAQ"

// errorWords name the first error that the message tells, anywhere in it.
func (s summary) errorWords() []string {
	if s.Name == "ErrorCode" && s.number != 0 {
		return []string{s.Note}
	}
	for i := range s.Fields {
		if words := (summary{s.Fields[i], nil}).errorWords(); words != nil {
			return words
		}
	}
	return nil
}

// failed is the error of one partition or of the whole.
func (s summary) failed() string {
	if code := s.at("ErrorCode"); code.number != 0 {
		return code.Note
	}
	return ""
}

// most is how many partitions or topics a summary names.
const most = 2

// partitions says something of each partition, as Kafka writes it: orders-0.
func (s summary) partitions(topics, partitions, index string, say func(p summary) string) (words []string) {
	n := 0
	for _, t := range s.list(topics) {
		for _, p := range t.list(partitions) {
			if n++; n <= most {
				words = append(words, strings.TrimSpace(t.name()+"-"+p.value(index)+say(p)))
			}
		}
	}
	if n > most {
		words = append(words, "and "+strconv.Itoa(n-most)+" more")
	}
	for i := range words[:max(0, len(words)-1)] {
		words[i] += ","
	}
	return words
}
