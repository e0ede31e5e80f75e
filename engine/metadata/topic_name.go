package metadata

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"

	"kafkalab/engine/kerror"
)

// Internal topics are those in which the coordinators keep their state; clients
// neither write to them nor delete records from them.
const (
	ConsumerOffsets  = "__consumer_offsets"
	TransactionState = "__transaction_state"
	ShareGroupState  = "__share_group_state"
)

// Internal tells whether a topic is a coordinator's (Topic#isInternal).
func Internal(topic string) bool {
	return topic == ConsumerOffsets || topic == TransactionState || topic == ShareGroupState
}

var legalTopic = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

// MaxTopicName is how long a topic's name may be.
const MaxTopicName = 249

// CheckTopicName says why a name cannot be a topic's, nil if it can; the words
// are Kafka's (Topic#validate).
func CheckTopicName(name string) *kerror.Error {
	reason := ""
	switch {
	case name == "":
		reason = "the empty string is not allowed"
	case name == "." || name == "..":
		reason = fmt.Sprintf("'%s' is not allowed", name)
	case len(utf16.Encode([]rune(name))) > MaxTopicName:
		reason = fmt.Sprintf("the length of '%s' is longer than the max allowed length %d", name, MaxTopicName)
	case !legalTopic.MatchString(name):
		reason = fmt.Sprintf("'%s' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'", name)
	}
	if reason == "" {
		return nil
	}
	return kerror.New(kerror.InvalidTopicException, "Topic name is invalid: %s", reason)
}

// TopicNamesCollide tells whether two names are one in the names of metrics, in
// which a dot becomes an underscore (Topic#hasCollision).
func TopicNamesCollide(a, b string) bool {
	return strings.ReplaceAll(a, ".", "_") == strings.ReplaceAll(b, ".", "_")
}
