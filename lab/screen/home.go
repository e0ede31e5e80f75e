package screen

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
)

// homeLeft is the width of the course map at 100 columns.
const homeLeft = 58

// Home is the course map: sections that fold, the lessons in them, and at the
// right what there is to know of the one that the learner is at.
type Home struct {
	env    *Env
	rows   []mapRow
	opened []bool // by section
	list   widget.List
	about  about
	shell  *Console
	sand   *Sandbox

	incidents *Drills
	top       int // row of the terminal where the first row stands
	from      int
}

// mapRow is a section, or a lesson in one.
type mapRow struct {
	section int
	lesson  *lessons.Lesson // nil for a section
}

// NewHome makes the map. The section of the lesson that was left last is open,
// and that lesson selected; at first, the first one.
func NewHome(env *Env) *Home {
	h := &Home{env: env, opened: make([]bool, len(env.Course.Sections))}
	last, _, _ := env.Progress.LastLesson()
	if _, ok := env.Course.Lesson(last); !ok {
		last = ""
		for _, l := range env.Course.Lessons()[:min(1, len(env.Course.Lessons()))] {
			last = l.ID
		}
	}
	h.Select(last)
	return h
}

// Select opens the section of a lesson and selects it.
func (h *Home) Select(id string) {
	for i, s := range h.env.Course.Sections {
		for _, l := range s.Lessons {
			if l.ID == id {
				h.opened[i] = true
			}
		}
	}
	h.layRows()
	for i, r := range h.rows {
		if r.lesson != nil && r.lesson.ID == id {
			h.list.Selected = i
		}
	}
}

func (h *Home) layRows() {
	h.rows = h.rows[:0]
	for i, s := range h.env.Course.Sections {
		h.rows = append(h.rows, mapRow{section: i})
		if !h.opened[i] {
			continue
		}
		for _, l := range s.Lessons {
			h.rows = append(h.rows, mapRow{section: i, lesson: l})
		}
	}
	h.list.Selected = max(0, min(h.list.Selected, len(h.rows)-1))
}

// row is the one that the learner is at; a course without sections has none.
func (h *Home) row() (mapRow, bool) {
	if len(h.rows) == 0 {
		return mapRow{}, false
	}
	return h.rows[h.list.Selected], true
}

// Commands open, fold, and go on where one was.
func (h *Home) Commands() Commands {
	var cs Commands
	row, ok := h.row()
	if ok {
		cs.add(groupMove, "↑↓", "move", nil)
		if row.lesson == nil {
			cs.add(groupMove, "enter", h.foldWord(row.section), h.enter, "enter", " ")
		} else {
			cs.add(groupLearn, "enter", "open", h.enter)
		}
	}
	if id, at, ok := h.last(); ok {
		cs.add(groupLearn, "c", "continue", always(OpenLesson{ID: id, Page: at.page, Step: at.step}))
	}
	if ok {
		if row.lesson != nil {
			cs.quiet(groupMove, "space", "fold", h.fold(row.section), " ")
		}
		cs.quiet(groupMove, "→", "unfold", h.unfold(row), "right", "l")
		cs.quiet(groupMove, "←", "fold", h.foldUp(row), "left", "h")
	}
	h.reviewCommands(&cs)
	cs.add(groupLearn, "s", "sandbox", h.sandbox)
	if len(h.env.Course.Drills) > 0 {
		cs.add(groupLearn, "d", "drills", h.drills)
	}
	cs.add(groupEverywhere, "/", "search", func() []Action { return act(Show{NewSearch(h.env)}) })
	cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	cs.add(groupEverywhere, "q", "quit", always(Quit{}))
	cs.add(groupEverywhere, ":", "console", h.console)
	return cs
}

func (h *Home) foldWord(section int) string {
	if h.opened[section] {
		return "fold"
	}
	return "unfold"
}

// last is the lesson that was left last, and where it goes on.
func (h *Home) last() (id string, at place, ok bool) {
	id, _, ok = h.env.Progress.LastLesson()
	l, known := h.env.Course.Lesson(id)
	if !ok || !known {
		return "", place{}, false
	}
	at, ok = resume(h.env.Progress, l)
	return id, at, ok
}

func (h *Home) enter() []Action {
	row, _ := h.row()
	if row.lesson == nil {
		return h.fold(row.section)()
	}
	return act(OpenLesson{ID: row.lesson.ID})
}

// fold opens a section or closes it; the learner then stands on it.
func (h *Home) fold(section int) func() []Action {
	return func() []Action {
		h.opened[section] = !h.opened[section]
		h.layRows()
		h.list.Selected = h.sectionRow(section)
		return nil
	}
}

func (h *Home) sectionRow(section int) int {
	for i, r := range h.rows {
		if r.section == section {
			return i
		}
	}
	return 0
}

