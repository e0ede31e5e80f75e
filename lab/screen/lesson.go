package screen

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
)

// Lesson is a lesson that is open: its pages, of which one is seen.
type Lesson struct {
	env    *Env
	lesson *lessons.Lesson
	pages  []page
	at     int
	side   geom.Page // which of two columns is seen where there is room for one
}

// page is one page of a lesson. It draws the columns that its plan asks for,
// and nothing around them.
type page interface {
	name() Page
	// enter is called whenever the learner comes to the page.
	enter() []Action
	// place is where on the page the learner is, beside the lesson's title,
	// status what stands at the right of the title line.
	place() canvas.Line
	status() canvas.Line
	// commands are the keys that go on, look those that look closer, and
	// panelCommands those of the panel.
	commands() Commands
	look(cs *Commands)
	panelCommands(cs *Commands)
	field() Field
	other(k tea.KeyMsg) []Action
	plan(w, h int) geom.Plan
	says(r canvas.Region)
	shows(r canvas.Region)
	aside(r canvas.Region)
	// click is a click on a cell of the terminal, in one of the columns.
	click(column geom.Page, x, y int) []Action
	// half tells whether something is begun that would be lost.
	half() bool
}

// NewLesson opens a lesson at a page, at a step if that is the page's.
func NewLesson(env *Env, l *lessons.Lesson, at Page, step int) *Lesson {
	s := &Lesson{env: env, lesson: l}
	w := newWalk(env, l)
	s.pages = append(s.pages, &readPage{flow: s, walk: w})
	if len(l.Steps) > 0 {
		s.pages = append(s.pages, &stepPage{flow: s, walk: w})
	}
	if l.Live != nil {
		s.pages = append(s.pages, &livePage{flow: s})
	}
	if len(l.Checks) > 0 {
		s.pages = append(s.pages, newCheckPage(s))
	}
	if w.err == nil && at == Step {
		w.goTo(max(1, min(step, len(l.Steps))))
	}
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

// Commands are the page's keys, and those that are the same on all pages.
func (s *Lesson) Commands() Commands {
	cs := s.page().commands()
	s.tabs(&cs)
	s.page().look(&cs)
	typing := s.page().field() != nil
	cs.quiet(groupEverywhere, "esc", "course map", always(GoHome{}))
	if !typing || opens(s.page(), ':') {
		if sh := s.console(); sh != nil {
			cs.add(groupEverywhere, ":", "console", always(Show{sh}))
		}
	}
	if !typing || opens(s.page(), '?') {
		cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	}
	if !typing || opens(s.page(), 'q') {
		cs.add(groupEverywhere, "q", "quit", s.quit)
	}
	s.page().panelCommands(&cs)
	return cs
}

// opens tells whether a letter is a command although a field is open.
func opens(p page, letter rune) bool {
	o, ok := p.(interface{ opens(letter rune) bool })
	return ok && o.opens(letter)
}

// tabs lists the keys that go from column to column and from page to page.
func (s *Lesson) tabs(cs *Commands) {
	if s.paged() && s.side == geom.PageSays {
		cs.add(groupMove, "tab", "panel", func() []Action { s.side = geom.PageShows; return nil })
		cs.quiet(groupMove, "shift+tab", "page before", s.backward)
		return
	}
	next := s.pages[(s.at+1)%len(s.pages)].name()
	cs.add(groupMove, "tab", pageWord(next), func() []Action { return s.to(next) })
	if s.paged() {
		cs.quiet(groupMove, "shift+tab", "text", func() []Action { s.side = geom.PageSays; return nil })
		return
	}
	cs.quiet(groupMove, "shift+tab", "page before", s.backward)
}

func (s *Lesson) backward() []Action {
	return s.to(s.pages[(s.at+len(s.pages)-1)%len(s.pages)].name())
}

// pageWord is what a page is called on the key line.
func pageWord(p Page) string {
	if p == Check {
		return "checks"
	}
	return string(p)
}

// console is the console of the cluster that the page shows.
func (s *Lesson) console() *Console {
	if c, ok := s.page().(interface{ console() *Console }); ok {
		return c.console()
	}
	return nil
}

// quit ends the lab, and asks before if something half done would be lost.
func (s *Lesson) quit() []Action {
	if s.page().half() {
		return act(Show{NewConfirm("This check is half answered. What you chose is not kept.", "quit", "stay", Quit{})})
	}
	return act(Quit{})
}

// Field is the page's field for text.
func (s *Lesson) Field() Field { return s.page().field() }

// Other gives the page what is left.
func (s *Lesson) Other(k tea.KeyMsg) []Action { return s.page().other(k) }

// Click gives the page a click on one of its columns.
func (s *Lesson) Click(x, y int) []Action {
	l := s.layout(s.env.W, s.env.H)
	switch {
	case l.Says.Contains(x, y):
		return s.page().click(geom.PageSays, x, y)
	case l.Shows.Contains(x, y):
		return s.page().click(geom.PageShows, x, y)
	}
	return nil
}

// Draw draws the page in its frame.
func (s *Lesson) Draw(r canvas.Region) {
	l := s.layout(r.W(), r.H())
	p := s.page()
	title := canvas.T(s.lesson.Title, theme.Name)
	if place := p.place(); len(place) > 0 {
		title = append(title.Add("   ", theme.Text), place...)
	}
	widget.Frame{Title: title, Status: p.status(), Keys: s.Commands().Line()}.Draw(r, l)
	if !l.Says.Empty() {
		p.says(r.Sub(l.Inner(l.Says)))
	}
	if !l.Shows.Empty() {
		p.shows(r.Sub(l.Inner(l.Shows)))
	}
	if !l.Aside.Empty() {
		p.aside(r.Sub(l.Inner(l.Aside)))
	}
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
	return NewLesson(env, l, o.Page, o.Step)
}
