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

// Review is what is due today, what is due next, and where the checks and the
// misconceptions of a learner stand. From here the checks are asked.
type Review struct {
	env    *Env
	scroll widget.Scroll
	count  int
	height int
	keys   hotspots
}

// practiceSize is how many checks one extra practice asks at most.
const practiceSize = 8

// NewReview makes the page.
func NewReview(env *Env) *Review { return &Review{env: env} }

func (s *Review) due() int { return s.env.Course.Count(s.env.Progress, s.env.Now()).Due }

// begin asks what is due now, mixed, each check with fresh numbers.
func (s *Review) begin() []Action {
	r := &round{env: s.env, title: "Review", back: s.anew, backWord: "review"}
	return enterRound(newRound(r, s.env.Course.Review(s.env.Progress, s.env.Now())))
}

func (s *Review) anew() Screen { return NewReview(s.env) }

// practice asks checks ahead of their day.
func (s *Review) practice() []Action {
	r := &round{env: s.env, title: "Practice", practice: true, back: s.anew, backWord: "review"}
	return enterRound(newRound(r, s.env.Course.Practice(s.env.Progress, s.env.Now(), practiceSize)))
}

func (s *Review) canPractise() int {
	return len(s.env.Course.Practice(s.env.Progress, s.env.Now(), practiceSize))
}

// Commands begin, practise, and look at the misconceptions.
func (s *Review) Commands() Commands {
	var cs Commands
	if s.due() > 0 {
		cs.add(groupLearn, "enter", "begin", s.begin)
	}
	if s.canPractise() > 0 {
		cs.add(groupLearn, "p", "extra practice", s.practice)
	}
	if n := len(s.env.Beliefs()); n > 0 {
		cs.add(groupLearn, "m", "misconceptions", func() []Action { return act(Replace{NewBeliefs(s.env, s.anew)}) })
	}
	if s.count > s.height {
		cs.add(groupMove, "↑↓", "scroll", nil)
	}
	s.ending(&cs)
	return cs
}

// ending lists the keys that are the same on all pages of the review.
func (s *Review) ending(cs *Commands) {
	cs.add(groupEverywhere, "esc", "course map", always(GoHome{}))
	cs.add(groupEverywhere, "/", "search", func() []Action { return act(Show{NewSearch(s.env)}) })
	cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	cs.add(groupEverywhere, "q", "quit", always(Quit{}))
}

// Field is nil: nothing is typed here.
func (s *Review) Field() Field { return nil }

// Other scrolls.
func (s *Review) Other(k tea.KeyMsg) []Action {
	s.scroll.Key(k, max(s.height, 1), s.count)
	return nil
}

// Click presses the key that is shown in a row.
func (s *Review) Click(_, y int) []Action { return s.keys.click(s, y) }

// reviewLeft is the width of the left column at 100 columns.
const reviewLeft = 54

// Draw draws the page: beside each other what is due and where all stands, in a
// narrow terminal one below the other.
func (s *Review) Draw(r canvas.Region) {
	plan := geom.Plan{}
	if r.W() >= geom.TwoColumns {
		plan.Left = reviewLeft
	}
	l := geom.Arrange(r.W(), r.H(), plan)
	s.keys = hotspots{}
	if plan.Left == 0 {
		t := &text{}
		width := min(l.Shows.W-6, textWidth)
		s.sayDue(t, width)
		s.sayStanding(t, width)
		s.put(r.Sub(l.Inner(l.Shows).Pad(2, 0, 0, 0)), t)
	} else {
		s.drawColumns(r, l)
	}
	// Last, as the keys depend on what there is to scroll.
	widget.Frame{Title: canvas.T("Review", theme.Name), Status: s.status(), Keys: s.Commands().Line()}.Draw(r, l)
}

func (s *Review) drawColumns(r canvas.Region, l geom.Layout) {
	left, right := &text{}, &text{}
	s.sayDue(left, l.Says.W-5)
	s.sayStanding(right, min(l.Shows.W-4, textWidth))
	part := r.Sub(l.Inner(l.Shows).Pad(1, 0, 0, 0))
	right.draw(part, 0)
	s.put(r.Sub(l.Inner(l.Says).Pad(1, 0, 0, 0)), left)
}

// put draws the text that scrolls.
func (s *Review) put(r canvas.Region, t *text) {
	s.count, s.height = t.rows(), r.H()
	from, to := s.scroll.Show(s.height, s.count)
	t.draw(r, from)
	widget.ScrollMark(r, r.W()-1, from, to, s.count)
}

func (s *Review) status() canvas.Line {
	line := canvas.T("due today ", theme.Label).Add(fmt.Sprint(s.due()), theme.Due|theme.Bold)
	if next := s.next(); next != nil {
		line = line.Add("   next ", theme.Label).Add(next.Date.Format(dateForm), theme.Text)
	}
	return line
}

// next is the next day on which something is due, nil for none.
func (s *Review) next() *lessons.DueDay {
	days := s.env.Course.Ahead(s.env.Progress, s.env.Now())
	if len(days) == 0 {
		return nil
	}
	return &days[0]
}
