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
	first := join(r.Said, "")
	if it.q.Kind != quiz.Choice {
		first = ""
	}
	switch {
	case r.Right && first == "":
		t.say(led("Right.", theme.Right, it.answerWords(r), width)...)
	case r.Right:
		t.say(led("Right.", theme.Right, first, width)...)
	case it.q.Kind == quiz.Choice:
		t.say(led("No.", theme.Refused, first, width)...)
	default:
		t.say(led("No.", theme.Refused, join("It is "+endSentence(r.Answer), r.Said), width)...)
	}
	if f, ok := it.form.(*choiceForm); ok {
		f.sayOthers(t, width)
	}
	if r.Why != "" {
		t.gap()
		t.say(markdown.Render(r.Why, width)...)
	}
	if source := it.q.Source.Value; source != "" {
		t.say(canvas.T(source, theme.Muted).Wrap(width)...)
	}
}

// answerWords repeats the right answer where no option said it.
func (it *item) answerWords(r quiz.Result) string {
	if it.q.Kind == quiz.Number {
		return endSentence(r.Answer)
	}
	return r.Said
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

// join puts sentences behind each other.
func join(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, " ")
}

func endSentence(s string) string {
	s = strings.TrimSpace(pretty(s))
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
