package geom

// The smallest terminal in which the lab works in full, and the widths from
// which two columns and then a second panel stand beside each other.
const (
	MinWidth, MinHeight = 80, 24
	TwoColumns          = 100
	ThreeColumns        = 140
)

// Page tells which of two columns is seen where there is room for one only.
type Page int

const (
	// PageSays is the left column: prose, question, list.
	PageSays Page = iota
	// PageShows is the right column: the panel.
	PageShows
)

// Plan is what a screen wants to place in its body.
type Plan struct {
	// Left is the width of the left column at 100 columns, which is where its
	// rule stands. 0: the body is not divided.
	Left int
	// Aside asks for a second panel where the terminal is wide enough.
	Aside bool
	// SaysRows and ShowsRows are the rows the two columns need in a narrow
	// terminal, at its full width less a cell at each edge. If they fit, they
	// stand one above the other, else one is seen at a time.
	SaysRows, ShowsRows int
	// Page is the column that is seen when only one is.
	Page Page
}

// Rule is a line across the screen, of Len cells from X, Y on. Where rules
// meet, they share a cell.
type Rule struct {
	X, Y, Len int
	Vertical  bool
}

// Layout is where everything stands on one screen: a title line, a body
// between two rules, and the key line. The rectangles reach from rule to rule;
// Inner leaves the margins out. A column that is not seen is empty.
type Layout struct {
	W, H               int
	Small              bool // smaller than MinWidth x MinHeight: nothing is placed
	Paged              bool // Says and Shows take turns: Plan.Page chose one
	Title, Keys        Rect
	Says, Shows, Aside Rect
	Rules              []Rule
}

// Arrange places a plan on a terminal of w x h cells.
func Arrange(w, h int, p Plan) Layout {
	l := Layout{W: max(w, 0), H: max(h, 0)}
	if w < MinWidth || h < MinHeight {
		l.Small = true
		return l
	}
	all := Size(w, h)
	l.Title, all = all.Top(1)
	l.Keys, all = all.Bottom(1)
	top, body := all.Top(1)
	bottom, body := body.Bottom(1)
	l.Rules = []Rule{{X: 0, Y: top.Y, Len: w}, {X: 0, Y: bottom.Y, Len: w}}
	switch {
	case p.Left <= 0:
		l.Shows = body
		if p.Aside && w >= ThreeColumns {
			l.Shows, l.Aside = l.divide(body, w-TwoColumns*2/5)
		}
	case w >= ThreeColumns && p.Aside:
		says, rest := l.divide(body, widen(p.Left, w-ThreeColumns))
		l.Says = says
		l.Shows, l.Aside = l.divide(rest, max(TwoColumns-p.Left-1, rest.W*3/5))
	case w >= TwoColumns:
		l.Says, l.Shows = l.divide(body, widen(p.Left, w-TwoColumns))
	default:
		l.stack(body, p)
	}
	return l
}

// widen gives an eighth of what a terminal is wider to its left column, and
// ten cells at most: longer lines of prose are harder to read, not easier.
func widen(left, wider int) int { return left + min(wider/8, 10) }

// divide puts a vertical rule after n columns of r.
func (l *Layout) divide(r Rect, n int) (left, right Rect) {
	left, right = r.Left(n)
	_, right = right.Left(1)
	l.Rules = append(l.Rules, Rule{X: left.X + left.W, Y: r.Y - 1, Len: r.H + 2, Vertical: true})
	return left, right
}

// stack places two columns in a narrow terminal: one above the other with a
// rule between them, or one of the two.
func (l *Layout) stack(body Rect, p Plan) {
	if p.SaysRows+1+p.ShowsRows <= body.H {
		says, rest := body.Top(p.SaysRows)
		rule, shows := rest.Top(1)
		l.Says, l.Shows = says, shows
		l.Rules = append(l.Rules, Rule{X: 0, Y: rule.Y, Len: body.W})
		return
	}
	l.Paged = true
	if p.Page == PageShows {
		l.Shows = body
	} else {
		l.Says = body
	}
}

// Roomy is the height from which the body has an empty row below its upper
// rule.
const Roomy = 28

// Inner is the part of one of l's columns in which text stands: a cell of
// margin at the left and right, and an empty row above where there is room.
func (l Layout) Inner(column Rect) Rect {
	if l.H >= Roomy {
		return column.Pad(1, 1, 1, 0)
	}
	return column.Pad(1, 0, 1, 0)
}
