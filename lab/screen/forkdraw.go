package screen

import (
	"fmt"
	"strconv"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the choice of presets, then the two futures.
func (f *Fork) Draw(r canvas.Region) {
	if f.two == nil {
		f.drawChoice(r)
		return
	}
	r.Clear()
	l := geom.Arrange(r.W(), r.H(), geom.Plan{})
	title := canvas.T("Two futures", theme.Name).Add("   "+f.two.preset.title, theme.Label)
	status := canvas.T("act on ", theme.Label).Add(f.sideWord(f.acts), theme.Focus|theme.Bold)
	widget.Frame{Title: title, Status: status, Keys: f.Commands().Line()}.Draw(r, l)
	body := l.Shows
	table, halves := body.Bottom(f.tableHeight(body.H) + 1)
	f.tableTop = table.Y
	f.drawHalves(r, halves)
	r.HLine(0, table.Y, r.W(), theme.Rule)
	f.drawTable(r.Sub(table.Pad(1, 1, 1, 0)))
}

func (f *Fork) drawChoice(r canvas.Region) {
	inner := cover(r, "Two futures from this moment")
	f.rows = make([]int, len(presets))
	for i, p := range presets {
		style := theme.Text
		if i == f.pick {
			style = theme.Name
		}
		_, f.rows[i] = inner.Screen(0, i)
		inner.Pen(2, i).Put(string(rune('a'+i)), theme.Key).Gap(2).Put(p.title, style)
		if i == f.pick {
			widget.Select(inner, geom.Rect{Y: i, W: min(inner.W(), textWidth), H: 1}, 0, theme.Focus)
		}
	}
	said := canvas.T("What you do is done on both, unless you choose one. The future that you leave is kept.", theme.Muted)
	y := inner.PutLines(0, len(presets)+1, said.Wrap(min(inner.W(), textWidth)))
	if f.err != nil {
		inner.PutLines(0, y+1, canvas.T(f.err.Error(), theme.Refused).Wrap(inner.W()))
	}
	drawKeys(r, f.Commands())
}

// leastHalf is the height that the panels keep, whatever there is to compare.
const leastHalf = 11

func (f *Fork) tableHeight(h int) int {
	return min(max(len(f.differ)+1, 2), max(h-1-leastHalf, 3))
}

func (f *Fork) drawHalves(r canvas.Region, area geom.Rect) {
	one, rest := area.Left(area.W / 2)
	_, two := rest.Left(1)
	r.VLine(one.X+one.W, area.Y-1, area.H+2, theme.Rule)
	two.W = min(two.W, one.W)
	one.W = two.W
	var inner [2]canvas.Region
	for i, part := range []geom.Rect{one, two} {
		side := f.two.sides[i]
		part = part.Pad(1, 0, 1, 0)
		f.drawHead(r.Sub(part), side, f.acts == onBoth || f.acts == i+onFirst)
		inner[i] = r.Sub(part.Pad(0, 2, 0, 0))
		side.stage.draw(inner[i])
	}
	canvas.MarkDifferent(inner[0], inner[1], theme.Underline|theme.Bold)
}

func (f *Fork) drawHead(r canvas.Region, side *future, acted bool) {
	name := theme.Label
	pen := r.Pen(0, 0)
	if acted {
		pen, name = pen.Put(string(glyph.Prompt)+" ", theme.Focus|theme.Bold), theme.Name
	}
	pen = pen.Put(side.name, name)
	v := side.stage.model.View
	if !side.time.AtPresent() {
		pen.Gap(2).Put("past", theme.Waiting|theme.Bold)
	}
	r.PutRight(r.W(), 0, clockWord(v.TimeMs), theme.Label)
}

// drawTable lists what the two differ in.
func (f *Fork) drawTable(r canvas.Region) {
	if len(f.differ) == 0 {
		r.Put(0, 0, "no difference yet", theme.Muted)
		return
	}
	x := r.W() / 2
	wide := max(min(x-2, 30), 12)
	r.Put(0, 0, "differs", theme.Name)
	r.Put(wide+2, 0, cell.Truncate(f.two.sides[0].name, x-wide), theme.Label)
	second := wide + 2 + (r.W()-wide-2)/2
	r.Put(second, 0, f.two.sides[1].name, theme.Label)
	for i, d := range f.differ {
		if i+1 >= r.H()-1 && i+1 < len(f.differ) {
			r.Put(0, i+1, fmt.Sprintf("and %d more", len(f.differ)-i), theme.Muted)
			return
		}
		r.Put(0, i+1, cell.Truncate(d.label, wide), theme.Text)
		r.Put(wide+2, i+1, cell.Truncate(d.values[0], second-wide-4), theme.Name)
		r.Put(second, i+1, cell.Truncate(d.values[1], r.W()-second), theme.Name)
	}
}

func clockWord(ms int64) string { return "t " + cell.Clock(ms) }

func brokerWord(id int32) string {
	if id < 0 {
		return none
	}
	return fmt.Sprintf("broker-%d", id)
}

func offsetWord(n int64) string {
	if n < 0 {
		return none
	}
	return cell.Thin(n)
}

func idList(ids []int32) string {
	var s []string
	for _, id := range ids {
		s = append(s, strconv.Itoa(int(id)))
	}
	return strings.Join(s, ",")
}
