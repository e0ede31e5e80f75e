package theme

import (
	"math"
	"strings"
	"testing"
)

func allThemes() []Theme {
	return []Theme{darkTheme(), lightTheme(), contrastDark(), contrastLight()}
}

// vga is the palette against which the sixteen colours are tested: the one
// terminals that know no more are likeliest to have.
var vga = map[uint8]uint32{
	30: 0x000000, 31: 0xAA0000, 32: 0x00AA00, 33: 0xAA5500, 34: 0x0000AA, 35: 0xAA00AA, 36: 0x00AAAA, 37: 0xAAAAAA,
	90: 0x555555, 91: 0xFF5555, 92: 0x55FF55, 93: 0xFFFF55, 94: 0x5555FF, 95: 0xFF55FF, 96: 0x55FFFF, 97: 0xFFFFFF,
}

func x256(i uint8) uint32 {
	if i >= 232 {
		v := 8 + 10*(uint32(i)-232)
		return v<<16 | v<<8 | v
	}
	level := func(n uint32) uint32 {
		if n == 0 {
			return 0
		}
		return 55 + 40*n
	}
	n := uint32(i) - 16
	return level(n/36)<<16 | level(n/6%6)<<8 | level(n%6)
}

// ratio is the contrast of two colours as WCAG 2.1 defines it, 1 to 21.
func ratio(a, b uint32) float64 {
	lum := func(c uint32) float64 {
		part := func(v uint32) float64 {
			f := float64(v&0xFF) / 255
			if f <= 0.04045 {
				return f / 12.92
			}
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return 0.2126*part(c>>16) + 0.7152*part(c>>8) + 0.0722*part(c)
	}
	x, y := lum(a), lum(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func backgroundRGB(t Theme) uint32 {
	if t.For == Light {
		return 0xFBFBF8
	}
	return 0x16171D
}

// What is to be read has the contrast that WCAG asks of text (4.5), in high
// contrast the stricter one (7), on the selected row, too. What is absent and
// the rules may be pale, but are there.
func TestEveryHueIsLegible(t *testing.T) {
	for _, th := range allThemes() {
		text, pale := 4.5, 1.5
		if th.Name == "contrast" {
			text, pale = 7, 4.5
		}
		bg := backgroundRGB(th)
		for h := range hueCount {
			ink := th.inks[h]
			if ink.rgb == 0 && th.Name != "contrast" || ink.x256 < 16 || ink.x16 == 0 {
				t.Errorf("%s %v: not filled in: %+v", th.Name, h, ink)
				continue
			}
			want := text
			if h == Faint || h == Rule {
				want = pale
			}
			for what, pair := range map[string][2]uint32{
				"true colour":           {ink.rgb, bg},
				"true colour, selected": {ink.rgb, th.selected.rgb},
				"256":                   {x256(ink.x256), bg},
				"256, selected":         {x256(ink.x256), x256(th.selected.x256)},
			} {
				if strings.HasSuffix(what, "selected") && h == Rule {
					continue
				}
				limit := want
				if strings.HasPrefix(what, "256") {
					limit = min(want, 6.4) // its darkest brown
				}
				if strings.HasSuffix(what, "selected") {
					limit = min(limit, 4.5) * 0.85
				}
				if got := ratio(pair[0], pair[1]); got < limit {
					t.Errorf("%s/%d %v in %s: contrast %.2f, want %.2f", th.Name, th.For, h, what, got, limit)
				}
			}
			if ink.x16 != 39 {
				ground := uint32(0)
				if th.For == Light {
					ground = 0xFFFFFF
				}
				if got := ratio(vga[ink.x16], ground); got < 2.7 {
					t.Errorf("%s/%d %v in 16 colours: contrast %.2f", th.Name, th.For, h, got)
				}
			}
		}
	}
}

// Ideas that stand beside each other look different, in every theme and in
// every profile that has colours.
func TestHuesTellApart(t *testing.T) {
	ideas := []Style{Text, Focus, Teal, Amber, Red, Violet, Blue, Green}
	for _, th := range allThemes() {
		for _, p := range []Profile{Ansi16, Ansi256, TrueColor} {
			painter := NewPainter(th, p, false)
			seen := map[string]Style{}
			for _, s := range ideas {
				codes := painter.looks[s].codes
				if other, ok := seen[codes]; ok {
					t.Errorf("%s/%d in %v: %v looks like %v", th.Name, th.For, p, s, other)
				}
				seen[codes] = s
			}
		}
	}
}

// Without colours, what must not be missed still stands out, and a bar keeps
// its parts.
func TestWithoutColour(t *testing.T) {
	p := NewPainter(darkTheme(), Mono, false)
	for style, want := range map[Style]string{
		Text: "", Name: "1", Key: "1;4", Teal: "1", Amber: "4", Red: "7", Focus: "1;4", Violet: "", Text | Selected: "7", Name | Selected: "1;7", Red | Selected: "7",
	} {
		if got := p.looks[style].codes; got != want {
			t.Errorf("%v is %q, want %q", style, got, want)
		}
	}
	if a, b := p.Rune('█', Teal), p.Rune('█', Amber); a == b {
		t.Errorf("committed and open are both %q", a)
	}
	if a, b := p.Rune('━', Teal), p.Rune('━', Rule); a == b {
		t.Errorf("a bar and its rest are both %q", a)
	}
	contrast := NewPainter(contrastLight(), TrueColor, false)
	if a, b := contrast.Rune('▇', Teal), contrast.Rune('▇', Amber); a == b {
		t.Errorf("in high contrast, committed and open are both %q", a)
	}
	colour := NewPainter(darkTheme(), Ansi16, false)
	if got := colour.Rune('█', Amber); got != '█' {
		t.Errorf("with colours, open is %q", got)
	}
}

func TestPlainPaintsNothing(t *testing.T) {
	p := NewPainter(darkTheme(), Plain, true)
	var b Brush
	var out []byte
	for s := Style(0); s < styleCount; s++ {
		out = p.Set(out, &b, s)
	}
	if out = p.Lift(out, &b); len(out) != 0 {
		t.Errorf("%q", out)
	}
}

func TestSetWritesNoMoreThanNeeded(t *testing.T) {
	p := NewPainter(darkTheme(), Ansi256, false)
	var b Brush
	var out []byte
	for _, c := range []struct {
		style Style
		want  string
	}{
		{Muted, "\x1b[38;5;246m"},
		{Muted, ""},
		{Amber, "\x1b[38;5;179m"},
		{Key, "\x1b[0;1;38;5;179m"},
		{Name, "\x1b[38;5;255m"},
		{Muted | Selected, "\x1b[0;38;5;246;48;5;236m"},
	} {
		out = p.Set(out[:0], &b, c.style)
		if string(out) != c.want {
			t.Errorf("%v: %q, want %q", c.style, out, c.want)
		}
	}
	if out = p.Lift(out[:0], &b); string(out) != "\x1b[m" {
		t.Errorf("lift: %q", out)
	}
	if out = p.Lift(out[:0], &b); len(out) != 0 {
		t.Errorf("second lift: %q", out)
	}
}

func TestASCIIPainter(t *testing.T) {
	p := NewPainter(darkTheme(), Mono, true)
	for r, want := range map[rune]rune{'a': 'a', '█': '#', '─': '-', 'ü': 'u', '日': '?'} {
		if got := p.Rune(r, Text); got != want {
			t.Errorf("%q: %q, want %q", r, got, want)
		}
	}
	if got := p.Rune('█', Amber); got != '=' {
		t.Errorf("an open bar: %q", got)
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name string
		bg   Background
		want string
		p    Profile
	}{
		{"", Dark, "dark", TrueColor}, {"auto", Light, "light", TrueColor}, {"dark", Light, "dark", TrueColor},
		{"light", Dark, "light", TrueColor}, {"contrast", Light, "contrast", TrueColor}, {"none", Dark, "dark", Mono},
	} {
		got, p, err := Choose(c.name, c.bg, TrueColor)
		if err != nil || got.Name != c.want || p != c.p {
			t.Errorf("%q: %s, %v, %v", c.name, got.Name, p, err)
		}
	}
	if th, _, _ := Choose("contrast", Light, Ansi16); th.For != Light {
		t.Error("contrast does not follow the background")
	}
	if _, _, err := Choose("solar", Dark, TrueColor); err == nil || !strings.Contains(err.Error(), "contrast") {
		t.Errorf("error does not list the themes: %v", err)
	}
	for _, name := range Names {
		if _, _, err := Choose(name, Dark, TrueColor); err != nil {
			t.Error(err)
		}
	}
}

func TestStyleString(t *testing.T) {
	if got := (Key | Selected).String(); got != "Amber|Selected|Bold" {
		t.Error(got)
	}
}

// Padding is not underlined, and a space that shows nothing changes nothing.
func TestSpace(t *testing.T) {
	p := NewPainter(darkTheme(), Mono, false)
	var b Brush
	out := p.Space(nil, &b, Amber)
	out = p.Set(out, &b, Amber)
	out = append(out, 'a')
	out = append(p.Space(out, &b, Amber), ' ')
	out = append(p.Set(out, &b, Amber), 'b')
	out = append(p.Space(out, &b, Red), ' ')
	out = append(p.Space(out, &b, Text), ' ')
	if got, want := string(out), "\x1b[4ma\x1b[m \x1b[4mb\x1b[0;7m \x1b[m "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The dark theme is the vocabulary the lab was drawn in.
func TestDarkVocabulary(t *testing.T) {
	th := darkTheme()
	for hue, want := range map[Style]uint32{
		Text: 0xD7DBE3, Muted: 0x8A92A3, Faint: 0x4A5162, Rule: 0x353B49, Focus: 0x8FB8FF, Teal: 0x5CC8B4,
		Amber: 0xE8B45A, Violet: 0xC3A2F5, Blue: 0x7FB2F0, Green: 0x9BD27A, Red: 0xF27A8B,
	} {
		if got := th.inks[hue].rgb; got != want {
			t.Errorf("%v is %06X, want %06X", hue, got, want)
		}
	}
	if th.selected.rgb != 0x262C3A {
		t.Errorf("the selected row is on %06X", th.selected.rgb)
	}
	p := NewPainter(th, TrueColor, false)
	if got, want := p.looks[Key|Selected].codes, "1;38;2;232;180;90;48;2;38;44;58"; got != want {
		t.Errorf("a key on a selected row is %q, want %q", got, want)
	}
}
