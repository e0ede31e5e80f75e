// Package widget holds the parts that many screens draw. Each is a plain
// struct or function that draws into a region and returns; those that remember
// something (a selection, typed text) say which keys are theirs and leave the
// rest to their owner.
package widget

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

// Frame is what stands around every screen's body: the title line, the rules
// and the key line.
type Frame struct {
	Title  canvas.Line // where am I
	Status canvas.Line // at the right: progress, virtual time, speed
	Keys   KeyLine
}

// Draw draws the frame of a layout. On a terminal that is too small it says
// so, and nothing else is to be drawn.
func (f Frame) Draw(r canvas.Region, l geom.Layout) {
	if l.Small {
		r.Put(0, 0, fmt.Sprintf("needs %dx%d, this is %dx%d", geom.MinWidth, geom.MinHeight, l.W, l.H), theme.Text)
		return
	}
	for _, rule := range l.Rules {
		if rule.Vertical {
			r.VLine(rule.X, rule.Y, rule.Len, theme.Rule)
		} else {
			r.HLine(rule.X, rule.Y, rule.Len, theme.Rule)
		}
	}
	title := r.Sub(l.Title.Pad(1, 0, 1, 0))
	at := title.W() - f.Status.Width()
	title.PutLine(at, 0, f.Status)
	title.PutLine(0, 0, f.Title.Truncate(at-2))
	f.Keys.Draw(r.Sub(l.Keys.Pad(1, 0, 1, 0)))
}

// KeyAt is the binding of the key line at a cell of the screen: what a mouse
// click there means.
func (f Frame) KeyAt(l geom.Layout, x, y int) (key.Binding, bool) {
	line := l.Keys.Pad(1, 0, 1, 0)
	if !line.Contains(x, y) {
		return key.Binding{}, false
	}
	return f.Keys.At(line.W, x-line.X)
}
