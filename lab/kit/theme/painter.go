package theme

import (
	"strconv"

	"kafkalab/lab/kit/glyph"
)

// Painter writes styles for one theme and one terminal. It never changes and
// may be shared.
type Painter struct {
	looks [styleCount]look
	bare  [hueCount]bool // hues whose blocks and bars need a shape of their own
	ascii bool
}

// look is one style ready to be written: the parameters of an SGR sequence
// that turns a plain cell into it, and those of its colour alone.
type look struct {
	codes string
	hue   string
	base  Style // attributes and ground, after the theme added its own
}

// NewPainter makes the painter of a theme on a terminal. With ascii it writes
// nothing but ASCII: each glyph of the lab as its twin, and other characters
// as the nearest letter, or ? (see package glyph).
func NewPainter(t Theme, p Profile, ascii bool) *Painter {
	painter := &Painter{ascii: ascii}
	for h := range hueCount {
		painter.bare[h] = t.shapes || p <= Mono || p == Ansi16 && t.inks[h].x16 == 39
	}
	for s := Style(0); s < styleCount; s++ {
		if s.Hue() < hueCount {
			painter.looks[s] = makeLook(t, p, s)
		}
	}
	return painter
}

// makeLook works out one style. In 16 colours and fewer a selected cell is
// reversed and gives up its colour: on a reversed row of unknown colours that
// is legible everywhere, and the row's words say the rest.
func makeLook(t Theme, p Profile, s Style) look {
	if p == Plain {
		return look{}
	}
	ink := t.inks[s.Hue()]
	on := s & base
	hue := ""
	switch p {
	case TrueColor:
		hue = rgb("38;2;", ink.rgb)
	case Ansi256:
		hue = "38;5;" + strconv.Itoa(int(ink.x256))
	case Ansi16:
		on |= ink.attr
		hue = strconv.Itoa(int(ink.x16))
	default:
		on |= mono(s.Hue())
	}
	if on&Selected != 0 && p <= Ansi16 {
		on = on&^(Selected|Reverse|Underline) | Reverse
		hue = "39"
	}
	return look{codes: codes(on, hue, t, p), hue: hue, base: on}
}

// codes are the parameters of attributes, hue and ground, in that order.
func codes(on Style, hue string, t Theme, p Profile) string {
	out := ""
	add := func(code string) {
		if out != "" {
			out += ";"
		}
		out += code
	}
	for _, a := range []struct {
		bit  Style
		code string
	}{{Bold, "1"}, {Underline, "4"}, {Reverse, "7"}} {
		if on&a.bit != 0 {
			add(a.code)
		}
	}
	if hue != "" && hue != "39" {
		add(hue)
	}
	if on&Selected != 0 {
		if p == TrueColor {
			add(rgb("48;2;", t.selected.rgb))
		} else {
			add("48;5;" + strconv.Itoa(int(t.selected.x256)))
		}
	}
	return out
}

func rgb(prefix string, c uint32) string {
	return prefix + strconv.Itoa(int(c>>16&0xFF)) + ";" + strconv.Itoa(int(c>>8&0xFF)) + ";" + strconv.Itoa(int(c&0xFF))
}

// Brush is the state of a terminal's pen while a line is written. A line
// begins with the zero Brush, and Lift ends it.
type Brush struct {
	s    Style
	down bool
}

// Space readies the pen for a space in style s. Only a ground shows on a
// space: what has none needs no change of the pen as long as that draws none
// itself, and is never underlined, so that padding is not.
func (p *Painter) Space(out []byte, b *Brush, s Style) []byte {
	to := &p.looks[s&(styleCount-1)]
	if to.base&(Selected|Reverse) != 0 {
		return p.Set(out, b, s)
	}
	if !b.down || p.looks[b.s].base&^Bold == 0 {
		return out
	}
	if to.base&Underline != 0 {
		s = Text
	}
	return p.Set(out, b, s)
}

// Set appends what makes the pen write in style s; nothing, if it does.
func (p *Painter) Set(out []byte, b *Brush, s Style) []byte {
	s &= styleCount - 1
	if b.down && b.s == s {
		return out
	}
	to, from := &p.looks[s], &look{}
	if b.down {
		from = &p.looks[b.s]
	}
	b.s, b.down = s, true
	switch {
	case from.codes == to.codes:
		return out
	case to.codes == "":
		return append(out, "\x1b[m"...)
	case from.codes == "":
		out = append(out, "\x1b["...)
		out = append(out, to.codes...)
	case from.base == to.base:
		out = append(out, "\x1b["...)
		out = append(out, to.hue...)
	default:
		out = append(out, "\x1b[0;"...)
		out = append(out, to.codes...)
	}
	return append(out, 'm')
}

// Lift appends what makes the terminal's state what it was before the line.
func (p *Painter) Lift(out []byte, b *Brush) []byte {
	if b.down && p.looks[b.s].codes != "" {
		out = append(out, "\x1b[m"...)
	}
	*b = Brush{}
	return out
}

// Rune is the character that is written for r in style s. Where a hue has no
// colour, or the theme does not rely on it, blocks and bars that would differ
// by it alone differ in shape.
func (p *Painter) Rune(r rune, s Style) rune {
	if r < 0x80 {
		return r
	}
	if h := s.Hue(); h < hueCount && p.bare[h] {
		r = standIn(r, h)
	}
	if p.ascii {
		r = glyph.ASCII(r)
	}
	return r
}

// ASCII tells if the painter writes ASCII alone. A character that took two
// cells then takes two characters.
func (p *Painter) ASCII() bool { return p.ascii }

// standIn is the shape that a block or bar takes when its hue has no colour.
func standIn(r rune, hue Style) rune {
	switch r {
	case '█', '▇':
		return [hueCount]rune{Text: r, Bright: r, Muted: '▓', Faint: '░', Rule: '░', Focus: r, Teal: r,
			Amber: '▒', Red: '▚', Violet: r, Blue: '▓', Green: '▒'}[hue]
	case '━':
		if hue == Faint || hue == Rule {
			return '─'
		}
	case '■':
		if hue == Amber || hue == Faint {
			return '□'
		}
	}
	return r
}
