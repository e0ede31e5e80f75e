package screen

import (
	"fmt"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/quiz"
)

// orderForm is a check whose items are to be put in order: one is taken, moved
// and put down.
type orderForm struct {
	in    *quiz.Instance
	order []int // items, by their place among what is shown
	at    int
	taken bool
	moved bool
	rows  []int
}

func newOrderForm(in *quiz.Instance) *orderForm {
	f := &orderForm{in: in, order: make([]int, len(in.Items))}
	for i := range f.order {
		f.order[i] = i
	}
	return f
}

func (f *orderForm) commands(cs *Commands) {
	word := "take"
	if f.taken {
		word = "put down"
	}
	cs.add(groupLearn, "↑↓", "move", nil)
	cs.add(groupLearn, "space", word, func() []Action { f.taken = !f.taken; return nil }, " ")
	cs.silent(f.move(-1), "up", "k")
	cs.silent(f.move(1), "down", "j")
}

func (f *orderForm) move(by int) func() []Action {
	return func() []Action {
		to := max(0, min(f.at+by, len(f.order)-1))
		if f.taken && to != f.at {
			f.order[f.at], f.order[to] = f.order[to], f.order[f.at]
			f.moved = true
		}
		f.at = to
		return nil
	}
}

func (f *orderForm) field() Field { return nil }

func (f *orderForm) ready() bool { return !f.taken }

func (f *orderForm) touched() bool { return f.moved }

func (f *orderForm) enterWord() string { return "this is the order" }

func (f *orderForm) reply() quiz.Reply { return quiz.Reply{Picks: f.order} }

func (f *orderForm) click(y int) {
	for i, row := range f.rows {
		if row == y {
			f.at = i
		}
	}
}

func (f *orderForm) ask(t *text, width int) {
	f.rows = make([]int, len(f.order))
	for i, shown := range f.order {
		t.over(func(r canvas.Region, y int) {
			_, f.rows[i] = r.Screen(0, y)
			style := theme.Text
			if i == f.at {
				style = theme.Name
			}
			r.Pen(2, y).Put(fmt.Sprint(i+1), theme.Label).Gap(2).Put(cell.Truncate(f.in.Items[shown], width-9), style)
			if i == f.at && f.taken {
				r.Put(width-3, y, string(glyph.ArrowUp)+string(glyph.ArrowDown), theme.Open)
			}
		})
		switch {
		case i == f.at && f.taken:
			t.light(theme.Open)
		case i == f.at:
			t.light(theme.Focus)
		}
	}
}

func (f *orderForm) judged(t *text, width int, result quiz.Result) {
	for i, shown := range f.order {
		t.over(func(r canvas.Region, y int) {
			r.Pen(2, y).Put(fmt.Sprint(i+1), theme.Label).Gap(2).Put(cell.Truncate(f.in.Items[shown], width-9), theme.Text)
			if result.Right {
				r.Put(width-2, y, string(glyph.Done), theme.Right)
			}
		})
	}
}

// sayOthers adds the right order, if it was another.
func (f *orderForm) sayOthers(t *text, width int) {
	result, err := f.in.Grade(f.reply())
	if err != nil || result.Right {
		return
	}
	t.gap()
	t.say(canvas.T("the order", theme.Label))
	for i, item := range strings.Split(result.Answer, "; ") {
		t.say(hang(canvas.T(fmt.Sprintf(" %d  ", i+1), theme.Label), canvas.T(item, theme.Right), width)...)
	}
}
