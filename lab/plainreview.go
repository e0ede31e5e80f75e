package lab

import (
	"errors"
	"fmt"
	"strings"

	"kafkalab/lab/screen"
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// plainPractice is how many checks one extra practice asks at most.
const plainPractice = 8

// review asks what is due today; with nothing due it says when something is, and
// offers practice.
func (p *plain) review() error {
	due := p.env.Course.Review(p.env.Progress, p.env.Now())
	p.heading("Review")
	if len(due) > 0 {
		p.say(fmt.Sprintf("Checks due today: %d, mixed over the lessons, each with fresh numbers.", len(due)))
		return p.round(due, false)
	}
	p.say("Nothing is due today.")
	p.ahead()
	if len(p.env.Course.Practice(p.env.Progress, p.env.Now(), 1)) > 0 {
		p.say("practice asks checks ahead of their day; the schedule stays as it is.")
	}
	return nil
}

// practice asks checks ahead of their day.
func (p *plain) practice() error {
	checks := p.env.Course.Practice(p.env.Progress, p.env.Now(), plainPractice)
	if len(checks) == 0 {
		p.say("There is nothing to practise yet: answer the checks of a lesson first.")
		return nil
	}
	p.heading("Practice")
	return p.round(checks, true)
}

// ahead says on which days checks come back.
func (p *plain) ahead() {
	for _, d := range p.env.Course.Ahead(p.env.Progress, p.env.Now()) {
		p.say(fmt.Sprintf("  %s: %d", screen.DayWords(d.In, p.env.Now()), d.Checks))
	}
}

// round asks checks that belong to no one lesson.
func (p *plain) round(checks []*quiz.Question, practice bool) error {
	was := p.exercise
	p.exercise = practice
	defer func() { p.exercise = was }()
	for i := 0; i < len(checks); {
		l, ok := p.env.Course.Lesson(checks[i].Lesson)
		if !ok {
			i++
			continue
		}
		if i > 0 {
			if one, other, ok := p.env.Course.LookAlikes(checks[i-1], checks[i]); ok {
				p.say("", fmt.Sprintf("look-alikes: the check before asked about %s, this one about %s", one, other))
			}
		}
		step, err := p.check(l, checks[i], fmt.Sprintf("Check %d of %d: %s", i+1, len(checks), l.Title))
		if errors.Is(err, errHome) {
			return nil
		}
		if err != nil {
			return err
		}
		i = max(i+step, 0)
	}
	p.say("", "That was all. Checks come back:")
	p.ahead()
	return nil
}

// beliefs lists the misconceptions behind the learner's misses; repair N asks a
// fresh check about one.
func (p *plain) beliefs() error {
	p.heading("Misconceptions")
	all := p.env.Beliefs()
	if len(all) == 0 {
		p.say("None of your answers shows one.")
		return nil
	}
	for i, b := range all {
		state := "to repair, missed once"
		switch n := len(b.Misses); {
		case !b.Open():
			state = "repaired"
		case n > 1:
			state = fmt.Sprintf("to repair, missed %d times", n)
		}
		m := p.env.Course.Misconceptions[b.ID]
		p.say(fmt.Sprintf("%d  %s (%s)", i+1, m.Belief, state))
		p.prose(m.Truth)
		if l, ok := p.env.Course.Lesson(b.Latest().Lesson); ok {
			p.say("   read it again in lesson "+l.ID+": "+l.Title, "")
		}
	}
	p.say("repair NUMBER asks a fresh check about one.")
	return nil
}

// repair asks a fresh check about a misconception of the list.
func (p *plain) repair(number string) error {
	all := p.env.Beliefs()
	n := 0
	if _, err := fmt.Sscanf(strings.TrimSpace(number), "%d", &n); err != nil || n < 1 || n > len(all) {
		p.say(fmt.Sprintf("repair needs a number of the list of misconceptions, from 1 to %d", len(all)))
		return nil
	}
	b := all[n-1]
	q := screen.FreshCheck(b, p.env)
	if q == nil {
		p.say("The course has no check about it any more.")
		return nil
	}
	l, _ := p.env.Course.Lesson(q.Lesson)
	if _, err := p.check(l, q, "Repair: "+p.env.Course.Misconceptions[b.ID].Belief); err != nil && !errors.Is(err, errHome) {
		return err
	}
	for _, now := range p.env.Beliefs() {
		if now.ID == b.ID && !now.Open() {
			p.say("Repaired: " + p.env.Course.Misconceptions[b.ID].Belief)
		}
	}
	return nil
}

// comesBack says when a check that was answered is asked again.
func (p *plain) comesBack(check string, right bool) {
	days, ok := p.env.Progress.Checks[check].Review.DaysTo(p.env.Now())
	if !ok {
		return
	}
	when := screen.DayWords(max(days, 0), p.env.Now())
	switch {
	case p.exercise:
		p.say("Practice: the schedule stays, asked again " + when + ".")
	case !right:
		p.say("Back to the start: asked again " + when + ".")
	default:
		p.say("Asked again " + when + ".")
	}
}

// answered is what is kept of an answer.
func (p *plain) answered(in *quiz.Instance, r quiz.Result) progress.Answer {
	return progress.Answer{Instance: in.Values.String(), Right: r.Right, Misconception: r.Misconception, Practice: p.exercise}
}
