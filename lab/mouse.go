package lab

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/screen"
)

// wheeled is a screen with parts that scroll each for itself.
type wheeled interface {
	// Wheel is a turn of the wheel over a cell; the key is the arrow that it
	// stands for.
	Wheel(x, y int, k tea.KeyMsg) []screen.Action
}

// mouse takes a click or a turn of the wheel. A click on the key line is that
// key; the wheel moves what the pointer is on.
func (a *App) mouse(m tea.MouseMsg) {
	if a.ending || a.small() || m.Action != tea.MouseActionPress {
		return
	}
	switch {
	case m.Button == tea.MouseButtonWheelUp:
		a.wheel(m, tea.KeyMsg{Type: tea.KeyUp})
	case m.Button == tea.MouseButtonWheelDown:
		a.wheel(m, tea.KeyMsg{Type: tea.KeyDown})
	case m.Button == tea.MouseButtonLeft && m.Y == a.env.H-1:
		a.clickKey(m.X)
	case m.Button == tea.MouseButtonLeft:
		a.perform(a.top().Click(m.X, m.Y))
	}
}

// clickKey presses the first of the keys whose binding stands at a column of
// the key line.
func (a *App) clickKey(x int) {
	b, ok := a.top().Commands().Line().At(a.env.W-2, x-1)
	if !ok {
		return
	}
	a.perform(screen.PressBinding(a.top(), b))
}

// wheel gives a turn of the wheel to the part of the screen under the pointer;
// where there is one part only, it is an arrow.
func (a *App) wheel(m tea.MouseMsg, k tea.KeyMsg) {
	if s, ok := a.top().(wheeled); ok {
		a.perform(s.Wheel(m.X, m.Y, k))
		return
	}
	a.key(k)
}
