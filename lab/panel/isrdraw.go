package panel

import (
	"fmt"
	"slices"
	"strconv"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// Draw draws the partition: its replicas, who is behind, who waits, and what
// happened.
func (p *ISR) Draw(r canvas.Region, m Model) {
	s := p.sight(m)
	p.rows.reset()
	if s.part == nil {
		note(r, 0, missing(m))
		return
	}
	gauges := s.gauges()
	waiting := 0
	if n := len(s.part.Waiting); n > 0 {
		waiting = 1 + n
	}
	news := m.happened(s.r, max(0, r.H()-len(s.part.Logs)-4))
	happened := 0
	if len(news) > 0 {
		happened = 1 + len(news)
	}
	stack(r,
		part{1, 1, 0, s.head},
		part{len(s.part.Logs) + 1, len(s.part.Logs) + 1, 0, func(r canvas.Region) { s.drawReplicas(r, &p.rows) }},
		part{1, len(gauges), 1, func(r canvas.Region) {
			for y, draw := range gauges {
				draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}))
			}
		}},
		part{2, waiting, 2, s.drawWaiting},
		part{2, happened, 3, func(r canvas.Region) { s.drawHappened(r, news) }},
		part{1, 1, 4, s.legend},
	)
}

// head names the partition and its in-sync replicas.
func (s *isrSight) head(r canvas.Region) {
	x := r.Put(0, 0, cell.Truncate(partitionName(s.r), r.W()), theme.Name)
	f := facts{}
	if s.part.Leader < 0 || s.part.HW < 0 {
		f = f.add("", "no leader", theme.Lost|theme.Bold)
	}
	isr := s.isrFact()
	more := facts{}.add(strconv.Itoa(len(s.part.Replicas)), "replicas", theme.Label)
	minISR := facts{}.add("min.insync.replicas", strconv.Itoa(s.part.MinISR), theme.Text)
	if s.part.MinISR == 0 {
		minISR = nil // its leader would know
	}
	epoch := facts{}.add("epoch", strconv.Itoa(int(s.part.Epoch)), theme.Text)
	if before := s.was; before != nil && before.Epoch != s.part.Epoch {
		epoch[1].Style = theme.Focus | theme.Bold
	} else if r.W() < 74 {
		epoch = nil
	}
	// The ISR is what matters; the others stand before it if there is room.
	for _, pick := range [][]facts{{f, more, minISR, epoch, isr}, {f, more, minISR, isr}, {f, minISR, isr}, {f, isr}, {f}} {
		all := slices.Concat(pick...)
		if x+3+all.width() <= r.W() || len(pick) == 1 {
			all.draw(r, x+3, 0)
			return
		}
	}
}

// width is what facts take in a row.
func (f facts) width() int {
	w := 0
	for i := 0; i+1 < len(f); i += 2 {
		if i > 0 {
			w += 3
		}
		if f[i].Text != "" {
			w += cell.Width(f[i].Text) + 1
		}
		w += cell.Width(f[i+1].Text)
	}
	return w
}

// isrFact is the ISR, with what it was if that is news. One below
// min.insync.replicas is red: acks=all is refused.
func (s *isrSight) isrFact() facts {
	if s.hide == "isr" {
		return facts{}.add("ISR", "?", theme.Focus|theme.Bold)
	}
	style := theme.Committed | theme.Bold
	if len(s.part.ISR) < s.part.MinISR {
		style = theme.Lost | theme.Bold
	}
	f := facts{}.add("ISR", brokerList(s.part.ISR), style)
	if s.was != nil && !slices.Equal(s.was.ISR, s.part.ISR) {
		f = f.add("was", brokerList(s.was.ISR), theme.Focus|theme.Bold)
	}
	return f
}

func brokerList(ids []int32) string {
	if len(ids) == 0 {
		return "none"
	}
	text := ""
	for i, id := range ids {
		if i > 0 {
			text += ","
		}
		text += strconv.Itoa(int(id))
	}
	return text
}

// columns are where the parts of a replica's row stand.
type columns struct {
	bar, barW, leo, leoW, behind int // behind is the column that the time ends before, 0 for none
	hw, known                    int // columns of what there is room for on a wide terminal, 0 for none
}

func (s *isrSight) columns(w int) columns {
	c := columns{bar: 2 + 8 + 1 + roleWidth + 1}
	if w < 44 {
		c.bar = 2 + 8 + 1
	}
	for _, l := range s.part.Logs {
		c.leoW = max(c.leoW, cell.Width(offsetText(l.LEO)))
	}
	rest := 2 + 4 + c.leoW
	c.barW = min(30, w-c.bar-rest-9)
	if c.barW >= 6 {
		c.behind = c.bar + c.barW + rest + 9
	} else {
		c.barW = min(30, w-c.bar-rest)
	}
	if c.barW < 4 {
		c.barW = 0
		c.leo = c.bar
	} else {
		c.leo = c.bar + c.barW + 2
	}
	if c.behind > 0 && w-c.behind >= 7+c.leoW {
		c.hw = c.behind + 3
		if w-c.hw >= 2*(7+c.leoW)+17 {
			c.known = c.hw + 3 + c.leoW + 4
		}
	}
	return c
}

