package screen

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/quiz"
)

// numberForm is a check whose answer is a number.
type numberForm struct {
	in   *quiz.Instance
	text widget.Input
}

func newNumberForm(in *quiz.Instance) *numberForm {
	f := &numberForm{in: in}
	f.text.Allow = func(r rune) bool { return widget.Digits(r) || r == ' ' || r == ',' || r == '_' }
	f.text.Limit = 24
	f.text.Empty = "a number"
	return f
}

func (f *numberForm) commands(*Commands) {}

func (f *numberForm) clear() { f.text.Set("") }

func (f *numberForm) field() Field { return f }

// Type edits the number. An empty field leaves the arrows and space.
func (f *numberForm) Type(k tea.KeyMsg) ([]Action, bool) {
	if t := keys.Text(k); !f.touched() && (t == "" || strings.TrimSpace(t) == "") {
		return nil, false
	}
	return nil, f.text.Key(k)
}

func (f *numberForm) ready() bool { return strings.TrimSpace(f.text.Value()) != "" }

func (f *numberForm) touched() bool { return f.text.Value() != "" }

func (f *numberForm) enterWord() string { return "answer" }

func (f *numberForm) reply() quiz.Reply { return quiz.Reply{Text: f.text.Value()} }

func (f *numberForm) click(int) {}

func (f *numberForm) ask(t *text, _ int) {
	t.over(func(r canvas.Region, y int) {
		r.Put(2, y, string(glyph.Prompt), theme.Focus|theme.Bold)
		f.text.Draw(r.Sub(geom.Rect{X: 5, Y: y, W: 22, H: 1}), true)
		r.Put(28, y, f.in.Unit, theme.Label)
	})
	t.gap()
	t.over(func(r canvas.Region, y int) {
		widget.Hints(r.Pen(5, y), 3, keys.Bind("enter", "answer"))
	})
}

func (f *numberForm) judged(t *text, _ int, result quiz.Result) {
	style, sign := theme.Right, glyph.Done
	if !result.Right {
		style, sign = theme.Refused, glyph.Wrong
	}
	said := pretty(strings.TrimSpace(f.text.Value()))
	t.over(func(r canvas.Region, y int) {
		r.Pen(2, y).Put("you   ", theme.Label).Put(said, theme.Name).Gap(2).Sign(sign, 1, style)
	})
	t.over(func(r canvas.Region, y int) {
		r.Pen(2, y).Put("Kafka ", theme.Label).Put(pretty(result.Answer), theme.Right|theme.Bold)
	})
}
