package lab

import (
	"fmt"

	"kafkalab/lab/screen"
	"kafkalab/lessons"
)

// perform does what a screen asks for, in order.
func (a *App) perform(acts []screen.Action) {
	for _, act := range acts {
		if !a.route(act) {
			a.note(act)
		}
	}
}

// route changes what is on the screen; false for an action that is none of
// these.
func (a *App) route(act screen.Action) bool {
	switch act := act.(type) {
	case screen.OpenLesson:
		a.open(act)
	case screen.GoHome:
		a.goHome()
	case screen.Replace:
		a.base, a.sheets = act.Screen, nil
	case screen.Show:
		a.sheets = append(a.sheets, act.Sheet)
	case screen.ShowKeys:
		a.sheets = append(a.sheets, screen.NewKeys(a.env, a.top().Commands()))
	case screen.Call:
		act.Do()
	case screen.Do:
		a.perform(act.Do())
	case screen.Close:
		a.sheets = a.sheets[:max(0, len(a.sheets)-1)]
	case screen.Visiting:
		a.welcome(act.Visit)
	case screen.Quit:
		a.ending = true
	default:
		return false
	}
	return true
}

// open opens a lesson; one that the course does not have stays closed.
func (a *App) open(o screen.OpenLesson) {
	l, ok := a.env.Course.Lesson(o.ID)
	if !ok {
		return
	}
	if at, ok := a.base.(*screen.Lesson); ok && at.Is(o.ID) && o.Page != "" {
		a.sheets = nil
		a.perform(at.GoTo(o))
		return
	}
	s := screen.OpenAt(a.env, l, o)
	a.base, a.sheets = s, nil
	a.home.Select(o.ID)
	a.perform(s.Enter())
}

func (a *App) goHome() { a.base, a.sheets = a.home, nil }

// start opens the lesson that the command line names.
func (a *App) start(s Start) error {
	l, ok := a.env.Course.Lesson(s.Lesson)
	if !ok {
		return unknownLesson(a.env.Course, s.Lesson)
	}
	o := screen.OpenLesson{ID: s.Lesson}
	if s.Step != 0 {
		if s.Step < 1 || s.Step > len(l.Steps) {
			return fmt.Errorf("lesson %s has no step %d: it has %d", s.Lesson, s.Step, len(l.Steps))
		}
		o.Page, o.Step = screen.Step, s.Step
	}
	a.open(o)
	return nil
}

func unknownLesson(c *lessons.Course, id string) error {
	if near := c.NearestLesson(id); near != "" {
		return fmt.Errorf("there is no lesson %q; did you mean %s?", id, near)
	}
	return fmt.Errorf("there is no lesson %q", id)
}
