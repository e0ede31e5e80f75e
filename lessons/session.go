package lessons

import (
	"kafkalab/engine/console"
	"kafkalab/quiz"
)

// Session is what a lesson needs of a console session. *console.Session is one.
type Session interface {
	quiz.Session
	// Exec runs one line of a script. An error of Kafka's is in the output, the
	// error is for a line that cannot be read.
	Exec(line string) (console.Output, error)
	// Mark remembers this moment, Rewind goes back to one: to the engine's own
	// state at that point.
	Mark() console.Mark
	Rewind(m console.Mark) error
}

// Engine opens sessions on the real engine, with Kafka's defaults and the seed
// that the script names.
func Engine() Session { return console.NewSession(console.Options{}) }
