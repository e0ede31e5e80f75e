package screen

import (
	"regexp"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lessons"
	"kafkalab/quiz"
)

// playback is a check's case, run before the learner's eyes: its commands, the
// cluster they lead to, and what the engine says of each option.
type playback struct {
	outputs []console.Output
	stage   *stage
	shell   *Console
	err     error
	claims  []claim
}

// claim is what an option comes down to, and whether it holds.
type claim struct {
	letter string
	expr   string
	holds  bool
	got    string
}

// plays tells whether there is something to run.
func (it *item) plays() bool { return it.in != nil && it.in.Session != nil && it.q.Kind != quiz.Script }

// playBack runs the check's scripts on a fresh cluster.
func (it *item) playBack() {
	session := it.env.Ask()
	p := &playback{}
	p.outputs, p.err = session.Run(it.in.Given + "\n" + it.in.Case)
	p.shell = NewConsole(runShell{session})
	p.stage = newStage(it.env, func() any { return session }, it.lesson.Panels, newTranscript(func() []console.Output {
		return append(p.outputs[:len(p.outputs):len(p.outputs)], p.shell.outputs()...)
	}))
	p.shell.after = func() []Action { p.stage.look(); return nil }
	p.claims = it.claims(session)
	p.stage.model.Focus.Live = true
	it.aim(p.stage)
	p.stage.look()
	it.play = p
}

// sought is a lookup in an expression: orders/0@1.seek(1085).entry.
var sought = regexp.MustCompile(`([A-Za-z0-9._-]+/\d+@\d+)\.seek\((\d+)\)`)

// aim shows the lookup that the check is about, if it is about one.
func (it *item) aim(s *stage) {
	for _, expr := range append([]string{it.q.Answer.Value}, optionExprs(it.q)...) {
		if m := sought.FindStringSubmatch(it.in.Values.Fill(expr)); m != nil {
			setView(&s.model.Focus, lessons.View{Seek: m[1] + " " + m[2]})
			return
		}
	}
}

// optionExprs are the expressions of a question's options.
func optionExprs(q *quiz.Question) []string {
	var list []string
	for _, o := range q.Options {
		list = append(list, o.Shows.Value)
	}
	return list
}

// claims evaluates what the options show, in the order in which they stand on
// the screen.
func (it *item) claims(session quiz.Session) []claim {
	var claims []claim
	for i, shown := range it.in.Options {
		for _, o := range it.q.Options {
			text, err := session.Interpolate(it.in.Values.Fill(o.Text.Value))
			if err != nil || strings.TrimSpace(text) != shown.Text || !o.Shows.Given() {
				continue
			}
			c := claim{letter: string(rune('a' + i)), expr: it.in.Values.Fill(o.Shows.Value)}
			if c.holds, c.got, err = session.Holds(c.expr); err == nil {
				claims = append(claims, c)
			}
			break
		}
	}
	return claims
}

// body is what the engine says, and what was run to ask it.
func (p *playback) body(width int) *text {
	t := &text{}
	if len(p.claims) > 0 {
		t.say(heading("What the engine says", width)...)
		t.gap()
	}
	for _, c := range p.claims {
		t.say(c.lines(width)...)
	}
	t.gap()
	t.say(heading("What was run", width)...)
	t.gap()
	for _, o := range p.outputs {
		t.say(outputOf(o, width)...)
	}
	if p.err != nil {
		t.say(canvas.T(p.err.Error(), theme.Refused).Wrap(width)...)
	}
	return t
}

func (c claim) lines(width int) []canvas.Line {
	sign, style := glyph.Wrong, theme.Refused
	if c.holds {
		sign, style = glyph.Done, theme.Right
	}
	lead := canvas.T(c.letter+" ", theme.Key).Add(string(sign)+" ", style)
	lines := hang(lead, canvas.T(c.expr, theme.Text), width)
	if !c.holds && c.got != "" {
		lines = append(lines, hang(canvas.T("    ", theme.Text), canvas.T("it is "+c.got, theme.Label), width)...)
	}
	return lines
}
