package screen

import (
	"regexp"
	"strconv"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
)

// column is what a step says, in a column of a width; h is the height it has.
func (p *stepPage) column(width, h int) *column {
	if p.broken() {
		return &column{head: brokenText(p.walk.err, width)}
	}
	step := p.walk.cursor.Step()
	title := heading(step.Title, width)
	c := &column{head: paragraphs(title, p.prose.lay(p.walk.cursor.Prose(), width))}
	switch p.phase() {
	case lessons.Asking:
		p.ask(c, width, true)
		if c.rows() > h {
			c.text = text{}
			p.ask(c, width, false)
		}
	case lessons.Running:
		p.pending(c, width)
	default:
		if p.flow.env.W < geom.TwoColumns {
			c.head = title
			p.tellBriefly(c, width)
			break
		}
		p.tell(c, width)
		if c.rows() > h {
			c.head = title // what was read before the question is one step back
		}
	}
	return c
}

// ask adds the question, and where it is answered; hints says which keys do
// so, if there is room.
func (p *stepPage) ask(c *column, width int, hints bool) {
	c.say(canvas.T("PREDICT", theme.Focus|theme.Bold))
	c.say(markdown.Render(p.walk.cursor.Question(), width)...)
	c.say(nil)
	if p.guess.chooses() {
		p.askWords(c, width)
	} else {
		c.over(p.drawField)
	}
	if e := p.walk.cursor.Entry(); !e.Open() {
		before := answerLines(e.Expected, theme.Muted, width-13)
		if e.Skipped {
			before = []canvas.Line{canvas.T("skipped", theme.Muted)}
		}
		c.say(behind(canvas.T(" first time  ", theme.Muted), before)...)
	}
	if p.nudged && p.guess.empty() {
		c.say(nil)
		c.say(canvas.T(" What do you think? Space skips it.", theme.Waiting).Wrap(width)...)
		return
	}
	if !hints {
		return
	}
	c.say(nil)
	c.over(func(r canvas.Region, y int) {
		widget.Hints(r.Pen(1, y), 3, keys.Bind("enter", "answer"), keys.Bind("space", "skip"))
	})
}

// drawField draws the field behind its prompt.
func (p *stepPage) drawField(r canvas.Region, y int) {
	r.Put(1, y, string(glyph.Prompt), theme.Focus|theme.Bold)
	room := r.Sub(geom.Rect{X: 3, Y: y, W: min(22, r.W()-3), H: 1})
	if cell.Width(p.guess.text.Value()) > 18 {
		room = r.Sub(geom.Rect{X: 3, Y: y, W: r.W() - 3, H: 1})
	}
	p.guess.text.Draw(room, true)
	if unit := p.walk.cursor.Step().Unit; unit != "" {
		r.Put(3+room.W()+1, y, unit, theme.Label)
	}
}

// askWords adds the words that the step offers, each in as many rows as it
// needs.
func (p *stepPage) askWords(c *column, width int) {
	p.guess.rows = map[int]int{}
	for i, w := range p.guess.step.Choose {
		style := theme.Text
		if i == p.guess.pick {
			style = theme.Name
		}
		for n, line := range markdown.Render(w.Word.Value, width-6) {
			c.over(func(r canvas.Region, y int) {
				_, row := r.Screen(0, y)
				p.guess.rows[row] = i
				if n == 0 {
					r.Put(3, y, string(rune('a'+i)), theme.Key)
				}
				r.PutLine(6, y, restyle(line, style))
				if i == p.guess.pick {
					widget.Select(r, geom.Rect{X: 0, Y: y, W: width, H: 1}, 1, theme.Focus)
				}
			})
		}
	}
}

// pending adds the commands that are about to run, one by one.
func (p *stepPage) pending(c *column, width int) {
	c.say(canvas.T("NEXT", theme.Focus|theme.Bold))
	done := len(p.walk.cursor.Played())
	for i, line := range p.walk.cursor.Step().Commands() {
		lead, style := canvas.T("  ", theme.Text), theme.Muted
		switch {
		case i < done:
			lead = canvas.T(string(glyph.Done)+" ", theme.Cleared)
		case i == done:
			lead, style = canvas.T(string(glyph.Prompt)+" ", theme.Focus|theme.Bold), theme.Bright
		}
		c.say(hang(lead, canvas.T(line, style), width)...)
	}
	c.say(nil)
	c.over(func(r canvas.Region, y int) {
		widget.Hints(r.Pen(1, y), 3, keys.Bind("enter", "run it"), keys.Bind("→", "one by one"))
	})
}

