// Package kerror holds Kafka's error codes: the numbers that responses carry
// and the names by which people know them. Kafka's errors are values here, not
// Go errors: a broker that answers NOT_ENOUGH_REPLICAS works as it should.
//
// Source: org.apache.kafka.common.protocol.Errors (Kafka 4.4).
package kerror

import "fmt"

// Code is an error code as it stands in a response: None is 0, the
// unexpected is -1.
type Code int16

type row struct {
	name      string
	retriable bool
}

// String gives Kafka's name of the code, such as NOT_ENOUGH_REPLICAS; a code
// that Kafka 4.4 does not have is shown by its number.
func (c Code) String() string {
	if i := int(c) + 1; i >= 0 && i < len(table) {
		return table[i].name
	}
	return fmt.Sprintf("ERROR_%d", int16(c))
}

// Retriable tells whether Kafka's Java client tries again after this code.
func (c Code) Retriable() bool {
	i := int(c) + 1
	return i >= 0 && i < len(table) && table[i].retriable
}

// ByName finds the code of a name as Kafka spells it.
func ByName(name string) (Code, bool) {
	for i, r := range table {
		if r.name == name {
			return Code(i - 1), true
		}
	}
	return 0, false
}

// Names lists all names, in the order of their codes.
func Names() []string {
	names := make([]string, len(table))
	for i, r := range table {
		names[i] = r.name
	}
	return names
}

// Error is a code with the words that go with it in a response. A nil *Error
// means success. It implements error for the seams where one is passed up
// inside a node; between nodes only the code and the message travel.
type Error struct {
	Code    Code
	Message string // may be empty: many of Kafka's answers carry no words
}

// New makes an Error with a formatted message.
func New(code Code, format string, args ...any) *Error {
	if len(args) == 0 {
		return &Error{Code: code, Message: format}
	}
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code.String()
	}
	return e.Code.String() + ": " + e.Message
}
