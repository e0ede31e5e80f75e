package screen

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// sheet is what all sheets share: they lie over a screen and close with esc.
type sheet struct{}

// Field is nil: most sheets take no text.
func (sheet) Field() Field { return nil }

// Click beside the keys closes nothing: a sheet stays until a key says so.
func (sheet) Click(int, int) []Action { return nil }

// closing adds the keys that close a sheet. Also is the key that opened it.
func closing(cs *Commands, also string) {
	cs.add(groupEverywhere, "esc", "back", always(Close{}), "esc", "q", also)
}

// drawKeys puts a sheet's key line in the place of the one below it.
func drawKeys(r canvas.Region, cs Commands) {
	row, _ := r.Rect().Bottom(1)
	line := r.Sub(row)
	line.Clear()
	cs.Line().Draw(line.Sub(line.Rect().Pad(1, 0, 1, 0)))
}

// sheetWidth is the widest that a sheet's text is.
const sheetWidth = 110

// sheetRect is where a sheet's content stands on a terminal of w x h cells: the
// body, but for its margins and the heading.
func sheetRect(w, h int) geom.Rect {
	body := geom.Size(w, h).Pad(3, 4, 3, 2)
	if h >= geom.Roomy {
		body = geom.Size(w, h).Pad(3, 5, 3, 2)
	}
	body.W = min(body.W, sheetWidth)
	return body
}

// cover empties the body between the two rules, writes the heading, and gives
// the part below it. The title line stays: it says over what the sheet lies.
func cover(r canvas.Region, title string) canvas.Region {
	whole := r.Sub(r.Rect().Pad(0, 1, 0, 1))
	whole.Clear()
	r.HLine(0, 1, r.W(), theme.Rule)
	r.HLine(0, r.H()-2, r.W(), theme.Rule)
	at := sheetRect(r.W(), r.H())
	r.Put(at.X, at.Y-2, title, theme.Name)
	return r.Sub(at)
}

// strip empties the lowest h rows of the body and draws a rule above them; a
// short title stands in the rule.
func strip(r canvas.Region, title string, h int) canvas.Region {
	part, _ := r.Rect().Pad(0, 2, 0, 1).Bottom(h + 1)
	part.Y--
	r.Sub(geom.Rect{Y: part.Y, W: r.W(), H: h + 2}).Clear()
	r.HLine(0, part.Y, r.W(), theme.Rule)
	r.HLine(0, part.Y+h+1, r.W(), theme.Rule)
	if title != "" {
		r.Put(2, part.Y, " "+title+" ", theme.Name)
	}
	return r.Sub(geom.Rect{X: 1, Y: part.Y + 1, W: r.W() - 2, H: h})
}

// putScrolled draws the lines of a text that a reader is at, with a mark at the
// right that tells where.
func putScrolled(r canvas.Region, lines []canvas.Line, s *widget.Scroll) {
	from, to := s.Show(r.H(), len(lines))
	r.PutLines(0, 0, lines[from:to])
	widget.ScrollMark(r, r.W()-1, from, to, len(lines))
}

// empty is the line of a sheet that has nothing to show.
func empty(text string) []canvas.Line { return []canvas.Line{canvas.T(text, theme.Muted)} }
