package glyph_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
)

func TestEveryGlyphIsOneSafeCellWithAnASCIITwin(t *testing.T) {
	last := rune(0)
	for _, g := range glyph.Table {
		if g.Rune <= last {
			t.Errorf("%q %U is out of order", g.Rune, g.Rune)
		}
		last = g.Rune
		if safe, w := cell.Rune(g.Rune); safe != g.Rune || w != 1 {
			t.Errorf("%q %U is drawn as %q, %d cells", g.Rune, g.Rune, safe, w)
		}
		if w := ansi.StringWidth(string(g.Rune)); w != 1 {
			t.Errorf("%q %U is %d cells wide to the renderer", g.Rune, g.Rune, w)
		}
		if g.Twin < '!' || g.Twin > '~' {
			t.Errorf("%q has the twin %q", g.Rune, g.Twin)
		}
		if got := glyph.ASCII(g.Rune); got != rune(g.Twin) {
			t.Errorf("ASCII(%q) = %q, want %q", g.Rune, got, g.Twin)
		}
	}
}

func TestEverySignDrawnHasATwin(t *testing.T) {
	for _, r := range []rune{glyph.Done, glyph.Wrong, glyph.Half, glyph.Todo, glyph.Filled, glyph.Here, glyph.Gone,
		glyph.Closed, glyph.Opened, glyph.Bullet, glyph.Dagger, glyph.Null, glyph.Prompt, glyph.Ellipsis, glyph.Dot,
		glyph.Play, glyph.PlayBack, glyph.Up, glyph.Down, glyph.ArrowUp, glyph.ArrowDown, glyph.ArrowLeft, glyph.Arrow,
		glyph.Full, glyph.Bar, glyph.Dark, glyph.Medium, glyph.Light, glyph.Square, glyph.Hollow, glyph.LeftHalf, glyph.RightHalf,
		glyph.Cursor, glyph.Thick, glyph.Horizontal, glyph.Vertical, glyph.TeeDown, glyph.TeeUp, glyph.TeeRight,
		glyph.TeeLeft, glyph.Cross, glyph.TopLeft, glyph.TopRight, glyph.BottomLeft, glyph.BottomRight,
		cell.Dot, cell.Newline, cell.Tab} {
		if glyph.ASCII(r) == '?' {
			t.Errorf("%q has no twin", r)
		}
	}
}

// Signs that take each other's place say different things: their twins differ.
func TestTwinsTellApart(t *testing.T) {
	for _, family := range []string{"●◉○◌◐", "█▓▒░▚", "■□", "✓✗", "▸▾", "←→↑↓", "━─"} {
		seen := map[rune]rune{}
		for _, r := range family {
			twin := glyph.ASCII(r)
			if other, ok := seen[twin]; ok {
				t.Errorf("%q and %q are both %q", r, other, twin)
			}
			seen[twin] = r
		}
	}
}

func TestASCIIOfEveryCharacterIsASCII(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got := glyph.ASCII(r); got < ' ' || got > '~' {
			t.Fatalf("%U: %q", r, got)
		}
	}
	var b strings.Builder
	for _, r := range "Größe œuvre Łódź Čeština, naïve façade – “x” ≤ 5 µs 日" {
		b.WriteRune(glyph.ASCII(r))
	}
	if got, want := b.String(), `Grose ouvre Lodz Cestina, naive facade - "x" < 5 us ?`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSpell(t *testing.T) {
	if got, want := glyph.Spell("a ≤ b → c…\nü ✓"), "a <= b -> c...\nu +"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
