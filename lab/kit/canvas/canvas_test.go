package canvas_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

func TestPutClipsAndReturnsTheColumnBehind(t *testing.T) {
	c := canvas.New(10, 3)
	r := c.Region().Sub(geom.Rect{X: 2, Y: 1, W: 5, H: 1})
	for _, p := range []struct {
		x, y int
		text string
		want int
	}{
		{0, 0, "abcdefgh", 8},
		{-1, 0, "xy", 1},
		{0, 1, "below", 5},
		{0, -1, "above", 5},
		{4, 0, "日", 6},
	} {
		if got := r.Put(p.x, p.y, p.text, theme.Text); got != p.want {
			t.Errorf("Put(%d, %d, %q) = %d, want %d", p.x, p.y, p.text, got, p.want)
		}
	}
	if got, want := c.Text(), strings.Join([]string{"          ", "  ybcd    ", "          "}, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHalfAWideCharacterNeverStays(t *testing.T) {
	c := canvas.New(8, 1)
	r := c.Region()
	for _, step := range []struct {
		x          int
		text, want string
	}{
		{0, "日本語", "日本語  "},
		{1, "x", " x本語  "},
		{4, "y", " x本y   "},
		{2, " ", " x  y   "},
		{3, "語", " x 語   "},
		{7, "日", " x 語   "},
		{-1, "日", " x 語   "},
		{0, "z", "zx 語   "},
		{-1, "日", " x 語   "},
	} {
		r.Put(step.x, 0, step.text, theme.Text)
		if got := c.Text(); got != step.want {
			t.Errorf("after %q at %d: %q, want %q", step.text, step.x, got, step.want)
		}
	}
}

func TestRulesJoinInAnyOrder(t *testing.T) {
	want := strings.Join([]string{
		"──┬──",
		"  │  ",
		"──┼──",
		"  │  ",
		"──┴──",
	}, "\n")
	draw := []func(canvas.Region){
		func(r canvas.Region) { r.HLine(0, 0, 5, theme.Rule) },
		func(r canvas.Region) { r.HLine(0, 2, 5, theme.Rule) },
		func(r canvas.Region) { r.HLine(0, 4, 5, theme.Rule) },
		func(r canvas.Region) { r.VLine(2, 0, 5, theme.Rule) },
	}
	for first := range draw {
		c := canvas.New(5, 5)
		for i := range draw {
			draw[(first+i)%len(draw)](c.Region())
		}
		if got := c.Text(); got != want {
			t.Errorf("beginning with %d:\n%s", first, got)
		}
	}
	c := canvas.New(5, 3)
	r := c.Region()
	r.VLine(0, 0, 3, theme.Rule)
	r.VLine(4, 0, 3, theme.Rule)
	r.HLine(0, 0, 5, theme.Rule)
	r.HLine(0, 1, 5, theme.Rule)
	r.HLine(0, 2, 5, theme.Rule)
	if got := c.Text(); got != "┌───┐\n├───┤\n└───┘" {
		t.Errorf("\n%s", got)
	}
}

func TestTextOverARuleIsNoRule(t *testing.T) {
	c := canvas.New(3, 1)
	r := c.Region()
	r.HLine(0, 0, 3, theme.Rule)
	r.Put(1, 0, "x", theme.Text)
	r.VLine(1, 0, 1, theme.Rule)
	if got := c.Text(); got != "─│─" {
		t.Error(got)
	}
}

func TestBox(t *testing.T) {
	c := canvas.New(10, 4)
	inner := c.Region().Box(geom.Rect{X: 1, Y: 0, W: 6, H: 4}, theme.Muted)
	inner.Put(0, 0, "118 KiB", theme.Text)
	if got, want := c.Text(), " ┌────┐   \n │118 │   \n │    │   \n └────┘   "; got != want {
		t.Errorf("got\n%s", got)
	}
	for w := range 3 {
		for h := range 3 {
			c.Region().Box(geom.Rect{X: 9, Y: 3, W: w, H: h}, theme.Muted)
		}
	}
}

func TestRenderKeepsTheStylesOfLeaves(t *testing.T) {
	c := canvas.New(12, 1)
	r := c.Region()
	r.Pen(0, 0).Put("LEO", theme.Label).Gap(1).Put("1 007", theme.Name)
	p := kittest.Painter(t, "dark", theme.Dark, theme.Ansi256, false)
	if got, want := c.Render(p), "\x1b[38;5;246mLEO \x1b[0;1;38;5;255m1 007   \x1b[m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Wash(geom.Rect{X: 3, W: 2, H: 1}, theme.Selected|theme.Red)
	want := "\x1b[38;5;246mLEO\x1b[0;38;5;253;48;5;236m \x1b[0;1;38;5;255;48;5;236m1\x1b[0;1;38;5;255m 007   \x1b[m"
	if got := c.Render(p); got != want {
		t.Errorf("washed: %q, want %q", got, want)
	}
}

func TestUnsafeTextIsHarmless(t *testing.T) {
	c := canvas.New(24, 1)
	c.Region().Put(0, 0, "\x1b[2Jk\te\ny\u0301\x00🙂\xff", theme.Red)
	if got, want := strings.TrimRight(c.Text(), " "), "·[2Jk⇥e↵y·····"; got != want[:len(got)] {
		t.Errorf("%q", got)
	}
	kittest.EveryProfile(t, c)
}

// Whatever is drawn, wherever: the frame is exact.
func TestFramesAreExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(0, 60).Draw(rt, "w"), rapid.IntRange(0, 12).Draw(rt, "h")
		c := canvas.New(w, h)
		for range rapid.IntRange(0, 20).Draw(rt, "steps") {
			randomStep(rt, c.Region())
		}
		for _, p := range []*theme.Painter{
			kittest.Painter(t, "dark", theme.Dark, theme.TrueColor, false),
			kittest.Painter(t, "none", theme.Dark, theme.Ansi16, true),
		} {
			if err := kittest.Exact(c.Render(p), w, h); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

func randomStep(t *rapid.T, r canvas.Region) {
	n := func(name string) int { return rapid.IntRange(-5, 65).Draw(t, name) }
	style := theme.Style(rapid.IntRange(0, 255).Draw(t, "style"))
	part := geom.Rect{X: n("x"), Y: n("y"), W: n("w"), H: n("h")}
	switch rapid.IntRange(0, 6).Draw(t, "step") {
	case 0:
		r.Put(part.X, part.Y, rapid.String().Draw(t, "text"), style)
	case 1:
		r.Sub(part).Put(n("px"), n("py"), rapid.StringOf(rapid.SampledFrom([]rune("aé日한─█\n"))).Draw(t, "text"), style)
	case 2:
		r.HLine(part.X, part.Y, part.W, style)
	case 3:
		r.VLine(part.X, part.Y, part.H, style)
	case 4:
		r.Box(part, style).Put(0, 0, "日日日日", style)
	case 5:
		r.Fill(part, rapid.Rune().Draw(t, "sign"), style)
	case 6:
		r.Sub(part).Wash(geom.Size(n("ww"), n("wh")), style)
	}
}

func TestResetKeepsNothing(t *testing.T) {
	c := canvas.New(4, 2)
	c.Region().Put(0, 0, "abcd", theme.Red|theme.Selected)
	c.Reset(2, 3)
	if got := c.Text(); got != "  \n  \n  " || c.StyleAt(0, 0) != 0 {
		t.Errorf("%q %v", got, c.StyleAt(0, 0))
	}
}