// unfold opens a section; in one that is open it goes to its first lesson.
func (h *Home) unfold(row mapRow) func() []Action {
	return func() []Action {
		if !h.opened[row.section] {
			return h.fold(row.section)()
		}
		if row.lesson == nil && len(h.env.Course.Sections[row.section].Lessons) > 0 {
			h.list.Selected++
		}
		return nil
	}
}

// foldUp goes from a lesson to its section, and folds the section there.
func (h *Home) foldUp(row mapRow) func() []Action {
	return func() []Action {
		if row.lesson == nil && h.opened[row.section] {
			return h.fold(row.section)()
		}
		h.list.Selected = h.sectionRow(row.section)
		return nil
	}
}

// reviewCommands open the review, which is told of once there is something to
// review, and the misconceptions.
func (h *Home) reviewCommands(cs *Commands) {
	review := func() []Action { return act(Replace{NewReview(h.env)}) }
	switch due := h.env.Course.Count(h.env.Progress, h.env.Now()).Due; {
	case due > 0:
		cs.add(groupLearn, "r", fmt.Sprintf("review %d", due), review)
	case len(h.env.Progress.Scheduled()) > 0:
		cs.add(groupLearn, "r", "review", review)
	default:
		cs.quiet(groupLearn, "r", "review", review)
	}
	if len(h.env.Beliefs()) > 0 {
		cs.quiet(groupLearn, "m", "misconceptions", func() []Action { return act(Replace{NewBeliefs(h.env, func() Screen { return h })}) })
	}
}

// sandbox opens the sandbox as it was left.
func (h *Home) sandbox() []Action {
	if h.sand == nil {
		h.sand = NewSandbox(h.env)
	}
	return act(Replace{h.sand})
}

// drills opens the list of drills where it was left.
func (h *Home) drills() []Action {
	if h.incidents == nil {
		h.incidents = NewDrills(h.env)
	}
	return act(Replace{h.incidents})
}

// console opens the console of a cluster that belongs to no lesson.
func (h *Home) console() []Action {
	if h.shell == nil {
		h.shell = NewConsole(h.env.Open())
	}
	return act(Show{h.shell})
}

// Field is nil: nothing is typed on the map.
func (h *Home) Field() Field { return nil }

// Other moves in the map.
func (h *Home) Other(k tea.KeyMsg) []Action {
	h.list.Key(k, max(h.env.H-6, 1), len(h.rows))
	return nil
}

// Click selects a row; a click on the one that is selected opens it.
func (h *Home) Click(x, y int) []Action {
	l := geom.Arrange(h.env.W, h.env.H, h.plan(h.env.W, h.env.H))
	i := y - h.top + h.from
	if !l.Says.Contains(x, y) || y < h.top || i >= len(h.rows) {
		return nil
	}
	if i == h.list.Selected {
		return h.enter()
	}
	h.list.Selected = i
	return nil
}

// plan gives the map the room that is left of what is said below it, in a
// narrow terminal.
func (h *Home) plan(w, height int) geom.Plan {
	p := geom.Plan{Left: homeLeft}
	if w < geom.TwoColumns {
		body := height - 4
		section, lesson := h.lessonOrSection()
		p.ShowsRows = min(len(h.about.lines(h.env, section, lesson, w-2, true)), body/2)
		p.SaysRows = body - 1 - p.ShowsRows
	}
	return p
}

func (h *Home) lessonOrSection() (lessons.Section, *lessons.Lesson) {
	row, ok := h.row()
	if !ok {
		return lessons.Section{}, nil
	}
	return h.env.Course.Sections[row.section], row.lesson
}

// Draw draws the map and what there is to say of the row that one is at.
func (h *Home) Draw(r canvas.Region) {
	l := geom.Arrange(r.W(), r.H(), h.plan(r.W(), r.H()))
	widget.Frame{Title: canvas.T(h.env.Course.Title, theme.Name), Status: h.status(), Keys: h.Commands().Line()}.Draw(r, l)
	narrow := r.W() < geom.TwoColumns
	says, shows := l.Inner(l.Says), l.Inner(l.Shows).Pad(1, 0, 0, 0)
	if narrow {
		says, shows = l.Says.Pad(1, 0, 1, 0), l.Shows.Pad(1, 0, 1, 0)
	}
	says.X, says.W = l.Says.X, l.Says.W // a lit row begins at the edge
	h.drawMap(r.Sub(says))
	h.about.draw(r.Sub(shows), h.env, h.lessonOrSection, narrow)
}

func (h *Home) status() canvas.Line {
	n := h.env.Course.Count(h.env.Progress, h.env.Now())
	line := canvas.T("checks ", theme.Label).Add(fmt.Sprint(n.Cleared), theme.Name).Add(fmt.Sprintf("/%d", n.Checks), theme.Label)
	if n.Due > 0 {
		line = line.Add("   due today ", theme.Label).Add(fmt.Sprint(n.Due), theme.Due|theme.Bold)
	}
	return line
}
