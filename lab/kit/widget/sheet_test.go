package widget_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

func TestTable(t *testing.T) {
	table := widget.Table{
		Columns: []widget.Column{{Title: "slot", Right: true}, {Title: "position", Right: true}, {Style: theme.Label}},
		Rows: [][]canvas.Span{
			widget.Row("14", "28 560", "look right"),
			widget.Row("28", "57 840", "the floor"),
			widget.Row("30", "61 920"),
		},
		Selected: 1, Indent: 1, Gap: 2,
	}
	want := strings.Join([]string{
		" slot  position",
		"   14    28 560  look right",
		"   28    57 840  the floor",
		"   30    61 920",
	}, "\n")
	if got := text(40, 4, table.Draw); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c := canvas.New(40, 4)
	table.Draw(c.Region())
	if c.StyleAt(0, 2) != theme.Selected || c.StyleAt(17, 2) != theme.Label|theme.Selected || c.StyleAt(17, 1) != theme.Label {
		t.Errorf("styles: %v %v %v", c.StyleAt(0, 2), c.StyleAt(17, 2), c.StyleAt(17, 1))
	}
	table.Offset = 1
	if got, want := text(20, 3, table.Draw), " slot  position\n   28    57 840  th…\n   30    61 920"; got != want {
		t.Errorf("scrolled and narrow: got\n%s", got)
	}
	for y, want := range map[int]int{0: -1, 1: 1, 2: 2, 3: -1} {
		row, ok := table.RowAt(y)
		if ok != (want >= 0) || ok && row != want {
			t.Errorf("row at %d: %d, %v", y, row, ok)
		}
	}
}

func help() widget.Help {
	group := func(title string, names ...string) widget.Group {
		g := widget.Group{Title: title}
		for _, n := range names {
			g.Keys = append(g.Keys, keys.Bind(n, "do "+n))
		}
		return g
	}
	return widget.Help{group("Move", "a", "b"), group("Empty"), group("Lenses", "c", "d", "e"), group("More", "f")}
}

func TestHelpFillsColumnsAndPages(t *testing.T) {
	for _, c := range []struct {
		w, h, page int
		want       string
	}{
		{40, 8, 0, "Move       More\na  do a    f  do f\nb  do b\n\nLenses\nc  do c\nd  do d\ne  do e"},
		{40, 4, 0, "Move       Lenses     More\na  do a    c  do c    f  do f\nb  do b    d  do d\n           e  do e"},
		{8, 6, 0, "Move\na  do a\nb  do b\n\n\npage 1 o"},
		{8, 6, 1, "Lenses\nc  do c\nd  do d\ne  do e\n\npage 2 o"},
		{8, 6, 9, "More\nf  do f\n\n\n\npage 3 o"},
	} {
		if got := text(c.w, c.h, func(r canvas.Region) { help().Draw(r, c.page) }); got != c.want {
			t.Errorf("%dx%d page %d:\n got %q\nwant %q", c.w, c.h, c.page, got, c.want)
		}
	}
	if n := help().Pages(8, 6); n != 3 {
		t.Errorf("%d pages", n)
	}
	if got := help().Height(40, 20); got != 4 {
		t.Errorf("height %d", got)
	}
}

// Every key is on some page, whatever the size.
func TestHelpLosesNoKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(8, 60).Draw(t, "w"), rapid.IntRange(4, 20).Draw(t, "h")
		all := ""
		for page := range help().Pages(w, h) {
			all += text(w, h, func(r canvas.Region) { help().Draw(r, page) })
		}
		for _, k := range []string{"do a", "do b", "do c", "do d", "do e", "do f"} {
			if strings.Count(all, k) != 1 {
				t.Fatalf("%dx%d: %q is there %d times:\n%s", w, h, k, strings.Count(all, k), all)
			}
		}
	})
}

func TestModal(t *testing.T) {
	got := text(20, 5, func(r canvas.Region) {
		r.Fill(r.Rect(), 'x', theme.Text)
		widget.Modal(r, "Quit", 8, 1).Put(0, 0, "sure? too long", theme.Text)
	})
	want := strings.Join([]string{"xxxxxxxxxxxxxxxxxxxx", "xxx ┌─ Quit ───┐ xxx", "xxx │ sure? to │ xxx", "xxx └──────────┘ xxx", "xxxxxxxxxxxxxxxxxxxx"}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
