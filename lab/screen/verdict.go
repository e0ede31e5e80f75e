package screen

import (
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/quiz"
)

// sayVerdict adds the verdict: right or not, in words, and why; of a choice,
// why of every option.
func (it *item) sayVerdict(t *text, width int) {
	r := *it.result
	first, rule := r.Said, r.Why
	if strings.TrimSpace(first) == "" {
		first, rule = r.Why, ""
	}
	switch {
	case r.Right:
		t.say(led("Right.", theme.Right, first, width)...)
	case it.q.Kind == quiz.Script:
		t.say(led("Not done.", theme.Refused, first, width)...)
	default:
		t.say(led("No.", theme.Refused, first, width)...)
	}
	if m := it.env.Course.Misconceptions[r.Misconception]; m.Belief != "" {
		t.gap()
		t.say(hang(canvas.T("believed  ", theme.Label), canvas.T(m.Belief, theme.Refused), width)...)
	}
	if f, ok := it.form.(interface{ sayOthers(t *text, width int) }); ok {
		f.sayOthers(t, width)
	}
	if rule != "" {
		t.gap()
		t.say(markdown.Render(rule, width)...)
	}
	if source := it.q.Source.Value; source != "" {
		t.say(canvas.T(source, theme.Muted).Wrap(width)...)
	}
}

// led is prose behind a first word in its own style.
func led(word string, s theme.Style, prose string, width int) []canvas.Line {
	line := canvas.T(word, s|theme.Bold).Add(" ", theme.Text)
	for i, l := range markdown.Render(prose, 10_000) {
		if i > 0 {
			line = line.Add(" ", theme.Text)
		}
		line = append(line, l...)
	}
	return line.Wrap(width)
}
