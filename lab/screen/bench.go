package screen

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// bench is what the screens have in common on which the learner acts on a world:
// words at the left, the cluster at the right.
type bench struct {
	env   *Env
	world *world
	side  geom.Page // which of two columns is seen where there is room for one
	head  widget.Scroll
	words func(width int) *column
	alone bool // the words are all there is to see
}

// seen tells whether there is a cluster to see beside the words.
func (b *bench) seen() bool { return b.world.begun() && !b.alone }

// plan gives the words the whole body until there is a cluster to see.
func (b *bench) plan(w, h int) geom.Plan {
	if !b.seen() {
		return geom.Plan{}
	}
	p := besidePlan(w, h, func(width int) int { return b.words(width).rows() })
	p.Page = b.side
	return p
}

func (b *bench) layout() geom.Layout { return geom.Arrange(b.env.W, b.env.H, b.plan(b.env.W, b.env.H)) }

func (b *bench) paged() bool { return b.layout().Paged }

// panel is the stage whose panel has the keyboard: the one that is seen.
func (b *bench) panel() *stage {
	if !b.seen() || b.paged() && b.side == geom.PageSays {
		return nil
	}
	return b.world.stage
}

// typing lists the panel's keys and nothing else, while text is typed in it; and
// the key that shuts what is open in it.
func (b *bench) typing(cs *Commands) bool {
	st := b.panel()
	if st == nil {
		return false
	}
	if !st.typing() {
		st.shutCommand(cs, b.world.perform)
		return false
	}
	st.commands(cs, b.world.perform)
	return true
}

// tabs lists the key that goes to the other column where there is room for one,
// else to the next panel.
func (b *bench) tabs(cs *Commands) {
	if !b.seen() {
		return
	}
	switch {
	case b.paged() && b.side == geom.PageSays:
		cs.add(groupMove, "tab", "panel", func() []Action { b.side = geom.PageShows; return nil })
	case b.paged():
		cs.add(groupMove, "tab", "text", func() []Action { b.side = geom.PageSays; return nil })
	case len(b.world.stage.lenses) > 1:
		cs.quiet(groupLook, "tab", "next panel", func() []Action { b.world.stage.turn(1); return nil })
		cs.quiet(groupLook, "shift+tab", "panel before", func() []Action { b.world.stage.turn(-1); return nil })
	}
}

// everywhere lists the keys that work on every screen.
func (b *bench) everywhere(cs *Commands) {
	cs.quiet(groupEverywhere, "esc", "course map", always(GoHome{}))
	cs.add(groupEverywhere, ":", "console", func() []Action { return act(Show{b.world.shell}) })
	cs.add(groupEverywhere, "/", "search", func() []Action { return act(Show{NewSearch(b.env)}) })
	cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	cs.add(groupEverywhere, "q", "quit", always(Quit{}))
	if st := b.panel(); st != nil {
		st.commands(cs, b.world.perform)
		if st.nested() {
			*cs = cs.panelFirst()
		}
	}
}

// Field is the panel's field for text while one is open.
func (b *bench) Field() Field {
	if st := b.panel(); st != nil && st.typing() {
		return &panelField{st, b.world.perform}
	}
	return nil
}

// Other gives the panel what is left, and then the words.
func (b *bench) Other(k tea.KeyMsg) []Action {
	if st := b.panel(); st != nil {
		if acts, mine := st.key(k, b.world.perform); mine {
			return acts
		}
	}
	b.scroll(k)
	return nil
}

func (b *bench) scroll(k tea.KeyMsg) {
	l := b.layout()
	part := l.Inner(l.Says)
	if !b.seen() {
		part = l.Inner(l.Shows)
	}
	if c := b.words(part.W); c.overflows(part.H) {
		b.head.Key(k, max(part.H/2, 1), len(c.head))
	}
}

// Click does the action that the words list in a row, and gives the panel one on
// its rows.
func (b *bench) Click(x, y int) []Action {
	l := b.layout()
	switch st := b.panel(); {
	case b.seen() && l.Says.Contains(x, y):
		return append(b.world.deck.click(y), b.world.visit.click(y)...)
	case st != nil && (l.Shows.Contains(x, y) || l.Aside.Contains(x, y)):
		return st.click(x, y, l.Aside.Contains(x, y), b.world.perform)
	}
	return nil
}

// Wheel scrolls what the pointer is on: the words, or the panel.
func (b *bench) Wheel(x, y int, k tea.KeyMsg) []Action {
	l := b.layout()
	if st := b.panel(); st != nil && !l.Says.Contains(x, y) {
		return st.wheel(k, l.Aside.Contains(x, y), b.world.perform)
	}
	b.scroll(k)
	return nil
}

// draw draws the screen in its frame.
func (b *bench) draw(r canvas.Region, title canvas.Line, cs Commands) {
	l := geom.Arrange(r.W(), r.H(), b.plan(r.W(), r.H()))
	frame := widget.Frame{Title: title, Keys: cs.Line()}
	if b.seen() {
		frame.Status = b.world.visit.clock(b.world.stage.clock())
	}
	frame.Draw(r, l)
	if !b.seen() {
		part := l.Inner(l.Shows).Pad(2, 0, 0, 0)
		part.W = min(part.W, textWidth)
		b.words(part.W-1).draw(r.Sub(part), &b.head)
		return
	}
	if !l.Says.Empty() {
		says := l.Inner(l.Says)
		says.W++ // the margin, where a text that scrolls has its mark
		b.words(says.W-1).draw(r.Sub(says), &b.head)
	}
	if !l.Shows.Empty() {
		b.world.stage.draw(r.Sub(l.Inner(l.Shows)))
	}
	if !l.Aside.Empty() {
		b.world.stage.drawAside(r.Sub(l.Inner(l.Aside)))
	}
}

// clockRoom is what the time and the margins take of the title line.
const clockRoom = 18

// titleAt is a title with the place in the past behind it.
func (b *bench) titleAt(title string, kind canvas.Line) canvas.Line {
	if at := b.world.travel.place(); len(at) > 0 {
		if len(kind) > 0 {
			kind = kind.Add("   ", theme.Label)
		}
		kind = append(kind, at...)
	}
	return titled(title, kind, b.env.W-clockRoom)
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
