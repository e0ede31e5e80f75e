package screen

import (
	"github.com/charmbracelet/bubbles/key"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// hotspots are the rows of the terminal in which a key is shown: a click there
// is that key.
type hotspots map[int]key.Binding

// button adds a key, raised, with what it does.
func (h hotspots) button(t *text, name, words string) {
	b := keys.Bind(name, words)
	t.over(func(r canvas.Region, y int) {
		_, row := r.Screen(0, y)
		h[row] = b
		widget.Button(r.Pen(0, y), b)
	})
}

// hint adds a key with what it does, some cells in.
func (h hotspots) hint(t *text, x int, name, words string) {
	b := keys.Bind(name, words)
	t.over(func(r canvas.Region, y int) {
		_, row := r.Screen(0, y)
		h[row] = b
		widget.Hints(r.Pen(x, y), 0, b)
	})
}

// click does what the key of a row does, on its screen.
func (h hotspots) click(s Screen, y int) []Action {
	b, ok := h[y]
	if !ok {
		return nil
	}
	acts, _ := s.Commands().Perform(keyOf(b))
	return acts
}