// tell adds what was expected, what happened, and why.
func (p *stepPage) tell(c *column, width int) {
	step := p.walk.cursor.Step()
	say := p.say.lay(p.walk.cursor.Say(), width)
	if !step.Asks() {
		c.say(say...)
		p.sayOnward(c)
		return
	}
	c.say(canvas.T("PREDICTED", theme.Focus|theme.Bold))
	c.say(markdown.Render(p.walk.cursor.Question(), width)...)
	c.say(nil)
	e := p.walk.cursor.Entry()
	c.say(p.expected(e, width)...)
	c.say(behind(canvas.T(" Kafka  ", theme.Label), answerLines(e.Happened, theme.Right|theme.Bold, width-8))...)
	c.say(nil)
	c.say(say...)
	p.sayOnward(c)
}

// tellBriefly is tell for a narrow terminal, where the panel stands below.
func (p *stepPage) tellBriefly(c *column, width int) {
	if step := p.walk.cursor.Step(); step.Asks() {
		e := p.walk.cursor.Entry()
		c.say(markdown.Render(p.walk.cursor.Question(), width)...)
		you := p.expected(e, width)
		kafka := behind(canvas.T(" Kafka  ", theme.Label), answerLines(e.Happened, theme.Right|theme.Bold, width-8))
		if line := append(append(you[0], canvas.S("   ", theme.Text)), kafka[0]...); len(you) == 1 && len(kafka) == 1 && line.Width() <= width {
			c.say(line)
		} else {
			c.say(append(you, kafka...)...)
		}
		c.say(nil)
	}
	c.say(p.say.lay(p.walk.cursor.Say(), width)...)
}

// expected is the learner's line: what was typed now, else the first time.
// Whether it was right is marked, that it was not is left to be seen.
func (p *stepPage) expected(e lessons.Entry, width int) []canvas.Line {
	lead := canvas.T(" you    ", theme.Label)
	typed := p.guess.value()
	if typed == "" {
		typed = e.Expected
	}
	if typed == "" {
		return hang(lead, canvas.T("skipped", theme.Muted), width)
	}
	lines := answerLines(typed, theme.Name, width-lead.Width()-2)
	if e.Right && typed == e.Expected {
		lines[0] = lines[0].Add(" "+string(glyph.Done), theme.Right)
	}
	return behind(lead, lines)
}

// answerLines is an answer: a number as the screens write it, or words, which
// may be Markdown.
func answerLines(text string, style theme.Style, width int) []canvas.Line {
	text = pretty(text)
	lines := markdown.Render(text, width)
	if len(lines) == 0 || !strings.ContainsAny(text, "`*") {
		lines = canvas.T(text, style).Wrap(max(width, 1)) // what was typed stays as it is
	}
	if len(lines) == 0 {
		return []canvas.Line{nil}
	}
	for i := range lines {
		lines[i] = restyle(lines[i], style)
	}
	return lines
}

// sayOnward ends the column with the one key that goes on.
func (p *stepPage) sayOnward(c *column) {
	c.say(nil)
	c.over(func(r canvas.Region, y int) {
		widget.Button(r.Pen(0, y), keys.Bind("enter", p.onwardWord()))
	})
}

var (
	bareNumber = regexp.MustCompile(`^-?\d{1,15}$`)
	unitNumber = regexp.MustCompile(`^(-?\d{1,15}) ([A-Za-z]+)$`)
)

// pretty writes a number as the screens do; what is more than a number, with or
// without its unit, stays as it is.
func pretty(s string) string {
	s = strings.TrimSpace(s)
	if bareNumber.MatchString(s) {
		n, _ := strconv.ParseInt(s, 10, 64)
		return cell.Thin(n)
	}
	if m := unitNumber.FindStringSubmatch(s); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		return cell.Thin(n) + " " + m[2]
	}
	return s
}
