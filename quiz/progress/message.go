package progress

// Message is what a learner should be told about the progress file, in one or
// two sentences; empty when there is nothing to tell. As an error of Save it
// says what went wrong, and what became of the answers.
type Message string

// Error makes a Message an error.
func (m Message) Error() string { return string(m) }
