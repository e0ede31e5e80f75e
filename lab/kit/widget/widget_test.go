package widget_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// text is what a drawing shows in w x h cells, without blanks at the ends.
func text(w, h int, draw func(canvas.Region)) string {
	c := canvas.New(w, h)
	draw(c.Region())
	lines := strings.Split(c.Text(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Every widget draws inside its region only, however small, and the frame is
// exact.
func TestWidgetsStayInside(t *testing.T) {
	in := widget.Input{Empty: "nothing"}
	full := widget.Input{}
	full.Set("produce orders acks=all 日本語")
	draws := map[string]func(canvas.Region){
		"keys":   line().Draw,
		"hints":  func(r canvas.Region) { widget.Hints(r.Pen(0, 0), 3, line()...) },
		"button": func(r canvas.Region) { widget.Button(r.Pen(0, 0), keys.Bind("enter", "go on")) },
		"bar":    func(r canvas.Region) { widget.Bar{Part: 3, Whole: 5, Style: theme.Teal}.Draw(r, 0, 0, r.W()) },
		"strip": func(r canvas.Region) {
			widget.Strip{{N: 3, Sign: '█', Style: theme.Teal}, {N: 2, Sign: '·'}}.Draw(r, 0, 0, r.W()+3)
		},
		"dots": func(r canvas.Region) { r.PutLine(0, 0, widget.Dots(2, 5)) },
		"table": widget.Table{Columns: []widget.Column{{Title: "a"}, {Title: "b", Right: true}}, Selected: 0,
			Rows: [][]canvas.Span{widget.Row("日本", "1"), widget.Row("x", "22")}}.Draw,
		"help":   func(r canvas.Region) { help().Draw(r, 1) },
		"modal":  func(r canvas.Region) { widget.Modal(r, "title", 9, 3).Put(0, 0, "inside", theme.Text) },
		"input":  func(r canvas.Region) { full.Draw(r, true) },
		"empty":  func(r canvas.Region) { in.Draw(r, true) },
		"scroll": func(r canvas.Region) { widget.ScrollMark(r, r.W()-1, 3, 3+r.H(), 40) },
		"select": func(r canvas.Region) { widget.Select(r, geom.Rect{X: -3, Y: 1, W: 99, H: 1}, 2, theme.Focus) },
	}
	p := kittest.Painter(t, "dark", theme.Dark, theme.TrueColor, false)
	rapid.Check(t, func(rt *rapid.T) {
		part := geom.Rect{X: rapid.IntRange(0, 20).Draw(rt, "x"), Y: rapid.IntRange(0, 6).Draw(rt, "y"),
			W: rapid.IntRange(0, 30).Draw(rt, "w"), H: rapid.IntRange(0, 8).Draw(rt, "h")}
		for name, draw := range draws {
			c := canvas.New(40, 12)
			c.Region().Fill(geom.Size(40, 12), '#', theme.Red)
			draw(c.Region().Sub(part))
			if err := kittest.Exact(c.Render(p), 40, 12); err != nil {
				rt.Fatalf("%s: %v", name, err)
			}
			rows := strings.Split(c.Text(), "\n")
			for y := range 12 {
				for x := range 40 {
					if !part.Contains(x, y) && c.StyleAt(x, y) != theme.Red {
						rt.Fatalf("%s in %v drew at %d,%d:\n%s", name, part, x, y, strings.Join(rows, "\n"))
					}
				}
			}
		}
	})
}
