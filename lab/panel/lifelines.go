package panel

import (
	"slices"
	"strconv"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// lifelines are the columns of the diagram.
type lifelines struct {
	nodes []string
	x     []int
	w     int // cells between two of them
}

// leastGap is how close lifelines may stand: an arrow between them still has
// room for a few letters.
const leastGap = 10

// layLifelines places the nodes between two columns; ok is false if they do
// not fit.
func layLifelines(nodes []string, from, to int) (l lifelines, ok bool) {
	l = lifelines{nodes: nodes, w: (to - from) / max(1, len(nodes))}
	if len(nodes) == 0 || l.w < leastGap {
		return l, false
	}
	l.w = min(l.w, 30)
	for i := range nodes {
		l.x = append(l.x, from+l.w/2+i*l.w)
	}
	return l, true
}

func (l lifelines) column(node string) int {
	if i := slices.Index(l.nodes, node); i >= 0 {
		return l.x[i]
	}
	return l.x[0]
}

// arrow draws a message from its sender's lifeline to the receiver's: a whole
// line for a request, dots for an answer; one that has not arrived is open. What
// it says stands on it if there is room.
func (l lifelines) arrow(r canvas.Region, y int, msg trace.Message, says string, arrived bool) {
	from, to := l.column(msg.From), l.column(msg.To)
	left, right := min(from, to), max(from, to)
	sign, style, text := rune(glyph.Horizontal), theme.Label, theme.Text
	if msg.Response {
		sign, text = glyph.Dot, theme.Label
	}
	if !arrived {
		style, text = theme.Waiting, theme.Waiting
	}
	r.Repeat(left+1, y, right-left-1, sign, style)
	switch {
	case !arrived:
		head := right - 1
		if to < from {
			head = left + 1
		}
		r.Put(head, y, string(glyph.Ellipsis), style)
	case to > from:
		r.Put(right-1, y, string(glyph.Play), style)
	default:
		r.Put(left+1, y, string(glyph.PlayBack), style)
	}
	// The label stands between the lifelines, without the head of the arrow.
	free := right - left - 2
	label := " " + msg.API + " v" + strconv.Itoa(int(msg.Version)) + " "
	if says != "" && cell.Width(label)+cell.Width(says)+3 <= free {
		label += says + " "
	}
	if cell.Width(label)+2 > free {
		label = " " + msg.API + " "
	}
	if cell.Width(label)+2 > free {
		label = cell.Truncate(msg.API, max(0, free-2))
	}
	x := left + 1 + (free-cell.Width(label))/2
	if to < from {
		x++
	}
	r.Put(x, y, label, text)
}
