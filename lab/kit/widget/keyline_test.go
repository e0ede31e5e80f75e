package widget_test

import (
	"strings"
	"testing"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

func line() widget.KeyLine {
	off := keys.Bind("x", "off")
	off.SetEnabled(false)
	return widget.KeyLine{
		keys.Bind("enter", "open"), off, keys.Bind("r", "review"), keys.Bind("h", ""),
		keys.Bind("?", "keys"), keys.Bind("q", "quit"),
	}
}

func TestKeyLineLeavesOutTheLeastImportant(t *testing.T) {
	for w, want := range map[int]string{
		80: "enter open · r review · ? keys · q quit",
		39: "enter open · r review · ? keys · q quit",
		38: "enter open · r review · ? keys",
		29: "enter open · ? keys",
		18: "? keys",
		4:  "? ke",
		0:  "",
	} {
		if got := text(w, 1, line().Draw); got != want {
			t.Errorf("%d: %q, want %q", w, got, want)
		}
	}
	if got := text(9, 1, widget.KeyLine(nil).Draw); got != "" {
		t.Errorf("no keys: %q", got)
	}
}

func TestKeyLineClicks(t *testing.T) {
	for x, want := range map[int]string{0: "enter", 9: "enter", 10: "", 12: "", 13: "r", 24: "?", 38: "q", 39: "", -1: ""} {
		b, ok := line().At(39, x)
		if ok != (want != "") || b.Help().Key != want {
			t.Errorf("%d: %q, %v", x, b.Help().Key, ok)
		}
	}
}

func TestFrameTitleGivesWay(t *testing.T) {
	c := canvas.New(80, 24)
	l := geom.Arrange(80, 24, geom.Plan{})
	widget.Frame{Title: canvas.T(strings.Repeat("long ", 20), theme.Name), Status: canvas.T("t 0:41.250", theme.Label)}.Draw(c.Region(), l)
	first, _, _ := strings.Cut(c.Text(), "\n")
	if want := " " + strings.Repeat("long ", 13) + "…  t 0:41.250 "; first != want {
		t.Errorf("%q, want %q", first, want)
	}
}

func TestFrameKeyAt(t *testing.T) {
	l := geom.Arrange(80, 24, geom.Plan{})
	f := widget.Frame{Keys: line()}
	for _, c := range []struct {
		x, y int
		want string
	}{{1, 23, "enter"}, {14, 23, "r"}, {0, 23, ""}, {1, 22, ""}, {79, 23, ""}} {
		if b, _ := f.KeyAt(l, c.x, c.y); b.Help().Key != c.want {
			t.Errorf("%d,%d: %q, want %q", c.x, c.y, b.Help().Key, c.want)
		}
	}
}
