package screen

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

// Lesson is a lesson that is open: its pages, of which one is seen.
type Lesson struct {
	env    *Env
	lesson *lessons.Lesson
	walk   *walk // of the pages Read and Step
	pages  []page
	at     int
	round  *round    // it is no lesson, but checks of several; nil for a lesson
	side   geom.Page // which of two columns is seen where there is room for one
}

// page is one page of a lesson: what it says at the left, and the cluster that
// stands at the right.
type page interface {
	name() Page
	// enter is called whenever the learner comes to the page.
	enter() []Action
	// place is where on the page the learner is, beside the lesson's title,
	// status what stands at the right of the title line.
	place() canvas.Line
	status() canvas.Line
	// commands are the keys that go on, look those that look closer.
	commands() Commands
	look(cs *Commands)
	field() Field
	// opens tells whether a letter is a command although a field is open.
	opens(letter rune) bool
	// stage is the cluster that is seen, nil for none; perform does what a
	// panel of it asks for.
	stage() *stage
	perform(a panel.Action) []Action
	// console is the console of that cluster, nil for none.
	console() *Console
	plan(w, h int) geom.Plan
	says(r canvas.Region)
	// scroll moves what the page says, in a column of w x h cells.
	scroll(k tea.KeyMsg, w, h int)
	// click is a click on a row of the terminal, in what the page says.
	click(y int) []Action
	// half tells whether something is begun that would be lost.
	half() bool
}

// NewLesson opens a lesson at a page, at a step if that is the page's.
func NewLesson(env *Env, l *lessons.Lesson, at Page, step int) *Lesson {
	s := &Lesson{env: env, lesson: l}
	w := newWalk(env, l)
	s.pages = append(s.pages, &readPage{onWalk: onWalk{flow: s, walk: w}})
	if len(l.Steps) > 0 {
		s.pages = append(s.pages, &stepPage{onWalk: onWalk{flow: s, walk: w}})
	}
	if l.Live != nil {
		s.pages = append(s.pages, &livePage{onWalk: onWalk{flow: s}})
	}
	if len(l.Checks) > 0 {
		s.pages = append(s.pages, newCheckPage(s))
	}
	if w.err == nil && step > 1 {
		w.goTo(min(step, len(l.Steps)))
	}
	s.walk = w
	s.at = max(s.find(at), 0)
	return s
}

func (s *Lesson) find(p Page) int {
	return slices.IndexFunc(s.pages, func(q page) bool { return q.name() == p })
}

func (s *Lesson) page() page { return s.pages[s.at] }

// Enter is called once the lesson is on the screen.
func (s *Lesson) Enter() []Action { return s.page().enter() }

// to goes to a page; one that the lesson does not have is no page to go to.
func (s *Lesson) to(p Page) []Action {
	i := s.find(p)
	if i < 0 {
		return nil
	}
	s.at, s.side = i, geom.PageSays
	return s.page().enter()
}

// after is the page behind one, empty behind the last.
func (s *Lesson) after(p Page) Page {
	if i := s.find(p); i >= 0 && i+1 < len(s.pages) {
		return s.pages[i+1].name()
	}
	return ""
}

// onward goes to the page behind this one, and from the last one to what comes
// after the lesson.
func (s *Lesson) onward() []Action {
	if s.round != nil {
		return s.round.end()
	}
	if next := s.after(s.page().name()); next != "" {
		return s.to(next)
	}
	return act(Replace{NewNext(s.env, s.lesson)})
}

// layout is where the page's columns stand.
func (s *Lesson) layout(w, h int) geom.Layout {
	plan := s.page().plan(w, h)
	plan.Page = s.side
	return geom.Arrange(w, h, plan)
}

// paged tells whether the two columns take turns.
func (s *Lesson) paged() bool { return s.layout(s.env.W, s.env.H).Paged }

// panel is the stage whose panel has the keyboard: the one that is seen.
func (s *Lesson) panel() *stage {
	if s.paged() && s.side == geom.PageSays {
		return nil
	}
	return s.page().stage()
}

// Field is the panel's field for text while one is open, else the page's.
func (s *Lesson) Field() Field {
	if st := s.panel(); st != nil && st.typing() {
		return &panelField{st, s.page().perform}
	}
	return s.page().field()
}

// Other gives the panel what is left, and then the text at the left.
func (s *Lesson) Other(k tea.KeyMsg) []Action {
	if st := s.panel(); st != nil {
		if acts, mine := st.key(k, s.page().perform); mine {
			return acts
		}
	}
	text := s.textRect()
	s.page().scroll(k, text.W, text.H)
	return nil
}

