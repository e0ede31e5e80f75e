package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// scanPart is the walk over batch headers; only where it starts, while that is
// what is asked for.
func (s *seekSight) scanPart() part {
	if s.stage < stageScan {
		return part{2, 2, 2, func(r canvas.Region) {
			r.Put(0, 0, cell.TruncateStart(segmentFile(s.look.SegmentBase, ".log"), r.W()), theme.Name)
			r.Pen(2, 1).Put("the scan starts at byte ", theme.Label).Put(cell.Thin(int64(s.look.Start)), theme.Name)
		}}
	}
	view := scanView{
		segment: s.look.SegmentBase, start: s.look.Start, list: s.look.Scanned, found: s.look.Found,
		target: s.target, leo: s.log.LEO, hw: s.log.HW, whole: s.stage == stageAll,
	}
	rows := 6
	if view.open() {
		rows++
	}
	return part{4, rows, 1, func(r canvas.Region) { drawScan(r, view) }}
}

// scanView is a walk over batch headers, by offset or by time.
type scanView struct {
	segment int64
	start   int32
	list    []scanned // the last one is the hit, if found
	found   bool
	target  int64 // offset that is looked for, or that was found by time
	leo, hw int64
	byTime  bool
	whole   bool // else only what the walk compares is told: where each batch ends
}

// open tells that the offset is there, and not yet for consumers to read.
func (v scanView) open() bool { return v.found && v.hw >= 0 && v.target >= v.hw && !v.byTime }

// hue is the colour of the hit.
func (v scanView) hue() theme.Style {
	if v.open() {
		return theme.Open
	}
	return theme.Committed
}

// drawScan draws the strip of batches that were walked over, and what the walk
// came to.
func drawScan(r canvas.Region, v scanView) {
	r.Put(0, 0, cell.TruncateStart(segmentFile(v.segment, ".log"), r.W()), theme.Name)
	if len(v.list) == 0 {
		r.Put(2, 1, "no batch from byte "+cell.Thin(int64(v.start))+" on", theme.Label)
		v.outcome(r, 2)
		return
	}
	indent := 2
	if r.W() < 40 {
		indent = 0
	}
	x := r.Put(indent, 1, cell.Thin(int64(v.start))+" ", theme.Label)
	tail := v.tail()
	w := min(30, r.W()-x-cell.Width(tail)-2)
	if w < 12 {
		tail, w = "", min(30, r.W()-x)
	}
	strip := v.strip()
	strip.Draw(r, x, 1, w)
	r.Put(x+w+2, 1, tail, theme.Label)
	if x >= len("ends ")+indent {
		r.PutRight(x-1, 2, "ends", theme.Label)
	}
	v.labels(r.Sub(geom.Rect{X: x, Y: 2, W: r.W() - x, H: 1}), strip.Cells(w))
	y := 3
	if r.H() >= 6 {
		y = 4
	}
	v.outcome(r, y)
}

// strip has a section for each batch, in proportion to its bytes.
func (v scanView) strip() widget.Strip {
	var strip widget.Strip
	for i, b := range v.list {
		p := widget.Part{N: int64(b.Size), Sign: glyph.Dark, Style: theme.Muted}
		if v.found && i == len(v.list)-1 {
			p.Sign, p.Style = glyph.Full, v.hue()
		}
		strip = append(strip, p)
	}
	return strip
}

func (v scanView) tail() string {
	switch hit := v.list[len(v.list)-1]; {
	case !v.found:
		return "nothing at or past " + cell.Thin(v.target)
	case hit.Base > v.target && v.whole:
		return "the first past " + cell.Thin(v.target)
	case len(v.list) == 1:
		return cell.Thin(v.target) + " is in the first"
	}
	return cell.Thin(v.target) + " is in the last"
}

// labels puts the batches' last offsets below them, the hit's before all: these
// are what the walk compares with the target.
func (v scanView) labels(r canvas.Region, cells []int) {
	starts := make([]int, len(cells))
	x := 0
	for i, n := range cells {
		starts[i] = x
		x += n
	}
	hit := len(cells) - 1
	text := cell.Thin(v.list[hit].Last)
	limit := min(starts[hit], r.W()-cell.Width(text))
	style := theme.Label
	if v.found {
		style = v.hue()
	}
	r.Put(limit, 0, text, style)
	free := 0
	for i := range hit {
		text := cell.Thin(v.list[i].Last)
		if starts[i] >= free && starts[i]+cell.Width(text) < limit {
			free = r.Put(starts[i], 0, text, theme.Label) + 1
		}
	}
}

// outcome says how much was read and skipped, and where the hit lies.
func (v scanView) outcome(r canvas.Region, y int) {
	bytes := int64(0)
	skipped := v.list
	if v.found {
		skipped = v.list[:len(v.list)-1]
	}
	for _, b := range skipped {
		bytes += int64(b.Size)
	}
	read := facts{}.add("read", count(int64(len(v.list)), "header"), theme.Text)
	if len(skipped) > 0 {
		read = read.add("skipped", count(int64(len(skipped)), "batch")+", "+cell.Size(bytes), theme.Text)
	}
	indent := 2
	if r.W() < 40 {
		indent = 0
	}
	read.draw(r, indent, y)
	if !v.found {
		if y++; y < r.H() {
			v.nothing(r, indent, y)
		}
		return
	}
	hit := v.list[len(v.list)-1]
	f := facts{}.add("batch", span(hit.Base, hit.Last), v.hue()|theme.Bold)
	if !v.whole {
		f = facts{}.add("batch ends with", cell.Thin(hit.Last), v.hue()|theme.Bold)
	}
	f.add("at byte", cell.Thin(int64(hit.Position)), v.hue()|theme.Bold).
		add("", cell.Size(int64(hit.Size)), theme.Text).draw(r, indent, y+1)
	if v.open() {
		r.Put(indent, y+2, "not below the high watermark "+cell.Thin(v.hw)+": a consumer waits", theme.Open)
	}
}

func (v scanView) nothing(r canvas.Region, x, y int) {
	text := "nothing there"
	if v.target == v.leo {
		text = cell.Thin(v.target) + " is the log end offset: a fetch waits here for data"
	}
	r.Put(x, y, cell.Truncate(text, r.W()-x), theme.Waiting)
}
