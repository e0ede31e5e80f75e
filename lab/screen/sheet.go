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

// window lays an empty window over the middle of the body, of w x h cells
// inside if there is room for it.
func window(r canvas.Region, title string, w, h int) canvas.Region {
	body := r.Rect().Pad(1, 2, 1, 2)
	return widget.Modal(r.Sub(body), title, w, h)
}

// room is the largest inside that a window may have.
func room(r canvas.Region) geom.Rect { return r.Rect().Pad(5, 4, 5, 4) }

// putScrolled draws the lines of a text that a reader is at, with a mark at the
// right that tells where.
func putScrolled(r canvas.Region, lines []canvas.Line, s *widget.Scroll) {
	from, to := s.Show(r.H(), len(lines))
	r.PutLines(0, 0, lines[from:to])
	widget.ScrollMark(r, r.W()-1, from, to, len(lines))
}

// empty is the line of a sheet that has nothing to show.
func empty(text string) []canvas.Line { return []canvas.Line{canvas.T(text, theme.Muted)} }
