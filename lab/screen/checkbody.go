package screen

import (
	"github.com/charmbracelet/bubbles/key"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// plan is one column, but where a cluster stands beside the check.
func (p *checkPage) plan(w, h int) geom.Plan {
	if p.stage() == nil {
		return geom.Plan{}
	}
	return besidePlan(w, h, func(width int) int { return p.body(width, h).rows() })
}

// body is the text of the page in a column of a width, of which h rows are
// seen.
func (p *checkPage) body(width, h int) *text {
	it := p.item()
	switch {
	case it.play != nil && p.flow.watching():
		return it.watchBody(width)
	case it.play != nil:
		return it.play.body(width)
	}
	t := it.body(width)
	if r := p.flow.round; r != nil && it.result != nil {
		r.sayAfter(t, it, width)
	}
	if it.result != nil && t.rows()+2 <= h { // else the key line says it
		t.gap()
		t.over(p.hints)
	}
	return t
}

// hintWords say at more length what the key line says in short.
var hintWords = map[string]string{"run it": "run it and look", "the step": "the step that shows it"}

// hints are the keys that follow an answer, in the middle of the screen.
func (p *checkPage) hints(r canvas.Region, y int) {
	var line []key.Binding
	for _, c := range p.commands() {
		h := c.Help()
		if c.Group != groupLearn || c.Shown != everywhere || h.Key == "r" {
			continue
		}
		if words, ok := hintWords[h.Desc]; ok {
			h.Desc = words
		}
		line = append(line, keys.Bind(h.Key, h.Desc))
	}
	widget.Hints(r.Pen(0, y), 6, line...)
}

// textWidth is the widest that a check's text is: longer lines are hard to
// read.
const textWidth = 92

// checkMargin is the empty edge at the left of a check.
const checkMargin = 3

func (p *checkPage) says(r canvas.Region) {
	if p.stage() != nil {
		p.drawBody(r, 0)
		return
	}
	wide := r.Rect()
	wide.W = min(wide.W-2, textWidth)
	p.drawBody(r.Sub(wide), checkMargin-1)
}

// drawBody draws the text behind a margin, scrolled so that a new verdict is
// seen together with what was chosen.
func (p *checkPage) drawBody(r canvas.Region, margin int) {
	body := p.body(r.W()-margin-2, r.H())
	p.count, p.height = body.rows(), r.H()
	if it := p.item(); it.fresh {
		it.fresh = false
		p.text.End(min(p.count-p.height, it.verdict-it.answers))
	}
	from, to := p.text.Show(p.height, p.count)
	body.drawWide(r, margin, from)
	widget.ScrollMark(r, r.W()-1, from, to, p.count)
}
