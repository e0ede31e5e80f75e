package lab

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/screen"
)

// mouse takes a click or a turn of the wheel. A click on the key line is that
// key; the wheel is the arrows.
func (a *App) mouse(m tea.MouseMsg) {
	if a.ending || a.small() || m.Action != tea.MouseActionPress {
		return
	}
	switch {
	case m.Button == tea.MouseButtonWheelUp:
		a.key(tea.KeyMsg{Type: tea.KeyUp})
	case m.Button == tea.MouseButtonWheelDown:
		a.key(tea.KeyMsg{Type: tea.KeyDown})
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
