package panel

import (
	"slices"
	"strconv"
	"strings"

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

// leastGap is how close lifelines may stand: an arrow between them still shows
// where it goes, and what it is stands beside it.
const leastGap = 6

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
	l.label(r, y, left, right, from < to, msg, says, text)
}

// label writes what a message is on its arrow, without the head; where it has
// no room there it stands beside the arrow, over the lifelines of nodes that
// have no part in it.
func (l lifelines) label(r canvas.Region, y, left, right int, forth bool, msg trace.Message, says string, style theme.Style) {
	free := right - left - 2
	versioned := msg.API + " v" + strconv.Itoa(int(msg.Version))
	onArrow := []string{versioned, msg.API}
	if says != "" {
		onArrow = []string{versioned + " " + says, versioned, msg.API}
	}
	for i, text := range onArrow {
		room := free - 2
		if i == 0 && says != "" {
			room-- // what it says is more than its name: the arrow stays to be seen
		}
		if text = " " + text + " "; cell.Width(text) > room {
			continue
		}
		x := left + 1 + (free-cell.Width(text))/2
		if !forth {
			x++
		}
		r.Put(x, y, text, style)
		return
	}
	first, last := l.x[0], l.x[len(l.x)-1]+l.w/2
	for _, text := range []string{versioned, msg.API, shortName(msg.API)} {
		text = " " + text + " "
		switch w := cell.Width(text); {
		case right+1+w <= last:
			r.Put(right+1, y, text, style)
			return
		case left-w >= first-l.w/2:
			r.Put(left-w, y, text, style)
			return
		}
	}
	text := cell.Truncate(shortName(msg.API), max(0, free-2))
	r.Put(left+1+(free-cell.Width(text))/2, y, text, style)
}

// shortName is an API's name with the words that many of them share cut short.
func shortName(api string) string { return shortWords.Replace(api) }

var shortWords = strings.NewReplacer("Partitions", "Parts", "Partition", "Part", "Producer", "Prod", "Describe", "Desc", "Coordinator", "Coord",
	"Registration", "Reg", "Heartbeat", "Beat", "Consumer", "Cons", "Transaction", "Txn", "Configs", "Conf", "Records", "Recs", "Cluster", "Clu")

// shortNode is what a node is called where lifelines stand close: b1, c1.
func shortNode(node string, room int) string {
	if cell.Width(node) <= room {
		return node
	}
	kind, number, ok := strings.Cut(node, "-")
	if ok && kind != "" && (kind == "broker" || kind == "controller") {
		return cell.Truncate(kind[:1]+number, room)
	}
	return cell.Truncate(node, room)
}
