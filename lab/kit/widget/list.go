package widget

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// List is the place of a learner in a list: what is selected, and how far the
// list is scrolled. The owner has the rows, and draws those that Show names.
type List struct {
	Selected int
	offset   int
}

// Show tells which of count rows are seen in height rows of the screen, from
// up to but not with to. The selected one is among them, with a row around it
// where there is one.
func (l *List) Show(height, count int) (from, to int) {
	l.Selected = max(0, min(l.Selected, count-1))
	l.offset = follow(l.offset, l.Selected, height, count)
	return l.offset, min(count, l.offset+max(height, 0))
}

// follow is the offset nearest to the present one that shows the selected row.
func follow(offset, selected, height, count int) int {
	margin := 1
	if height < 3 {
		margin = 0
	}
	offset = min(offset, selected-margin)
	offset = max(offset, selected+margin-height+1)
	return max(0, min(offset, count-max(height, 0)))
}

// Key moves the selection among count rows by the keys that move everywhere,
// and tells if it was one of them. page is the number of rows seen.
func (l *List) Key(msg tea.KeyMsg, page, count int) bool {
	by, ok := motion(msg, page, count)
	if ok {
		l.Selected = max(0, min(l.Selected+by, count-1))
	}
	return ok
}

// motion is how many rows a key moves.
func motion(msg tea.KeyMsg, page, count int) (by int, ok bool) {
	switch msg.String() {
	case "up", "k":
		return -1, true
	case "down", "j":
		return 1, true
	case "pgup", "ctrl+b":
		return -max(page-1, 1), true
	case "pgdown", "ctrl+f":
		return max(page-1, 1), true
	case "home":
		return -count, true
	case "end":
		return count, true
	}
	return 0, false
}

// Scroll is the place of a reader in a text that has no selected row.
type Scroll struct{ offset int }

// Show tells which of count rows are seen in height rows of the screen.
func (s *Scroll) Show(height, count int) (from, to int) {
	s.offset = max(0, min(s.offset, count-max(height, 0)))
	return s.offset, min(count, s.offset+max(height, 0))
}

// Key scrolls by the keys that move everywhere, and tells if it was one of
// them.
func (s *Scroll) Key(msg tea.KeyMsg, page, count int) bool {
	by, ok := motion(msg, page, count)
	if ok {
		s.offset = max(0, min(s.offset+by, count-page))
	}
	return ok
}

// Top goes back to the first row.
func (s *Scroll) Top() { s.offset = 0 }

// AtEnd tells if the last of count rows is seen in height rows: a reader of
// what grows is followed only then.
func (s *Scroll) AtEnd(height, count int) bool { return s.offset >= count-height }

// End goes to the last row.
func (s *Scroll) End(count int) { s.offset = count }

// ScrollMark shows in the column x of a region that rows from up to to of
// count are seen: a thumb beside them, as long as their share. Nothing is
// drawn when all are seen.
func ScrollMark(r canvas.Region, x, from, to, count int) {
	h := r.H()
	if h <= 0 || count <= 0 || from <= 0 && to >= count {
		return
	}
	size := max(1, h*(to-from)/count)
	at := 0
	if hidden := count - (to - from); hidden > 0 {
		at = (h - size) * from / hidden
	}
	r.Fill(geom.Rect{X: x, Y: 0, W: 1, H: h}, glyph.Vertical, theme.Rule)
	r.Fill(geom.Rect{X: x, Y: at, W: 1, H: size}, glyph.RightHalf, theme.Muted)
}

// Select lights a row that was drawn before: its ground, and a bar in the
// column bar. style is theme.Focus for where the learner is, and theme.Right
// or theme.Lost for an answer that was judged.
func Select(r canvas.Region, row geom.Rect, bar int, style theme.Style) {
	r.Wash(row, theme.Selected)
	r.Put(bar, row.Y, string(glyph.LeftHalf), style|theme.Selected)
}
