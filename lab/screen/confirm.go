package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
)

// Confirm asks before something is lost.
type Confirm struct {
	sheet
	question, yes, no string
	then              []Action
}

// NewConfirm makes a question: yes names what the key y does, and no what it is
// to stay.
func NewConfirm(question, yes, no string, then ...Action) *Confirm {
	return &Confirm{question: question, yes: yes, no: no, then: then}
}

// Commands are the two answers.
func (s *Confirm) Commands() Commands {
	var cs Commands
	cs.add(groupEverywhere, "y", s.yes, always(append(act(Close{}), s.then...)...))
	cs.add(groupEverywhere, "n", s.no, always(Close{}), "n", "esc", "q", "enter")
	return cs
}

// Other has no keys: nothing happens by accident.
func (s *Confirm) Other(tea.KeyMsg) []Action { return nil }

// Draw draws the question at the foot of the body.
func (s *Confirm) Draw(r canvas.Region) {
	lines := canvas.T(s.question, theme.Name).Wrap(r.W() - 4)
	strip(r, "", len(lines)+2).PutLines(1, 1, lines)
	drawKeys(r, s.Commands())
}
