package kit_test

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

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

// The demos draw screens of the lab with invented numbers, to hold that the
// kit can: the goldens show how they look.

func homeKeys() []key.Binding {
	return []key.Binding{
		keys.Bind("↑↓", "move", "up", "down"), keys.Bind("enter", "open"), keys.Bind("r", "review 4"),
		keys.Bind("d", "drills"), keys.Bind("s", "sandbox"), keys.Bind("/", "search"),
		keys.Bind(":", "console"), keys.Bind("?", "keys"), keys.Bind("q", "quit"),
	}
}

type mapRow struct {
	title          string
	cleared, total int64
	lesson, open   bool
}

var mapRows = []mapRow{
	{"Storage", 8, 20, false, false},
	{"Replication", 4, 24, false, true},
	{"The producer write path", 3, 3, true, false},
	{"The ISR and the high watermark", 1, 4, true, false},
	{"Leader failover and epochs", 0, 5, true, false},
	{"KRaft: the metadata quorum", 0, 6, true, false},
	{"Unclean election: what is lost", 0, 6, true, false},
	{"Compaction", 0, 18, false, false},
	{"Exactly once", 0, 30, false, false},
	{"Consumer groups", 0, 40, false, false},
	{"Running Kafka", 0, 36, false, false},
}

func drawHome(r canvas.Region) {
	l := geom.Arrange(r.W(), r.H(), geom.Plan{Left: 58, SaysRows: 99})
	widget.Frame{
		Title: canvas.T("Kafka internals lab", theme.Name),
		Status: canvas.T("checks ", theme.Label).Add("17", theme.Strong).Add("/168", theme.Label).
			Add("   due today ", theme.Label).Add("4", theme.Due|theme.Bold),
		Keys: homeKeys(),
	}.Draw(r, l)
	if l.Small {
		return
	}
	column := l.Inner(l.Says)
	column.X, column.W = column.X-1, column.W+1 // the selected row reaches to the edge
	drawMap(r.Sub(column))
	drawAbout(r.Sub(l.Inner(l.Shows).Pad(1, 0, 0, 0)))
}

func drawMap(r canvas.Region) {
	for y, row := range mapRows {
		count := cell.Thin(row.cleared) + "/" + cell.Thin(row.total)
		if row.lesson {
			sign, style := glyph.Todo, theme.Muted
			switch {
			case row.cleared == row.total:
				sign, style = glyph.Done, theme.Cleared
			case row.cleared > 0:
				sign, style = glyph.Half, theme.Open
			}
			name := theme.Text
			if y == 3 {
				name = theme.Name
			}
			r.Pen(4, y).Sign(sign, 1, style).Gap(1).Put(row.title, name)
			r.PutRight(53, y, count, theme.Label)
			if y == 3 {
				widget.Select(r, geom.Rect{Y: y, W: 55, H: 1}, 3, theme.Focus)
			}
			continue
		}
		sign := glyph.Closed
		if row.open {
			sign = glyph.Opened
		}
		r.Pen(1, y).Sign(sign, 1, theme.Label).Gap(1).Put(row.title, theme.Name)
		widget.Bar{Part: row.cleared, Whole: row.total, Style: theme.Cleared}.Draw(r, 31, y, 12)
		r.PutRight(50, y, count, theme.Label)
	}
}

func drawAbout(r canvas.Region) {
	r.Put(0, 0, "The ISR and the high watermark", theme.Name)
	r.Put(0, 1, "15 min · 7 steps · 4 checks", theme.Label)
	y := r.PutLines(0, 3, markdown.Render("Which replicas count, who decides, and what a consumer may see while one of them is slow.", 34))
	r.Put(0, y+1, "You will", theme.Label)
	y = r.PutLines(0, y+2, markdown.Render(`
- predict what a consumer reads while a follower is stalled
- tell acks=all from committed
- make a produce fail on purpose`, 34))
	r.Pen(0, y+1).Put("Needs", theme.Label).Gap(2).Sign(glyph.Done, 1, theme.Cleared).Gap(1).Put("The producer write path", theme.Text)
	r.Pen(0, y+3).Put("Last time", theme.Label).Gap(2).Put("step 3 of 7, 2 days ago", theme.Text)
	widget.Button(r.Pen(0, y+5), keys.Bind("enter", "continue at step 4"))
}

func TestDemoHome(t *testing.T) {
	for _, size := range []struct {
		name string
		w, h int
	}{{"home-100x30", 100, 30}, {"home-80x24", 80, 24}, {"home-60x15", 60, 15}} {
		c := canvas.New(size.w, size.h)
		drawHome(c.Region())
		kittest.Golden(t, size.name, c)
	}
}

// BenchmarkFrameHome is a frame of a whole screen, its prose laid out anew.
func BenchmarkFrameHome(b *testing.B) {
	p := kittest.Painter(b, "dark", theme.Dark, theme.TrueColor, false)
	c := canvas.New(100, 30)
	b.ReportAllocs()
	for b.Loop() {
		c.Reset(100, 30)
		drawHome(c.Region())
		c.Render(p)
	}
}
