package lab

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// plainWidth is the width of the lines that Plain writes.
const plainWidth = 78

// Plain is the course as lines of text, for a screen reader, a pipe or a
// terminal that cannot be painted: nothing is drawn anew, a line is asked for
// and answered. It ends with quit or with the input. The error is one of
// reading, or for a start that the course does not have; writing to a reader
// that is gone ends it without one.
func Plain(in io.Reader, out io.Writer, o Options) error {
	p := &plain{o: o, env: o.env(), in: bufio.NewScanner(in), out: bufio.NewWriter(out)}
	p.in.Buffer(make([]byte, 0, 4096), 1<<20)
	defer func() { _ = p.out.Flush() }()
	if o.Notice != "" {
		p.say(string(o.Notice))
	}
	var err error
	if o.Start.Lesson != "" {
		err = p.start(o.Start)
	}
	for err == nil {
		err = p.menu()
	}
	if errors.Is(err, errQuit) || errors.Is(err, io.EOF) {
		p.say("")
		return p.in.Err()
	}
	return err
}

// errQuit ends the lab, errHome a lesson.
var (
	errQuit = errors.New("quit")
	errHome = errors.New("home")
)

// plain is the lab as a conversation in lines.
type plain struct {
	o   Options
	env *screen.Env
	in  *bufio.Scanner
	out *bufio.Writer

	exercise bool // answers do not move the schedule
}

func (p *plain) say(lines ...string) {
	for _, l := range lines {
		if l = cell.Clean(l); p.o.ASCII {
			l = glyph.Spell(l)
		}
		_, _ = fmt.Fprintln(p.out, strings.TrimRight(l, " "))
	}
}

// prose writes Markdown as text, with an empty line behind it.
func (p *plain) prose(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	for _, l := range markdown.Render(text, plainWidth) {
		p.say(l.String())
	}
	p.say("")
}

// flatProse is Markdown of one line as it is read. What has no signs of Markdown
// stays as it was typed.
func flatProse(text string) string {
	if !strings.ContainsAny(text, "`*") {
		return text
	}
	var words []string
	for _, l := range markdown.Render(text, plainWidth) {
		words = append(words, l.String())
	}
	return strings.Join(words, " ")
}

// heading writes a title with a line below it.
func (p *plain) heading(text string) { p.say("", text, strings.Repeat("-", len([]rune(text))), "") }

// ask writes what can be answered and reads a line. Quit is known everywhere.
func (p *plain) ask(hint string) (string, error) {
	_, _ = fmt.Fprintf(p.out, "%s> ", hint)
	if err := p.out.Flush(); err != nil {
		return "", errQuit
	}
	if !p.in.Scan() {
		p.say("")
		return "", io.EOF
	}
	line := strings.TrimSpace(p.in.Text())
	switch line {
	case "quit", "q", "exit":
		return "", errQuit
	}
	return line, nil
}

// keep writes down what the learner did, and says so when it cannot be kept.
func (p *plain) keep(note func(s *progress.Store)) {
	note(p.o.Store)
	if err := p.o.Store.Save(); err != nil {
		p.say(err.Error())
	}
	p.env.Progress = p.o.Store.Snapshot()
}

// start opens the lesson that the command line names.
func (p *plain) start(s Start) error {
	l, ok := p.env.Course.Lesson(s.Lesson)
	if !ok {
		return unknownLesson(p.env.Course, s.Lesson)
	}
	if s.Step < 0 || s.Step > len(l.Steps) {
		return fmt.Errorf("lesson %s has no step %d: it has %d", s.Lesson, s.Step, len(l.Steps))
	}
	return p.lesson(l, s.Step)
}

// menu lists the lessons and opens the one that is named.
func (p *plain) menu() error {
	p.heading(p.env.Course.Title)
	all := p.env.Course.Lessons()
	section := ""
	for i, l := range all {
		if l.Section != section {
			section = l.Section
			p.say(section)
		}
		n := l.Count(p.env.Progress, p.env.Now())
		p.say(fmt.Sprintf("  %2d  %s (%s), %d min, %d of %d checks cleared", i+1, l.Title, l.ID, l.Minutes, n.Cleared, n.Checks))
	}
	if due := p.env.Course.Count(p.env.Progress, p.env.Now()).Due; due > 0 {
		p.say(fmt.Sprintf("Review: %d due today", due))
	}
	if ids := p.drills(); len(ids) > 0 {
		p.say("Drills", "  "+strings.Join(ids, "  "))
	}
	p.say("")
	for {
		line, err := p.ask("lesson by number or name, drill NAME, word TERM, review, misconceptions, quit")
		if err != nil {
			return err
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(all) {
			return p.lesson(all[n-1], 0)
		}
		if l, ok := p.env.Course.Lesson(line); ok {
			return p.lesson(l, 0)
		}
		if known, err := p.aside(line); known || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if line != "" && line != "home" {
			p.say(unknownLesson(p.env.Course, line).Error())
		}
	}
}

// lesson takes the learner through a lesson: from its text, or from one of its
// steps, to its checks.
func (p *plain) lesson(l *lessons.Lesson, step int) error {
	err := p.walk(l, step)
	if err == nil {
		err = p.checks(l)
	}
	if errors.Is(err, errHome) {
		return nil
	}
	if err == nil {
		n := l.Count(p.env.Progress, p.env.Now())
		p.say(fmt.Sprintf("%s: %d of %d checks cleared.", l.Title, n.Cleared, n.Checks))
	}
	return err
}
