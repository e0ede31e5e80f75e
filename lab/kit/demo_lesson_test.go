package kit_test

import (
	"testing"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

func lessonFrame(r canvas.Region, left int, title, step string, at, of int, clock string) geom.Layout {
	l := geom.Arrange(r.W(), r.H(), geom.Plan{Left: left, SaysRows: 99, Page: geom.PageShows})
	title1 := canvas.T(title, theme.Name).Add("   "+step+"  ", theme.Label)
	widget.Frame{
		Title:  append(title1, widget.Dots(at, of)...),
		Status: canvas.T("t ", theme.Label).Add(clock, theme.Text).Add("  paused", theme.Amber),
		Keys: widget.KeyLine{
			keys.Bind("←→", "steps", "left", "right"), keys.Bind("tab", "live"), keys.Bind("b", "lens"), keys.Bind("w", "why"),
			keys.Bind("f", "fork"), keys.Bind("i", "how true"), keys.Bind(":", "console"), keys.Bind("?", "keys"),
		},
	}.Draw(r, l)
	return l
}

func drawQuestion(r canvas.Region, heading, prose, question, answer string) {
	r.Put(0, 0, heading, theme.Name)
	y := r.PutLines(0, 2, markdown.Render(prose, r.W()))
	r.Put(0, y+1, "PREDICT", theme.Focus|theme.Bold)
	y = r.PutLines(0, y+2, markdown.Render(question, r.W()))
	r.Put(1, y+1, string(glyph.Prompt), theme.Focus|theme.Bold)
	in := widget.Input{Allow: widget.Digits}
	in.Set(answer)
	in.Draw(r.Sub(geom.Rect{X: 3, Y: y + 1, W: 22, H: 1}), true)
	widget.Hints(r.Pen(1, y+3), 3, keys.Bind("enter", "answer"), keys.Bind("space", "skip", " "))
}

func drawISR(r canvas.Region) {
	l := lessonFrame(r, 36, "The ISR and the high watermark", "step 4 of 7", 4, 7, cell.Clock(41250))
	drawQuestion(r.Sub(l.Inner(l.Says)), "broker-3 has stopped fetching",
		"The leader keeps two clocks for each follower: its last fetch, and when it last held all that the leader had. Only this one counts.\n\n"+
			"After **30 s** the next check drops it from the ISR. Until then the high watermark waits for it.",
		"Up to which offset may a consumer read now?", "1007")
	p := r.Sub(l.Inner(l.Shows))
	p.Pen(0, 0).Put("orders/0", theme.Name).Gap(3).Put("3 replicas", theme.Label).Gap(3).
		Put("min.insync.replicas", theme.Label).Gap(1).Put("2", theme.Text).Gap(3).Put("ISR", theme.Label).Gap(1).Put("1,2,3", theme.Committed|theme.Bold)
	drawReplica(p, 2, "broker-1", "leader", theme.Leader, glyph.Filled, 1007, "")
	drawReplica(p, 3, "broker-2", "in sync", theme.Follower, glyph.Filled, 1007, "0.2 s")
	drawReplica(p, 4, "broker-3", "STALLED", theme.Waiting|theme.Bold, glyph.Gone, 1002, "21.3 s")
	p.Pen(33, 5).Sign(glyph.Up, 1, theme.Committed).Put(" high watermark ", theme.Label).Put("1 002", theme.Committed|theme.Bold)
	pen := p.Pen(0, 7).Put("behind for ", theme.Label).Put("21.3 s", theme.Waiting|theme.Bold).Put(" of 30 ", theme.Label)
	widget.Bar{Part: 213, Whole: 300, Style: theme.Waiting}.Draw(p, pen.X(), 7, 14)
	pen.Gap(16).Put("next check in ", theme.Label).Put("18.8 s", theme.Text)
	p.Put(0, 9, "waiting", theme.Name)
	p.Pen(2, 10).Put("#14", theme.Label).Gap(2).Put("acks=all", theme.Text).Gap(2).Put("offset ", theme.Label).Put("1 006", theme.Text).
		Gap(2).Put("needs ", theme.Label).Put("broker-3", theme.Waiting).Gap(3).Put("29.8 s left", theme.Label)
	drawEvents(p)
	p.Pen(0, 18).Sign(glyph.Bar, 1, theme.Committed).Put(" committed   ", theme.Label).Sign(glyph.Bar, 1, theme.Open).
		Put(" not yet committed   ", theme.Label).Sign(glyph.Dot, 1, theme.Faint).Put(" not there", theme.Label)
}

func drawReplica(p canvas.Region, y int, name, state string, s theme.Style, sign rune, leo int64, age string) {
	p.Pen(0, y).Sign(sign, 1, s).Gap(1).Put(name, theme.Text).Gap(1).Put(state, s)
	widget.Strip{
		{N: 15, Sign: glyph.Bar, Style: theme.Committed},
		{N: leo - 1002, Sign: glyph.Bar, Style: theme.Open},
		{N: 1007 - leo, Sign: glyph.Dot, Style: theme.Faint},
	}.Draw(p, 19, y, 20)
	p.Pen(41, y).Put("LEO ", theme.Label).Put(cell.Thin(leo), theme.Strong)
	p.PutRight(58, y, age, s&^theme.Bold)
}

func drawEvents(p canvas.Region) {
	p.Put(0, 12, "what happened", theme.Name)
	for i, e := range []struct {
		ms    int64
		actor canvas.Span
		what  canvas.Line
	}{
		{41250, canvas.S("broker-2", theme.Follower), canvas.T("fetches from 1 007: has everything", theme.Text)},
		{41020, canvas.S("broker-1", theme.Leader), canvas.T("appends 1 record at 1 006, epoch 3", theme.Text)},
		{40980, canvas.S("app", theme.Consumer), canvas.T("── Produce acks=all ──▸ ", theme.Label).Add("broker-1", theme.Leader)},
		{19950, canvas.S("broker-3", theme.Waiting), canvas.T("held everything for the last time", theme.Text)},
	} {
		p.Pen(2, 13+i).Number(6, cell.Clock(e.ms), theme.Label).Gap(2).Fit(10, e.actor.Text, e.actor.Style).Line(e.what)
	}
}

func drawSeek(r canvas.Region) {
	l := lessonFrame(r, 38, "Offset seek", "step 3 of 6", 3, 6, cell.Clock(0))
	drawQuestion(r.Sub(l.Inner(l.Says)), "Binary search in the index",
		"The index is sparse: an entry comes with the first batch after more than 4 096 bytes. The search finds the last entry at or before the target, and the scan goes on from there.",
		"At which byte does the scan start?", "57840")
	p := r.Sub(l.Inner(l.Shows))
	p.Pen(0, 0).Put("orders/0", theme.Name).Put(" on broker-1", theme.Label).Gap(6).Put("target offset ", theme.Label).Put("1 500", theme.Focus|theme.Bold)
	for i, s := range []struct{ base, what string }{{"0", "118 KiB"}, {"1000", "118 KiB"}, {"2000", "active  49"}} {
		style := theme.Label
		if i == 1 {
			style = theme.Focus
		}
		box := geom.Rect{X: 2 + i*17, Y: 2, W: 17 - i/2*3, H: 3}
		p.Box(box, style).Put(1, 0, s.what, style)
		p.Put(box.X+4, box.Y, " "+s.base+" ", style)
	}
	p.Put(26, 4, string(glyph.Up), theme.Focus)
	p.Put(21, 5, "floor of 1 500 among the base offsets", theme.Label)
	p.Pen(0, 7).Put("00000000000000001000.index", theme.Name).Gap(3).Put("29 entries, 8 bytes each", theme.Label)
	drawProbes(p.Sub(geom.Rect{Y: 8, W: p.W(), H: 6}))
	p.Put(0, 15, "00000000000000001000.log", theme.Name)
	p.Pen(2, 16).Put("57 840 ", theme.Label).Sign(glyph.Dark, 16, theme.Muted).Sign(glyph.Full, 8, theme.Teal).Gap(2).Put("1 500 is in the third", theme.Label)
	p.Pen(10, 17).Put("482     491     500", theme.Label)
	p.Pen(2, 19).Put("read ", theme.Label).Put("3 batches, "+cell.Size(12240), theme.Text).Gap(3).Put("skipped ", theme.Label).Put("18 records", theme.Text)
}

func drawProbes(p canvas.Region) {
	table := widget.Table{
		Columns: []widget.Column{
			{Right: true, Style: theme.Label},
			{Title: "slot", Right: true, Style: theme.Label},
			{Title: "relative", Right: true, Style: theme.Label},
			{Title: "position", Right: true, Style: theme.Label},
			{Style: theme.Label},
		},
		Rows: [][]canvas.Span{
			widget.Row("1", "14", "238", "28 560", "≤ 500, look right"),
			widget.Row("2", "21", "357", "42 840", "≤ 500, look right"),
			widget.Row("3", "25", "425", "51 000", "≤ 500, look right"),
			widget.Row("4", "27", "459", "55 080", "≤ 500, look right"),
			{canvas.S("5", theme.Name), canvas.S("28", theme.Name), canvas.S("482", theme.Name), canvas.S("57 840", theme.Name), canvas.S("the floor", theme.Focus)},
		},
		Selected: 4, Indent: 2,
	}
	table.Draw(p)
}

func TestDemoLesson(t *testing.T) {
	for name, draw := range map[string]func(canvas.Region){"isr-100x30": drawISR, "seek-100x30": drawSeek} {
		c := canvas.New(100, 30)
		draw(c.Region())
		kittest.Golden(t, name, c)
	}
}

// A help sheet over a screen.
func TestDemoHelp(t *testing.T) {
	c := canvas.New(100, 30)
	r := c.Region()
	drawHome(r)
	help := widget.Help{
		{Title: "Move", Keys: homeKeys()[:2]},
		{Title: "Learn", Keys: homeKeys()[2:5]},
		{Title: "Everywhere", Keys: homeKeys()[5:]},
	}
	help.Draw(widget.Modal(r, "Keys", 66, help.Height(66, 20)), 0)
	kittest.Golden(t, "help-100x30", c)
}