// textRect is where the page's text stands.
func (s *Lesson) textRect() geom.Rect {
	l := s.layout(s.env.W, s.env.H)
	if s.page().stage() == nil {
		return l.Inner(l.Shows)
	}
	return l.Inner(l.Says)
}

// Click gives the page a click on what it says, and the panel one on its rows.
func (s *Lesson) Click(x, y int) []Action {
	l := s.layout(s.env.W, s.env.H)
	switch st := s.panel(); {
	case s.textRect().Contains(x, y):
		return s.page().click(y)
	case st != nil && (l.Shows.Contains(x, y) || l.Aside.Contains(x, y)):
		return st.click(x, y, l.Aside.Contains(x, y), s.page().perform)
	}
	return nil
}

// Wheel scrolls what the pointer is on: the text, or the panel.
func (s *Lesson) Wheel(x, y int, k tea.KeyMsg) []Action {
	if text := s.textRect(); text.Contains(x, y) {
		s.page().scroll(k, text.W, text.H)
		return nil
	}
	if st := s.panel(); st != nil {
		return st.wheel(k, s.layout(s.env.W, s.env.H).Aside.Contains(x, y), s.page().perform)
	}
	return nil
}

// Draw draws the page in its frame.
func (s *Lesson) Draw(r canvas.Region) {
	l := s.layout(r.W(), r.H())
	p := s.page()
	status := p.status()
	title := titled(s.lesson.Title, p.place(), r.W()-4-status.Width())
	widget.Frame{Title: title, Status: status, Keys: s.Commands().Line()}.Draw(r, l)
	st := p.stage()
	if st == nil {
		p.says(r.Sub(l.Inner(l.Shows)))
		return
	}
	if !l.Says.Empty() {
		says := l.Inner(l.Says)
		says.W++ // the margin, where a text that scrolls has its mark
		p.says(r.Sub(says))
	}
	if !l.Shows.Empty() {
		st.draw(r.Sub(l.Inner(l.Shows)))
	}
	if !l.Aside.Empty() {
		st.drawAside(r.Sub(l.Inner(l.Aside)))
	}
}

// GoTo goes to a place of the lesson, and keeps what was done in it.
func (s *Lesson) GoTo(o OpenLesson) []Action {
	if o.Page == "" {
		return nil
	}
	if o.Page == Step && s.walk.err == nil {
		s.walk.goTo(max(o.Step, 1))
	}
	acts := s.to(o.Page)
	if p, ok := s.page().(*checkPage); ok && o.Check != "" {
		p.choose(o.Check)
		p.item().ask()
	}
	return acts
}

// watching tells that nothing is asked, but a script is looked at.
func (s *Lesson) watching() bool { return s.round != nil && s.round.watch }

// away is where esc goes, and what that is called.
func (s *Lesson) away() (word string, to Action) {
	if s.round != nil {
		return s.round.backWord, Do{s.round.leave}
	}
	return "course map", GoHome{}
}

// Is tells whether this is a lesson by its id.
func (s *Lesson) Is(id string) bool { return s.round == nil && s.lesson.ID == id }

// leastTitle is what is left of a title, where there is little room.
const leastTitle = 12

// titled is a title with the place behind it, in some cells: of the two it is
// the title that is cut.
func titled(title string, place canvas.Line, room int) canvas.Line {
	if len(place) == 0 {
		return canvas.T(title, theme.Name)
	}
	room = max(room-3-place.Width(), leastTitle)
	return append(canvas.T(cell.Truncate(title, room), theme.Name).Add("   ", theme.Text), place...)
}

// isAt writes down where the learner is. The step is kept on every page: the
// steps go on there.
func (s *Lesson) isAt(p Page) []Action {
	if s.round != nil {
		return nil
	}
	step := 0
	if s.walk.err == nil && s.walk.cursor.Step() != nil {
		step = s.walk.cursor.Number()
	}
	return act(IsAt{Lesson: s.lesson.ID, Page: p, Step: step})
}

// clock is the virtual time as the title line shows it.
func clock(ms int64) canvas.Line {
	return canvas.T("t ", theme.Label).Add(cell.Clock(ms), theme.Text)
}

// OpenAt opens a lesson where an action says, or where the learner left it.
func OpenAt(env *Env, l *lessons.Lesson, o OpenLesson) *Lesson {
	if o.Page == "" {
		at, _ := resume(env.Progress, l)
		return NewLesson(env, l, at.page, at.step)
	}
	s := NewLesson(env, l, o.Page, o.Step)
	if p, ok := s.page().(*checkPage); ok && o.Check != "" {
		p.choose(o.Check)
	}
	return s
}
