package panel

import (
	"fmt"
	"sort"
	"strconv"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the bytes above and the names of their fields below.
func (p *Bytes) Draw(r canvas.Region, m Model) {
	s := p.look(m)
	p.lines.reset()
	if p.files.open() {
		p.files.draw(r, m, &p.lines)
		return
	}
	if len(s.rows) == 0 {
		y := note(r, 0, s.why)
		if p.files.there(m) {
			r.PutLine(0, y+1, canvas.T("o", theme.Key).Add(" all files of its folder", theme.Label))
		}
		return
	}
	at := s.rows[p.list.Selected]
	d := s.dump(at)
	most := min(d.rowsFor(r.W()), max(2, r.H()*2/5))
	stack(r,
		part{1, p.whereRows(s.blocks[at.block], r.W()), 1, func(r canvas.Region) { p.drawWhere(r, m, s, at) }},
		part{1, most, 0, func(r canvas.Region) { d.draw(r, s.dumpFrom(d, at, r)) }},
		part{3, r.H(), 0, func(r canvas.Region) { p.drawFields(r, s) }},
		part{1, 2, 2, func(r canvas.Region) { drawMeaning(r, s.blocks[at.block].fields[at.field]) }},
	)
}

// drawWhere names the batch, and the block that the selected field is in.
func (p *Bytes) drawWhere(r canvas.Region, m Model, s *sheet, at sheetRow) {
	where, _ := m.replica()
	b := s.blocks[at.block]
	pen := r.Pen(0, 0).Put("batch "+span(s.base, s.last), theme.Name).Gap(3)
	if room := r.W() - pen.X(); room > 12 {
		name := partitionName(where)
		pen = pen.Put(name, theme.Text)
		if room > cell.Width(name)+13 {
			pen = pen.Put(" on ", theme.Label).Put(brokerName(where.Broker), m.nodeStyle(brokerName(where.Broker)))
		}
	}
	f := facts{}.add("", cell.TruncateStart(b.file, max(10, r.W()-24)), theme.Text)
	if b.file != inMemory {
		f = f.add("byte", cell.Thin(b.at), theme.Text)
	}
	hint := canvas.Line{}
	if p.files.there(m) {
		hint = canvas.T("o", theme.Key).Add(" all files", theme.Label)
	}
	drawCheck(r, 2, b.crc, b.wrong)
	switch x := f.draw(r, 0, 1); {
	case r.H() == 1:
		drawRight(r, 0, pen.X(), checkMark(b.crc, b.wrong), hint)
	case r.H() < p.whereRows(b, r.W()):
		drawRight(r, 0, pen.X(), checkMark(b.crc, b.wrong))
		fallthrough
	default:
		drawRight(r, 1, x, hint)
	}
}

// drawRight puts lines at the right end of a row, as far as they fit behind what
// ends at x; the first is the one that is missed most.
func drawRight(r canvas.Region, y, x int, lines ...canvas.Line) {
	end := r.W()
	for i := len(lines) - 1; i >= 0; i-- {
		need := 0
		for _, l := range lines[:i+1] {
			need += l.Width() + 3
		}
		if w := lines[i].Width(); w > 0 && x+need <= end {
			r.PutLine(end-w, y, lines[i])
			end -= w + 3
		}
	}
}

// whereRows is how many rows drawWhere has something for.
func (p *Bytes) whereRows(b block, w int) int {
	return 2 + checkRows(b.crc, b.wrong, w)
}

// drawCheck tells a checksum as it was computed again, what is stored and what it
// should be, and below it what is damaged; it needs checkRows rows.
func drawCheck(r canvas.Region, y int, c *engine.FileChecksum, wrong string) {
	if c != nil {
		sign, verdict, style := glyph.Done, "right", theme.Right
		if !c.Right() {
			sign, verdict, style = glyph.Wrong, "wrong", theme.Refused
		}
		line := canvas.T("crc ", theme.Label).Add(fmt.Sprintf("0x%08x", c.Stored), theme.Text).
			Add("  computed ", theme.Label).Add(fmt.Sprintf("0x%08x", c.Computed), theme.Text).
			Add("  "+string(sign)+" "+verdict, style|theme.Bold)
		if more := line.Add("  over bytes "+span(c.From, c.To-1), theme.Label); more.Width() <= r.W() {
			line = more
		}
		r.PutLine(0, y, line.Truncate(r.W()))
		y++
	}
	r.PutLines(0, y, wrongLines(wrong, r.W()))
}

// checkMark is the same in two words.
func checkMark(c *engine.FileChecksum, wrong string) canvas.Line {
	switch {
	case c != nil && !c.Right():
		return canvas.T(string(glyph.Wrong)+" crc", theme.Refused|theme.Bold)
	case wrong != "":
		return canvas.T(string(glyph.Wrong)+" damaged", theme.Refused|theme.Bold)
	case c != nil:
		return canvas.T(string(glyph.Done)+" crc", theme.Right)
	}
	return canvas.Line{}
}

// wrongLines tell what is damaged, none for nothing.
func wrongLines(wrong string, w int) []canvas.Line {
	if wrong == "" {
		return nil
	}
	return canvas.T(string(glyph.Wrong)+" "+thinNumbers(wrong), theme.Refused).Wrap(w)
}

func checkRows(c *engine.FileChecksum, wrong string, w int) int {
	rows := min(2, len(wrongLines(wrong, w)))
	if c != nil {
		rows++
	}
	return rows
}

// dump is the block of the selected field, its bytes told apart by fields and
// the selected ones lit.
func (s *sheet) dump(at sheetRow) dump {
	b := s.blocks[at.block]
	f := b.fields[at.field]
	return fieldDump(b.data, b.at, b.fields, f.Offset, f.Offset+f.Size)
}

// fieldDump is bytes told apart by fields, those from one up to another lit.
func fieldDump(data []byte, at int64, fields []field, from, to int) dump {
	return dump{data: data, at: at, style: func(i int) theme.Style {
		owner := sort.Search(len(fields), func(j int) bool { return fields[j].Offset > i }) - 1
		switch {
		case from <= i && i < to:
			return theme.Focus | theme.Bold | theme.Selected
		case owner < 0 || i >= fields[owner].Offset+fields[owner].Size:
			return theme.Faint
		case owner%2 == 0:
			return theme.Text
		}
		return theme.Muted
	}}
}

// dumpFrom is the first row that is seen: the selected field begins in the
// second or third one.
func (s *sheet) dumpFrom(d dump, at sheetRow, r canvas.Region) int {
	return d.from(s.blocks[at.block].fields[at.field].Offset, r)
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
	where := cell.Size(int64(len(b.data)))
	if b.file != inMemory {
		where += " at byte " + cell.Thin(b.at)
	}
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
