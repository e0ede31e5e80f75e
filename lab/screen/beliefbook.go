package screen

import (
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// beliefBook remembers the misconceptions of one progress: they are looked up in
// all checks of the course, and needed several times a frame.
type beliefBook struct {
	of    *progress.Progress
	known []quiz.Belief
}

// Beliefs are the misconceptions behind the learner's misses, see quiz.Beliefs.
func (e *Env) Beliefs() []quiz.Belief {
	if e.beliefs.of != e.Progress {
		e.beliefs = beliefBook{e.Progress, e.Course.Beliefs(e.Progress)}
	}
	return e.beliefs.known
}
