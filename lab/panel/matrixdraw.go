package panel

import (
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the nine cells, and below them how the selected one was run.
func (p *Matrix) Draw(r canvas.Region, m Model) {
	p.sync(m)
	p.places.reset()
	detail := p.detail(m, r.W())
	stack(r,
		part{1, 1, 0, p.drawHead},
		part{7, 1 + 3*4, 0, func(r canvas.Region) { p.drawCells(r, m) }},
		part{2, len(detail), 1, func(r canvas.Region) { r.PutLines(0, 0, detail[:min(len(detail), r.H())]) }},
		part{1, 1, 2, p.legend},
	)
}

func (p *Matrix) drawHead(r canvas.Region) {
	x := r.Put(0, 0, cell.Truncate("acks and the ISR", r.W()), theme.Name)
	facts{}.add("3", "replicas", theme.Label).add("min.insync.replicas", "2", theme.Text).draw(r, x+3, 0)
}

// matrixLabel is the width of the column of acks.
const matrixLabel = 10

// drawCells draws the table; where there is no room for three sizes of the ISR,
// the selected one.
func (p *Matrix) drawCells(r canvas.Region, m Model) {
	from, to := 0, 3
	if (r.W()-matrixLabel)/3 < 11 {
		from, to = p.col, p.col+1
	}
	w := min(22, (r.W()-matrixLabel)/(to-from))
	high := 2
	if r.H() >= 1+3*4 {
		high = 4
	} else if r.H() >= 1+3*3 {
		high = 3
	}
	for j := from; j < to; j++ {
		x := matrixLabel + (j-from)*w
		r.Put(x, 0, cell.Truncate("ISR of "+matrixSizes[j], w-1), theme.Label)
		for i := range matrixAcks {
			p.drawCell(r.Sub(geom.Rect{X: x, Y: 1 + i*high, W: w - 1, H: min(3, high)}), m, i, j)
			p.places.addPart(r, geom.Rect{X: x, Y: 1 + i*high, W: w - 1, H: min(3, high)}, 3*i+j)
		}
	}
	for i, acks := range matrixAcks {
		r.Put(0, 1+i*high, "acks="+acks, theme.Name)
	}
	if !p.asks(m) || strings.Contains(m.Focus.At, "-") {
		x := matrixLabel + (p.col-from)*w
		r.Wash(geom.Rect{X: x - 1, Y: 1 + p.row*high, W: w, H: min(3, high)}, theme.Selected)
	}
}

// drawCell tells the outcome of a cell in up to three rows.
func (p *Matrix) drawCell(r canvas.Region, m Model, row, col int) {
	t := p.cells[row][col]
	put := func(y int, line canvas.Line) {
		if y < r.H() {
			r.PutLine(0, y, line.Truncate(r.W()))
		}
	}
	switch {
	case p.asks(m):
		put(0, canvas.T("?", theme.Faint))
		return
	case t == nil:
		put(0, canvas.T(string(glyph.Dot), theme.Faint))
		return
	case t.failed != "":
		put(0, canvas.T(t.failed, theme.Refused))
		return
	}
	answer := t.answerLine()
	put(0, answer)
	reads := t.readsLine()
	switch cut := strings.LastIndex(t.code, "_") + 1; {
	case r.H() < 3:
		put(1, reads)
		return
	case answer.Width() > r.W() && cut <= r.W():
		// A name that is too long for one row has two; the numbers are below.
		put(0, canvas.T(cell.PadRight(t.code[:cut], r.W()), theme.Refused|theme.Bold))
		put(1, canvas.T(t.code[cut:], theme.Refused|theme.Bold))
		put(2, reads)
		return
	}
	put(1, canvas.T("HW ", theme.Label).Add(t.hw, theme.Committed).Add("  LEO ", theme.Label).Add(t.leo, theme.Text))
	put(2, reads)
}

func (t *trial) answerLine() canvas.Line {
	switch {
	case t.code != "":
		return canvas.T(t.code, theme.Refused|theme.Bold)
	case t.answer == "ok":
		return canvas.T(string(glyph.Done)+" acknowledged", theme.Right|theme.Bold)
	}
	return canvas.T(t.answer, theme.Label)
}

func (t *trial) readsLine() canvas.Line {
	switch {
	case t.readable:
		return canvas.T("readable", theme.Committed)
	case t.appended:
		return canvas.T("not readable", theme.Open|theme.Bold)
	}
	return canvas.T("not appended", theme.Label)
}

// detail tells how the selected cell is run, and what it came to.
func (p *Matrix) detail(m Model, w int) []canvas.Line {
	if p.asks(m) {
		return nil
	}
	acks, size := matrixAcks[p.row], matrixSizes[p.col]
	lines := []canvas.Line{canvas.T("acks="+acks+", ISR of "+size, theme.Name)}
	t := p.cells[p.row][p.col]
	if t == nil {
		return append(lines, canvas.T("  not run yet: ", theme.Label).Add("m", theme.Key).Add(" runs it on a cluster of its own", theme.Label).Truncate(w))
	}
	for _, line := range strings.Split(strings.TrimSpace(t.script), "\n") {
		lines = append(lines, canvas.T("  "+line, theme.Muted).Truncate(w))
	}
	if t.code != "" {
		says := t.code
		if t.message != "" {
			says += ": " + t.message
		}
		for _, l := range canvas.T(says, theme.Refused).Wrap(max(1, w-2)) {
			lines = append(lines, append(canvas.T("  ", theme.Text), l...))
		}
	}
	numbers := canvas.T("  ISR ", theme.Label).Add(t.isr, theme.Committed).Add("   LEO ", theme.Label).Add(t.leo, theme.Text).
		Add("   HW ", theme.Label).Add(t.hw, theme.Committed)
	meaning := canvas.T(t.meaning(), theme.Text)
	if numbers.Width()+3+meaning.Width() <= w {
		return append(lines, append(numbers.Add("   ", theme.Text), meaning...))
	}
	return append(lines, numbers.Truncate(w), append(canvas.T("  ", theme.Text), meaning...).Truncate(w))
}

// meaning is what the numbers of a trial come to.
func (t *trial) meaning() string {
	switch {
	case t.code != "":
		return "nothing was appended"
	case t.readable && t.answer == "ok":
		return "consumers read it"
	case t.readable:
		return "it arrived; the producer does not know"
	case t.answer == "ok":
		return "acknowledged, and no consumer may read it yet"
	}
	return "appended, and no consumer may read it yet"
}

func (p *Matrix) legend(r canvas.Region) {
	n := 0
	for i := range p.cells {
		for _, t := range p.cells[i] {
			if t != nil {
				n++
			}
		}
	}
	widget.Bar{Part: int64(n), Whole: 9, Style: theme.Teal}.Draw(r, 0, 0, min(9, r.W()))
	r.Put(11, 0, cell.Truncate(cell.Thin(int64(n))+" of 9 run", max(0, r.W()-11)), theme.Label)
}
