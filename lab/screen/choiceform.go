package screen

import (
	"fmt"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/quiz"
)

// choiceForm is a check with options: one to choose, or all that are right.
type choiceForm struct {
	in     *quiz.Instance
	multi  bool
	at     int    // the option the learner is at, -1 for none
	picked []bool // of a check with several answers
	rows   []int  // of the terminal, where the options were drawn last
}

func (f *choiceForm) commands(cs *Commands) {
	n := len(f.in.Options)
	if f.multi {
		cs.add(groupLearn, letters(n)+" ↑↓", "mark", nil)
		for i := range n {
			cs.silent(func() []Action { f.at = i; f.mark(); return nil }, string(rune('a'+i)))
		}
		cs.silent(func() []Action { f.at = min(f.at+1, n-1); return nil }, "down", "j")
		cs.silent(func() []Action { f.at = max(f.at-1, 0); return nil }, "up", "k")
		cs.add(groupLearn, "space", "mark this one", func() []Action { f.mark(); return nil }, " ")
		return
	}
	cs.add(groupLearn, letters(n)+" ↑↓", "choose", nil)
	pickCommands(cs, n, &f.at, true)
}

func (f *choiceForm) mark() {
	if f.at >= 0 {
		f.picked[f.at] = !f.picked[f.at]
	}
}

func (f *choiceForm) field() Field { return nil }

func (f *choiceForm) ready() bool { return len(f.reply().Picks) > 0 }

func (f *choiceForm) touched() bool { return f.ready() }

func (f *choiceForm) enterWord() string { return "answer" }

func (f *choiceForm) reply() quiz.Reply {
	var r quiz.Reply
	if !f.multi && f.at >= 0 {
		r.Picks = []int{f.at}
	}
	for i, p := range f.picked {
		if p {
			r.Picks = append(r.Picks, i)
		}
	}
	return r
}

func (f *choiceForm) click(y int) {
	for i, row := range f.rows {
		if row == y {
			f.at = i
			if f.multi {
				f.mark()
			}
		}
	}
}

func (f *choiceForm) ask(t *text, width int) {
	if f.multi {
		t.say(canvas.T(fmt.Sprintf("Mark all that are right, of %d.", len(f.in.Options)), theme.Muted), nil)
	}
	f.options(t, width, func(i int) (theme.Style, theme.Style, rune) {
		style := theme.Text
		if i == f.at {
			style = theme.Name
		}
		if f.multi {
			return style, theme.Focus, box(f.picked[i])
		}
		return style, theme.Focus, ' '
	})
}

func box(on bool) rune {
	if on {
		return glyph.Square
	}
	return glyph.Hollow
}

// judged lights what was chosen, and marks what is right.
func (f *choiceForm) judged(t *text, width int, _ quiz.Result) {
	f.options(t, width, func(i int) (theme.Style, theme.Style, rune) {
		o := f.in.Options[i]
		chosen := i == f.at && !f.multi || f.multi && f.picked[i]
		style, mark, sign := theme.Muted, theme.Right, ' '
		if chosen {
			style = theme.Name
		}
		switch {
		case o.Right:
			sign = glyph.Done
		case chosen:
			sign, mark = glyph.Wrong, theme.Refused
		}
		return style, mark, sign
	})
}

// options adds the options. look gives an option's style, that of its mark, and
// the mark; the row that one is at is lit in the mark's colour.
func (f *choiceForm) options(t *text, width int, look func(i int) (style, mark theme.Style, sign rune)) {
	f.rows = make([]int, len(f.in.Options))
	for i, o := range f.in.Options {
		style, mark, sign := look(i)
		lines := markdown.Render(o.Text, width-9)
		for n, line := range lines {
			t.over(func(r canvas.Region, y int) {
				if n == 0 {
					_, f.rows[i] = r.Screen(0, y)
					r.Put(2, y, string(rune('a'+i)), theme.Key)
					if sign != ' ' {
						r.Put(width-2, y, string(sign), mark)
					}
				}
				r.PutLine(5, y, restyle(line, style))
			})
			if i == f.at {
				t.light(mark)
			}
		}
	}
}

// restyle gives plain text another style; what has a colour keeps it.
func restyle(l canvas.Line, s theme.Style) canvas.Line {
	out := make(canvas.Line, len(l))
	for i, span := range l {
		if h := span.Style.Hue(); h == theme.Text || h == theme.Bright {
			span.Style = s | span.Style&theme.Bold
		}
		out[i] = span
	}
	return out
}

// sayOthers adds why of each option that the verdict has not explained: the
// right one first.
func (f *choiceForm) sayOthers(t *text, width int) {
	gap := false
	for _, right := range []bool{true, false} {
		for i, o := range f.in.Options {
			if o.Right != right || o.Why == "" || i == f.at && !f.multi {
				continue
			}
			if !gap {
				t.gap()
				gap = true
			}
			letter := theme.Muted
			if o.Right {
				letter = theme.Right | theme.Bold
			}
			for n, line := range markdown.Render(o.Why, width-3) {
				lead := canvas.T("   ", theme.Text)
				if n == 0 {
					lead = canvas.T(string(rune('a'+i))+"  ", letter)
				}
				t.say(append(lead, line...))
			}
		}
	}
}
