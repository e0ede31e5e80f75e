package screen

import (
	"cmp"
	"fmt"
	"slices"

	"kafkalab/lessons"
	"kafkalab/quiz"
)

// repair is what there is to do about a misconception: a place to read it again,
// a script to run and look at, a fresh check.
type repair struct {
	lesson *lessons.Lesson // nil when the course has lost it
	step   int             // the one that shows it, 0 for none
	played *quiz.Question  // the check whose script is run, nil for none
	values string          // the instance that was missed
	fresh  *quiz.Question  // the check to prove it with, nil when there is none
}

// repairOf finds what repairs a belief, from where it was missed last.
func (s *Beliefs) repairOf(b quiz.Belief) repair {
	var r repair
	last := b.Latest()
	about := quiz.About(b.ID, s.env.Course.Checks())
	r.fresh = FreshCheck(b, s.env)
	missed, known := s.env.Course.Check(last.Check)
	if !known {
		if len(about) == 0 {
			return r
		}
		missed = about[0]
	}
	if l, ok := s.env.Course.Lesson(missed.Lesson); ok {
		r.lesson = l
		r.step = (&item{lesson: l, q: missed}).step()
	}
	for _, q := range append([]*quiz.Question{missed}, about...) {
		if q.Scripted() && q.Kind != quiz.Script {
			r.played = q
			break
		}
	}
	if r.played == missed && known {
		r.values = last.Answer.Instance
	}
	return r
}

// FreshCheck is the check about a belief that proves most: another one than was
// missed, else one that can be asked with other numbers; of several the one that
// was answered longest ago. nil when the course has none.
func FreshCheck(b quiz.Belief, env *Env) *quiz.Question {
	about := quiz.About(b.ID, env.Course.Checks())
	if len(about) == 0 {
		return nil
	}
	proof := func(q *quiz.Question) int {
		missed := slices.ContainsFunc(b.Misses, func(m quiz.Miss) bool { return m.Check == q.ID })
		switch {
		case !missed:
			return 0
		case len(q.Vary) > 0 && q.ID != b.Latest().Check:
			return 1
		case len(q.Vary) > 0:
			return 2
		}
		return 3
	}
	return slices.MinFunc(about, func(x, y *quiz.Question) int {
		a, _ := env.Progress.Latest(x.ID)
		c, _ := env.Progress.Latest(y.ID)
		return cmp.Or(cmp.Compare(proof(x), proof(y)), a.Time.Compare(c.Time))
	})
}

// placeWord names where it is read again.
func (r repair) placeWord() string {
	if r.step > 0 {
		return "the step"
	}
	return "the lesson"
}

// open opens it.
func (r repair) open() Action {
	if r.step > 0 {
		return OpenLesson{ID: r.lesson.ID, Page: Step, Step: r.step}
	}
	return OpenLesson{ID: r.lesson.ID, Page: Read}
}

// readWords say it in full.
func (r repair) readWords() string {
	if r.step > 0 {
		return fmt.Sprintf("step %d of %s", r.step, r.lesson.Title)
	}
	return "read " + r.lesson.Title
}

// ask asks a fresh check about a belief.
func (s *Beliefs) ask(b quiz.Belief, r repair) []Action {
	return enterRound(newRound(&round{env: s.env, title: "Repair", belief: b.ID, back: s.self, backWord: "misconceptions"}, []*quiz.Question{r.fresh}))
}

// watch runs the script of what was missed, with its numbers, and looks at it.
func (s *Beliefs) watch(r repair) []Action {
	flow := newRound(&round{env: s.env, title: "Run and look", watch: true, back: s.self, backWord: "misconceptions"}, []*quiz.Question{r.played})
	if flow == nil {
		return nil
	}
	it := flow.page().(*checkPage).item()
	values, err := r.played.Vary.Parse(r.values)
	if err != nil { // the course has changed, or another check is run
		values = r.played.Vary.Fresh(s.env.Rand, s.env.Progress.Asked(r.played.ID))
	}
	if it.in, it.err = r.played.Instance(values, nil, s.env.Ask); it.err == nil {
		it.playBack()
	}
	return enterRound(flow)
}