// drawReplicas draws a row for each replica, and the high watermark below them.
func (s *isrSight) drawReplicas(r canvas.Region, rows *clicks) {
	c := s.columns(r.W())
	v := s.windowOf(c.barW)
	for y, l := range s.part.Logs {
		s.drawReplica(r, y, l, c, v)
		rows.add(r, y, int(l.Broker))
		if s.lit && l.Broker == s.at && len(s.part.Logs) > 1 {
			r.Wash(geom.Rect{Y: y, W: r.W(), H: 1}, theme.Selected)
		}
	}
	s.drawMark(r, len(s.part.Logs), c, v)
}

func (s *isrSight) drawReplica(r canvas.Region, y int, l engine.ReplicaView, c columns, v window) {
	is := s.roleOf(l)
	pen := r.Pen(0, y).Sign(is.sign, 1, is.style).Gap(1)
	if c.bar > 12 {
		pen.Fit(8, brokerName(l.Broker), theme.Text).Gap(1).Fit(roleWidth, is.word, is.style)
	} else {
		pen.Fit(8, brokerName(l.Broker), is.style)
	}
	if c.barW > 0 {
		s.drawBar(r, c.bar, y, c.barW, l, v)
	}
	style := theme.Text
	before := logOf(s.m.Before, s.r)
	if s.was != nil {
		for _, w := range s.was.Logs {
			if w.Broker == l.Broker {
				before = w
			}
		}
		if before.LEO != l.LEO {
			style = theme.Focus | theme.Bold
		}
	}
	leo := offsetText(l.LEO)
	if s.hide == "leo" {
		leo = "?"
	}
	r.Put(c.leo, y, "LEO ", theme.Label)
	r.PutRight(c.leo+4+c.leoW, y, leo, style)
	if c.behind > 0 {
		text, st := s.behindText(l)
		r.PutRight(c.behind, y, text, st)
	}
	if c.hw > 0 && l.HW >= 0 && s.hide != "hw" {
		r.Put(c.hw, y, "HW ", theme.Label)
		r.PutRight(c.hw+3+c.leoW, y, cell.Thin(l.HW), theme.Committed)
	}
	if c.known > 0 && l.Broker != s.part.Leader && s.hide != "leo" {
		r.Put(c.known, y, "leader knows ", theme.Label)
		r.PutRight(c.known+13+max(c.leoW, 4), y, offsetText(l.KnownLEO), theme.Text)
	}
}

// behindText is how long ago a follower had everything.
func (s *isrSight) behindText(l engine.ReplicaView) (string, theme.Style) {
	if l.BehindMs < 0 || l.Broker == s.part.Leader {
		return "", theme.Label
	}
	style := theme.Label
	if s.lacks(l) {
		style = theme.Waiting | theme.Bold
		if !l.InSync || s.part.LagLimitMs > 0 && l.BehindMs > s.part.LagLimitMs {
			style = theme.Lost | theme.Bold
		}
	}
	return span1(l.BehindMs), style
}

// span1 is a duration with one decimal, or in minutes and hours when long.
func span1(ms int64) string {
	switch {
	case ms < 100_000:
		return fmt.Sprintf("%d.%d s", ms/1000, ms%1000/100)
	case ms < 6_000_000:
		return cell.Thin(ms/60_000) + " min"
	}
	return cell.Thin(ms/3_600_000) + " h"
}

// drawBar draws a replica's log: committed, not yet committed, not there.
func (s *isrSight) drawBar(r canvas.Region, x, y, w int, l engine.ReplicaView, v window) {
	end := v.cell(l.LEO, w)
	hw := s.part.HW
	if hw < 0 {
		hw = l.HW
	}
	committed := min(v.cell(hw, w), end)
	if s.hide == "hw" {
		committed = 0
	}
	open := theme.Open
	sign := rune(glyph.Bar)
	if s.hide == "hw" {
		open = theme.Muted
	}
	if s.hide == "leo" {
		r.Repeat(x, y, w, glyph.Dot, theme.Faint)
		return
	}
	at := r.Repeat(x, y, committed, glyph.Bar, theme.Committed)
	at = r.Repeat(at, y, end-committed, sign, open)
	r.Repeat(at, y, w-end, glyph.Dot, theme.Faint)
}

// drawMark points at the high watermark.
func (s *isrSight) drawMark(r canvas.Region, y int, c columns, v window) {
	if s.part.HW < 0 {
		r.Put(min(2, r.W()), y, cell.Truncate("no leader, so no high watermark moves", r.W()-2), theme.Waiting)
		return
	}
	text := canvas.T("high watermark ", theme.Label)
	value := cell.Thin(s.part.HW)
	if s.hide == "hw" {
		r.PutLine(c.bar, y, text.Add("?", theme.Focus|theme.Bold).Truncate(r.W()-c.bar))
		return
	}
	style := theme.Committed | theme.Bold
	text = text.Add(value, style)
	if s.was != nil && s.was.HW >= 0 && s.was.HW != s.part.HW {
		text = text.Add(" "+signed(s.part.HW-s.was.HW), theme.Focus|theme.Bold)
	}
	if c.barW == 0 {
		r.PutLine(min(2, r.W()), y, text.Truncate(r.W()-2))
		return
	}
	x := c.bar + max(0, v.cell(s.part.HW, c.barW)-1)
	r.Put(x, y, string(glyph.Up), theme.Committed)
	switch {
	case x+2+text.Width() <= r.W():
		r.PutLine(x+2, y, text)
	case x-1-text.Width() >= 0:
		r.PutLine(x-1-text.Width(), y, text)
	default:
		r.PutLine(x+2, y, text.Truncate(r.W()-x-2))
	}
}
