package lab

import (
	"errors"
	"fmt"
	"strings"

	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// checks asks the checks of a lesson, one after the other.
func (p *plain) checks(l *lessons.Lesson) error {
	if len(l.Checks) == 0 {
		return nil
	}
	p.keep(func(s *progress.Store) { s.Leave(l.ID, string(screen.Check), 0) })
	for i := 0; i < len(l.Checks); {
		step, err := p.check(l, l.Checks[i], fmt.Sprintf("Check %d of %d", i+1, len(l.Checks)))
		if err != nil {
			return err
		}
		i = max(i+step, 0)
	}
	return nil
}

// check asks one check under a title; by is how many to go on.
func (p *plain) check(l *lessons.Lesson, q *quiz.Question, title string) (by int, err error) {
	in, err := q.Instance(q.Vary.Fresh(p.env.Rand, p.env.Progress.Asked(q.ID)), p.env.Rand, p.env.Ask)
	if err != nil {
		p.say("This check does not run: " + err.Error())
		return 1, nil
	}
	p.heading(title)
	p.prose(in.Ask)
	if q.Shown && in.Given != "" {
		for line := range strings.Lines(in.Given) {
			p.say("$ " + strings.TrimRight(line, "\n"))
		}
		p.say("")
	}
	for i, o := range in.Options {
		p.say(fmt.Sprintf("  %c  %s", 'a'+i, strings.Join(strings.Fields(o.Text), " ")))
	}
	for i, item := range in.Items {
		p.say(fmt.Sprintf("  %c  %s", 'a'+i, item))
	}
	for {
		line, err := p.ask(checkHint(q))
		switch {
		case err != nil:
			return 0, err
		case line == "skip" || line == "next":
			return 1, nil
		case line == "back":
			return -1, nil
		case line == "home":
			return 0, errHome
		}
		if q.Kind == quiz.Script && line != "done" {
			p.act(in, line)
			continue
		}
		if p.grade(l, in, line) {
			return 1, nil
		}
	}
}

func checkHint(q *quiz.Question) string {
	switch q.Kind {
	case quiz.Choice:
		return "a letter, skip, back"
	case quiz.Multi:
		return "all letters that are right, as a c, or skip, back"
	case quiz.Order:
		return "the letters in order, as b a c, or skip, back"
	case quiz.Script:
		return "run LINE, done, skip, back"
	}
	return "a number, skip, back"
}

// act runs a line on the cluster of a check that is done by acting.
func (p *plain) act(in *quiz.Instance, line string) {
	command, ok := strings.CutPrefix(line, "run ")
	if !ok {
		p.say("run LINE runs a command on the cluster of this check; done looks whether it is done.")
		return
	}
	outputs, err := in.Session.Run(command)
	for _, out := range outputs {
		for _, l := range out.Text {
			p.say("  " + l)
		}
	}
	if err != nil {
		p.say("  " + errorWords(err))
	}
}

// grade judges an answer and teaches; false for a line that is no answer.
func (p *plain) grade(l *lessons.Lesson, in *quiz.Instance, line string) bool {
	reply := quiz.Reply{Text: line}
	if n := max(len(in.Options), len(in.Items)); n > 0 {
		var ok bool
		if reply.Picks, ok = picks(line, n); !ok {
			p.say(fmt.Sprintf("%s: letters from a to %c are allowed.", line, 'a'+n-1))
			return false
		}
	}
	result, err := in.Grade(reply)
	switch {
	case errors.Is(err, quiz.ErrNoAnswer):
		p.say(err.Error())
		return false
	case err != nil:
		p.say(err.Error())
		return true
	case in.Question.Kind == quiz.Script && !result.Right:
		p.say(result.Said)
		return false
	}
	p.teach(in, result)
	p.keep(func(s *progress.Store) {
		s.Record(in.Question.ID, l.ID, p.answered(in, result))
	})
	p.comesBack(in.Question.ID, result.Right)
	return true
}

// teach says whether an answer was right, and why each is so.
func (p *plain) teach(in *quiz.Instance, r quiz.Result) {
	verdict := "No."
	if r.Right {
		verdict = "Right."
	}
	if !r.Right && r.Answer != "" && in.Question.Kind != quiz.Script {
		verdict += " It is: " + r.Answer + "."
	}
	p.say("", verdict)
	p.prose(r.Said)
	if m := p.env.Course.Misconceptions[r.Misconception]; m.Belief != "" {
		p.prose("Believed: " + m.Belief)
	}
	for i, o := range in.Options {
		if o.Why != "" && o.Why != r.Said {
			p.prose(fmt.Sprintf("%c: %s", 'a'+i, o.Why))
		}
	}
	if r.Why != r.Said {
		p.prose(r.Why)
	}
	if source := in.Question.Source.Value; source != "" {
		p.say("source: "+source, "")
	}
}

// picks reads letters: a, a c, a,c or ac.
func picks(line string, n int) (list []int, ok bool) {
	for _, r := range strings.ToLower(line) {
		i := int(r - 'a')
		switch {
		case r == ' ' || r == ',':
		case i < 0 || i >= n:
			return nil, false
		default:
			list = append(list, i)
		}
	}
	return list, len(list) > 0
}
