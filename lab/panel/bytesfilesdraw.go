package panel

import (
	"fmt"
	"strings"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// draw draws the list of files, or the one that is open.
func (f *files) draw(r canvas.Region, m Model, lines *clicks) {
	f.read(m)
	if f.file != nil {
		f.file.load(m)
		f.file.draw(r, m, lines)
		return
	}
	title := func(r canvas.Region) {
		pen := r.Pen(0, 0).Put("files of "+partitionName(f.replica), theme.Name)
		pen.Put(" on ", theme.Label).Put(brokerName(f.replica.Broker), m.nodeStyle(brokerName(f.replica.Broker)))
	}
	if f.count() == 0 {
		title(r)
		note(below(r, 2), 0, brokerName(f.replica.Broker)+" has no folder of "+partitionName(f.replica)+" yet.")
		return
	}
	stack(r,
		part{1, 1, 0, title},
		part{3, f.count() + listHeadings, 0, func(r canvas.Region) { f.drawList(r, lines) }},
		part{1, 2, 2, func(r canvas.Region) { f.drawAbout(r) }},
	)
}

// drawList draws the files around the selected one, with a heading for each of
// the two folders.
func (f *files) drawList(r canvas.Region, lines *clicks) {
	f.seen = r.H()
	// Rows of the screen: a heading, the folder's files, an empty row, a heading,
	// the log directory's files.
	second := len(f.folder) + 2
	rowOf := func(i int) int {
		if i < len(f.folder) {
			return i + 1
		}
		return i + 3
	}
	rows := widget.List{Selected: rowOf(f.rows.Selected)}
	from, to := rows.Show(r.H(), f.count()+listHeadings)
	r.Put(0, -from, f.replica.Topic+fmt.Sprintf("-%d", f.replica.Partition), theme.Label)
	r.Put(0, second-from, "the log directory", theme.Label)
	nameW := f.nameWidth(r.W())
	for i := range f.count() {
		y := rowOf(i) - from
		if y < 0 || y >= to-from {
			continue
		}
		f.drawFile(r, y, f.at(i), nameW)
		lines.add(r, y, i)
		if i == f.rows.Selected {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(r, r.W()-1, from, to, f.count()+listHeadings)
}

// listHeadings are the rows of the list that are no files.
const listHeadings = 3

func (f *files) nameWidth(w int) int {
	widest := 0
	for i := range f.count() {
		widest = max(widest, cell.Width(f.at(i).Name))
	}
	return max(8, min(widest, w-2-11))
}

// drawFile is one file: its name, its size, what it has.
func (f *files) drawFile(r canvas.Region, y int, v engine.FileView, nameW int) {
	style := theme.Text
	if v.Bytes == 0 {
		style = theme.Faint
	}
	pen := r.Pen(2, y)
	name := cell.TruncateStart(v.Name, nameW)
	zeros, rest := leadingZeros(name)
	pen = pen.Put(zeros, theme.Faint).Put(rest, style).Gap(nameW - cell.Width(name))
	pen = pen.Number(9, cell.Size(v.Bytes), style).Gap(2)
	room := r.W() - 2 - pen.X()
	line := canvas.T(v.About, theme.Label)
	if v.Unsynced > 0 && v.About != "" {
		if full := line.Add(", "+cell.Size(v.Unsynced)+" not synced", theme.Open); full.Width() <= room {
			line = full
		}
	}
	if room >= 24 {
		pen.Line(line.Truncate(room))
	}
}

// leadingZeros cuts the name of a segment's file where its offset begins to say
// something.
func leadingZeros(name string) (zeros, rest string) {
	digits, _, _ := strings.Cut(name, ".")
	rest = strings.TrimLeft(name, "0")
	if len(digits) < 20 || rest == name {
		return "", name
	}
	if strings.HasPrefix(rest, ".") {
		rest = "0" + rest
	}
	return name[:len(name)-len(rest)], rest
}

// drawAbout says of the selected file what its row may have no room for.
func (f *files) drawAbout(r canvas.Region) {
	v := f.at(f.rows.Selected)
	line := canvas.T(v.Name, theme.Focus).Add("  "+v.About, theme.Text)
	if v.Unsynced > 0 {
		line = line.Add("  "+cell.Size(v.Unsynced)+" not synced: a crash of the machine may take them", theme.Open)
	}
	if r.H() == 1 {
		r.PutLine(0, 0, line.Truncate(r.W()))
		return
	}
	r.PutLines(0, 0, line.Wrap(r.W()))
}

// draw draws the open file: what it is, the bytes of the selected part, the
// parts and their fields.
func (f *openFile) draw(r canvas.Region, m Model, lines *clicks) {
	if len(f.rows) == 0 {
		f.drawWhere(r, m, engine.FilePart{})
		why := "The file is empty."
		if f.why != "" {
			why = f.why
		}
		note(below(r, 3), 0, why)
		return
	}
	row := f.rows[f.list.Selected]
	p := f.part(row.part)
	d, from := f.dump(row)
	stack(r,
		part{1, 2 + checkRows(p.CRC, damageOf(p), r.W()), 1, func(r canvas.Region) { f.drawWhere(r, m, p) }},
		part{1, min(d.rowsFor(r.W()), max(2, (r.H()-3)/3)), 0, func(r canvas.Region) { d.draw(r, d.from(from, r)) }},
		part{3, r.H(), 0, func(r canvas.Region) { f.drawRows(r, lines) }},
		part{1, 2, 2, func(r canvas.Region) {
			if fl, ok := f.fieldOf(row); ok {
				drawMeaning(r, fl)
			} else {
				drawPartMeaning(r, p)
			}
		}},
	)
}

// drawWhere names the file, and tells the checksum of the part that one is at.
func (f *openFile) drawWhere(r canvas.Region, m Model, p engine.FilePart) {
	node := brokerName(f.broker)
	room := max(8, r.W()-cell.Width(node)-4)
	pen := r.Pen(0, 0).Put(cell.TruncateStart(f.view.Name, room), theme.Name).Put(" on ", theme.Label).Put(node, m.nodeStyle(node))
	if r.H() < 2+checkRows(p.CRC, damageOf(p), r.W()) {
		drawRight(r, 0, pen.X(), checkMark(p.CRC, damageOf(p)))
	}
	size := f.view.Bytes
	if f.parts != nil {
		size = f.parts.Size()
	}
	facts := facts{}.add("", cell.Size(size), theme.Text)
	if f.parts != nil {
		facts = facts.add("", f.countText(), theme.Text)
	}
	if f.view.About != "" {
		facts = facts.add("", f.view.About, theme.Label)
	}
	facts.draw(r, 0, 1)
	drawCheck(r, 2, p.CRC, damageOf(p))
}

// damageOf is what is damaged in a part, empty for nothing, and for what a wrong
// checksum says.
func damageOf(p engine.FilePart) string {
	if p.Damage == nil || p.CRC != nil && !p.CRC.Right() {
		return ""
	}
	return p.Damage.Error()
}

// partTitle is a part's title, its offsets as a range is written here.
func partTitle(p engine.FilePart) string {
	kind, rest, _ := strings.Cut(p.Title, " ")
	first, last, ranged := strings.Cut(rest, "-")
	a, b := parseOffset(first), parseOffset(last)
	if ranged && a != None && b != None {
		return kind + " " + span(a, b)
	}
	return thinNumbers(p.Title)
}

// countText is how many parts the file has, by their kind.
func (f *openFile) countText() string {
	noun := "part"
	switch {
	case f.parts.Text():
		noun = "line"
	case f.isLog():
		noun = "batch"
	case strings.Contains(f.view.Name, "index"):
		noun = "entry"
	}
	return count(int64(f.parts.Len()), noun)
}

// drawRows draws the parts and fields around the selected row.
func (f *openFile) drawRows(r canvas.Region, lines *clicks) {
	f.seen = r.H()
	from, to := f.list.Show(r.H(), len(f.rows))
	for y, row := range f.rows[from:to] {
		switch {
		case row.field == partRow:
			f.drawPart(r, y, row.part)
		case row.field == headingRow:
			x := r.Put(2, y, fmt.Sprintf("record %d", row.record), theme.Name)
			if row.unpacked {
				r.Put(x+2, y, "decompressed", theme.Label)
			}
		default:
			if fl, ok := f.fieldOf(row); ok {
				drawField(r, y, fl)
			}
		}
		lines.add(r, y, from+y)
		if from+y == f.list.Selected {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(r, r.W()-1, from, to, len(f.rows))
}

// drawPart is the row of a part: what it is, what it says, where it lies, and
// whether its checksum is right.
func (f *openFile) drawPart(r canvas.Region, y, i int) {
	p := f.part(i)
	sign := glyph.Closed
	if f.isOpen(i) {
		sign = glyph.Opened
	}
	r.Put(1, y, string(sign), theme.Label)
	style := theme.Name
	if p.Damage != nil {
		style = theme.Refused | theme.Bold
	}
	right := r.W() - 2
	mark := checkMark(p.CRC, damageOf(p))
	// That something is wrong is told in a sign, whatever room the title wants.
	x := r.Put(3, y, cell.Truncate(partTitle(p), max(6, right-3-2-mark.Width())), style) + 2
	at := "byte " + cell.Thin(p.At)
	if x+cell.Width(at)+12 <= right {
		r.PutRight(right, y, at, theme.Label)
		right -= max(cell.Width(at), 12) + 2
	}
	if mark.Width() > 0 && x+mark.Width() <= right {
		r.PutLine(right-mark.Width(), y, mark)
		right -= mark.Width() + 2
	}
	r.PutLine(x, y, canvas.T(thinNumbers(p.Summary), theme.Label).Truncate(max(0, right-x)))
}

// drawPartMeaning says of the selected part what its row may have no room for.
func drawPartMeaning(r canvas.Region, p engine.FilePart) {
	line := canvas.T(partTitle(p)+"  ", theme.Focus).Add(count(int64(len(p.Data)), "byte")+" at byte "+cell.Thin(p.At)+"  ", theme.Label).
		Add(thinNumbers(p.Summary), theme.Text)
	if wrong := damageOf(p); wrong != "" {
		line = line.Add("  "+thinNumbers(wrong), theme.Refused)
	}
	if r.H() == 1 {
		r.PutLine(0, 0, line.Truncate(r.W()))
		return
	}
	r.PutLines(0, 0, line.Wrap(r.W()))
}
