package lessons

import (
	"regexp"
	"strings"

	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

// assembler puts a lesson together from the pieces of its file, in their order.
// Prose belongs to the block that follows it: before setup, or before the first
// step, it is the Read page; before a step or the live page it is what is read
// there. After the last block stands the line for the job.
type assembler struct {
	d     *source.Decoder
	l     *Lesson
	prose source.Text // read, and not yet given to a block
	setup bool
}

func (a *assembler) take(p piece) {
	switch p.word {
	case "":
		a.prose = p.text
	case "setup":
		a.takeSetup(p)
	case "step":
		a.takeStep(p)
	case "live":
		a.takeLive(p)
	case "check":
		a.takeCheck(p)
	}
}

// spend gives the prose that stands before a block to it.
func (a *assembler) spend() source.Text {
	prose := a.prose
	a.prose = source.Text{}
	return prose
}

func (a *assembler) takeSetup(p piece) {
	if a.setup || len(a.l.Steps) > 0 {
		a.d.Add(p.line, "a second setup, or one behind a step; one is allowed, before the first step")
		return
	}
	a.setup = true
	a.l.Read, a.l.Setup = a.spend(), p.text
	if p.title != "" {
		a.d.Add(p.line, "setup has no title (here: %q)", p.title)
	}
}

func (a *assembler) takeStep(p piece) {
	prose := a.spend()
	if !a.setup && len(a.l.Steps) == 0 {
		a.l.Read, prose = prose, source.Text{}
	}
	if s := parseStep(a.d, p); s != nil {
		s.Number, s.Prose = len(a.l.Steps)+1, prose
		a.l.Steps = append(a.l.Steps, s)
	}
}

func (a *assembler) takeLive(p piece) {
	if a.l.Live != nil {
		a.d.Add(p.line, "a second live page; one is allowed")
		return
	}
	if live := parseLive(a.d, p); live != nil {
		live.Prose = a.spend()
		a.l.Live = live
	}
}

func (a *assembler) takeCheck(p piece) {
	a.unread("between the steps and a check")
	if !idForm.MatchString(p.title) {
		a.d.Add(p.line, "check %q has no id behind the word check (allowed: small letters and digits, joined by -)", p.title)
		return
	}
	q, findings := quiz.Parse(a.d.File, p.text.Line, p.title, a.l.ID, p.text.Value)
	a.d.Findings = append(a.d.Findings, findings...)
	if q == nil {
		return
	}
	if q.Objective > len(a.l.Objectives) {
		a.d.Add(q.Line, "check %s: objective %d is none of the lesson's (allowed: 1 to %d)", q.ID, q.Objective, len(a.l.Objectives))
	}
	a.l.Checks = append(a.l.Checks, q)
}

var headings = regexp.MustCompile(`(?m)^#{1,6}[ \t].*$`)

// unread finds prose that no page would show. Headings are signposts for those
// who read the file.
func (a *assembler) unread(where string) {
	prose := a.spend()
	if strings.TrimSpace(headings.ReplaceAllString(prose.Value, "")) != "" {
		a.d.Add(prose.Line, "text %s is shown nowhere (prose stands before setup, a step or live; the line for the job at the end)", where)
	}
}

// finish takes the text behind the last block.
func (a *assembler) finish(lastLine int) {
	if job := lastParagraph(a.prose); jobForm.MatchString(job.Value) {
		a.l.Job = job
		a.prose.Value = strings.TrimSuffix(a.prose.Value, job.Value)
	}
	a.unread("behind the last block")
	if len(a.l.Steps) == 0 {
		a.d.Add(lastLine, "the lesson has no step")
	}
}

// lastParagraph is the last paragraph of a text, at its line.
func lastParagraph(t source.Text) source.Text {
	at := strings.LastIndex(strings.TrimRight(t.Value, "\n"), "\n\n")
	if at < 0 {
		return t
	}
	start := at + 2
	return source.Text{Value: t.Value[start:], Line: t.LineAt(strings.Count(t.Value[:start], "\n")), Exact: t.Exact}
}
