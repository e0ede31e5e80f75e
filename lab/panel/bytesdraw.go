package panel

import (
	"sort"
	"strconv"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the bytes above and the names of their fields below.
func (p *Bytes) Draw(r canvas.Region, m Model) {
	s := p.look(m)
	p.lines.reset()
	if len(s.rows) == 0 {
		note(r, 0, s.why)
		return
	}
	at := s.rows[p.list.Selected]
	d := s.dump(at)
	most := min(d.rowsFor(r.W()), max(2, r.H()*2/5))
	stack(r,
		part{1, 2, 1, func(r canvas.Region) { s.drawWhere(r, m, at) }},
		part{1, most, 0, func(r canvas.Region) { d.draw(r, s.dumpFrom(d, at, r)) }},
		part{3, r.H(), 0, func(r canvas.Region) { p.drawFields(r, s) }},
		part{1, 2, 2, func(r canvas.Region) { drawMeaning(r, s.blocks[at.block].fields[at.field]) }},
	)
}

// drawWhere names the batch, and the block that the selected field is in.
func (s *sheet) drawWhere(r canvas.Region, m Model, at sheetRow) {
	where, _ := m.replica()
	b := s.blocks[at.block]
	pen := r.Pen(0, 0).Put("batch "+span(s.base, s.last), theme.Name).Gap(3)
	if room := r.W() - pen.X(); room > 12 {
		name := partitionName(where)
		pen = pen.Put(name, theme.Text)
		if room > cell.Width(name)+13 {
			pen.Put(" on ", theme.Label).Put(brokerName(where.Broker), m.nodeStyle(brokerName(where.Broker)))
		}
	}
	f := facts{}.add("", cell.TruncateStart(b.file, max(10, r.W()-24)), theme.Text).add("byte", cell.Thin(b.at), theme.Text)
	f.draw(r, 0, 1)
}

// dump is the block of the selected field, its bytes told apart by fields and
// the selected ones lit.
func (s *sheet) dump(at sheetRow) dump {
	b := s.blocks[at.block]
	return dump{data: b.data, at: b.at, style: func(i int) theme.Style {
		owner := sort.Search(len(b.fields), func(j int) bool { return b.fields[j].Offset > i }) - 1
		switch {
		case owner == at.field:
			return theme.Focus | theme.Bold | theme.Selected
		case owner%2 == 0:
			return theme.Text
		}
		return theme.Muted
	}}
}

// dumpFrom is the first row that is seen: the selected field begins in the
// second or third one.
func (s *sheet) dumpFrom(d dump, at sheetRow, r canvas.Region) int {
	perRow := d.shape(r.W()).perRow
	first := s.blocks[at.block].fields[at.field].Offset / perRow
	if r.H() >= 3 {
		first--
	}
	return max(0, min(first, d.rowsFor(r.W())-r.H()))
}

// drawFields draws the list of fields around the selected one.
func (p *Bytes) drawFields(r canvas.Region, s *sheet) {
	p.rows = r.H()
	from, to := p.list.Show(r.H(), len(s.rows))
	for y, row := range s.rows[from:to] {
		p.lines.add(r, y, from+y)
		if row.field < 0 {
			s.drawHeading(r, y, row)
			continue
		}
		drawField(r, y, s.blocks[row.block].fields[row.field])
		if from+y == p.list.Selected {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(r, r.W()-1, from, to, len(s.rows))
}

// drawHeading names a block and where it lies, or a record.
func (s *sheet) drawHeading(r canvas.Region, y int, row sheetRow) {
	x := r.Put(0, y, row.heading, theme.Name) + 3
	if row.record >= 0 {
		return
	}
	b := s.blocks[row.block]
	where := cell.Size(int64(len(b.data))) + " at byte " + cell.Thin(b.at)
	room := r.W() - 2 - x
	if cell.Width(where) > room {
		return
	}
	x = r.Put(x, y, where, theme.Label)
	if room = r.W() - 2 - x - 4; room >= 12 {
		r.Put(x, y, " of "+cell.TruncateStart(b.file, room), theme.Label)
	}
}

// drawMeaning says of the selected field what its row has no room for.
func drawMeaning(r canvas.Region, f field) {
	note := thinNumbers(f.Note)
	if note == "" {
		note = count(int64(f.Size), "byte")
	}
	line := canvas.T(f.Name+" ", theme.Focus).Add(f.Type+"  ", theme.Label).Add(note, theme.Text)
	if r.H() == 1 {
		r.PutLine(0, 0, line.Truncate(r.W()))
		return
	}
	r.PutLines(0, 0, line.Wrap(r.W()))
}

// drawField is one field: its name, type, size and value, and what follows from
// it if there is room for all of that.
func drawField(r canvas.Region, y int, f field) {
	nameW, narrow := 21, r.W() < 50
	if narrow {
		nameW = min(17, r.W()/2)
	}
	pen := r.Pen(2, y).Fit(nameW, f.Name, theme.Text).Gap(1)
	if !narrow {
		pen = pen.Fit(7, f.Type, theme.Faint).Number(4, sizeOf(f), theme.Label).Gap(2)
	}
	value := f.Value
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		value = cell.Thin(n)
	}
	room := max(0, r.W()-2-pen.X())
	line := canvas.T(value, theme.Text)
	if full := line.Add("  "+thinNumbers(f.Note), theme.Label); f.Note != "" && full.Width() <= room {
		line = full
	}
	pen.Line(line.Truncate(room))
}

func sizeOf(f field) string {
	if f.Size > 9999 {
		return "…"
	}
	return strconv.Itoa(f.Size)
}
