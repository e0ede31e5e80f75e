package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/widget"
)

// Keys is the sheet of all keys of a screen, in pages.
type Keys struct {
	sheet
	env  *Env
	help widget.Help
	page int
}

// NewKeys makes the sheet of a screen's commands.
func NewKeys(env *Env, cs Commands) *Keys { return &Keys{env: env, help: cs.Sheet()} }

// size is the room that the sheet has.
func (s *Keys) size() (w, h int) {
	at := sheetRect(s.env.W, s.env.H)
	return at.W, at.H
}

// Commands are the keys of the sheet itself.
func (s *Keys) Commands() Commands {
	var cs Commands
	if pages := s.help.Pages(s.size()); pages > 1 {
		cs.line("←→", "page")
		cs.quiet(groupMove, "→", "next page", s.turn(1), "right", "l", "tab", " ", "pgdown", "down", "j")
		cs.quiet(groupMove, "←", "page before", s.turn(-1), "left", "h", "shift+tab", "pgup", "up", "k")
	}
	closing(&cs, "?")
	return cs
}

func (s *Keys) turn(by int) func() []Action {
	return func() []Action {
		pages := s.help.Pages(s.size())
		s.page = (s.page + by + pages) % pages
		return nil
	}
}

// Other has no keys.
func (s *Keys) Other(tea.KeyMsg) []Action { return nil }

// Draw draws the page that one is at.
func (s *Keys) Draw(r canvas.Region) {
	inner := cover(r, "Keys")
	s.page = max(0, min(s.page, s.help.Pages(inner.W(), inner.H())-1))
	s.help.Draw(inner, s.page)
	drawKeys(r, s.Commands())
}
