package quiz

import (
	"kafkalab/engine"
	"kafkalab/engine/console"
)

// Session is what a question needs of a console session on a cluster of its
// own. *console.Session is one.
type Session interface {
	// Run runs a script; the error names the line that cannot be read.
	Run(script string) ([]console.Output, error)
	// Eval reads an expression off the engine.
	Eval(expr string) (engine.Value, error)
	// Holds tells whether PATH OP VALUE and … holds, and what was there.
	Holds(expr string) (held bool, got string, err error)
	// Interpolate replaces the {expressions} of a text by their values.
	Interpolate(text string) (string, error)
}

// Open starts a fresh session for one instance of a question.
type Open func() Session

// Engine opens sessions on the real engine, with Kafka's defaults and the seed
// that the script names.
func Engine() Session { return console.NewSession(console.Options{}) }
