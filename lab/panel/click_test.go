package panel

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

// lively is a cluster in which every panel has rows.
const lively = `cluster brokers=3
topic create orders replicas=3 internal.segment.bytes=4KiB index.interval.bytes=500
producer p1 linger.ms=50
produce orders/0 count=40 size=100 batch=1
produce orders/0 value=hello as=p1
produce orders/0 value=more as=p1 wait=false
`

// compacted makes a pass over the log of lively.
const compacted = `topic alter orders cleanup.policy=compact
produce orders/0 key=k1 value=a
produce orders/0 key=k2 value=b
produce orders/0 key=k1 value=c
produce orders/0 key=k2 tombstone
roll orders/0
compact orders/0
`

// framed is a panel on a terminal, away from its corner.
func framed(p Panel, m Model, w, h int) *canvas.Canvas {
	c := canvas.New(w+5, h+3)
	p.Draw(c.Region().Sub(geom.Rect{X: 3, Y: 2, W: w, H: h}), m)
	return c
}

// litRow is the text of the first row in which something is selected, but for
// dumps of bytes, and rowText what a row says.
func litRow(c *canvas.Canvas) string {
	for y := range strings.Split(c.Text(), "\n") {
		for x := range 40 {
			if c.StyleAt(x, y)&theme.Selected != 0 && !hexRow.MatchString(rowText(c, y)) {
				return rowText(c, y)
			}
		}
	}
	return ""
}

var hexRow = regexp.MustCompile(`^\d+ +[0-9a-f]{2} [0-9a-f]{2} `)

func rowText(c *canvas.Canvas, y int) string {
	return strings.TrimSpace(strings.TrimLeft(strings.Split(c.Text(), "\n")[y], " ▌●◌·█†"))
}

// begins is the first two words of a row: columns may move when another row is
// selected.
func begins(row string) string {
	words := strings.Fields(row)
	return strings.Join(words[:min(2, len(words))], " ")
}

// A click on a row of a panel selects it, wherever the panel stands; elsewhere
// it does nothing.
func TestClicksSelectRows(t *testing.T) {
	for _, tt := range []struct {
		panel string
		rows  int // at least
		keys  []string
	}{
		{"log", 5, nil}, {"index", 2, nil}, {"sequence", 8, nil}, {"sequence", 10, []string{"o"}}, {"events", 10, nil}, {"isr", 3, nil},
		{"cleaner", 5, nil}, {"retention", 2, nil}, {"ledger", 8, nil}, {"producer", 2, nil}, {"matrix", 9, nil}, {"bytes", 8, nil},
	} {
		t.Run(tt.panel+strings.Join(tt.keys, ""), func(t *testing.T) {
			script := lively
			if tt.panel == "cleaner" {
				script += compacted
			}
			m := modelOf(session(t, script), liveFocus())
			p := made(t, tt.panel)
			press(p, m, tt.keys...)
			framed(p, m, 80, 30)
			rows, x := 0, 3+8
			if tt.panel == "matrix" {
				x = 3 + 20
			}
			for y := range 33 {
				shown := framed(p, m, 80, 30)
				before := rowText(shown, y)
				if tt.panel != "sequence" && tt.panel != "cleaner" && strings.ContainsAny(before, "┌│└") {
					continue // a segment: TestClickOnASegment
				}
				if before != "" && before == litRow(shown) && tt.panel != "matrix" {
					rows++ // selected already: a click opens it
					continue
				}
				if _, mine := p.(Clicked).Click(x, y, m); !mine {
					continue
				}
				rows++
				c := framed(p, m, 80, 30)
				if got := litRow(c); !slices.Contains([]string{"matrix", "bytes"}, tt.panel) && begins(got) != begins(before) || got == "" {
					t.Fatalf("a click on row %d, %q, selects %q:\n%s", y, before, got, c.Text())
				}
				p = made(t, tt.panel)
				press(p, m, tt.keys...)
				framed(p, m, 80, 30)
			}
			if rows < tt.rows {
				t.Errorf("%d rows take a click, want %d:\n%s", rows, tt.rows, framed(p, m, 80, 30).Text())
			}
			if _, mine := p.(Clicked).Click(0, 0, m); mine {
				t.Error("a click beside the panel is taken")
			}
		})
	}
}

// A click on the box of a segment goes to that segment.
func TestClickOnASegment(t *testing.T) {
	m := modelOf(session(t, lively), liveFocus())
	l := &Log{}
	framed(l, m, 80, 30)
	if _, mine := l.Click(10, 5, m); !mine || l.Cursor(m).Offset != 0 {
		t.Errorf("the log is at %+v", l.Cursor(m))
	}
	p := &Index{}
	framed(p, m, 80, 30)
	if _, mine := p.Click(10, 5, m); !mine || p.Cursor(m).Offset >= l.Cursor(m).Offset+30 {
		t.Errorf("the index is at %+v", p.Cursor(m))
	}
}

// A second click on a row opens what enter opens there.
func TestSecondClickOpens(t *testing.T) {
	for _, tt := range []struct{ panel, lens string }{{"log", "bytes"}, {"ledger", "bytes"}, {"events", "bytes"}} {
		m := modelOf(session(t, lively), liveFocus())
		p := made(t, tt.panel)
		framed(p, m, 80, 30)
		opened := ""
		for y := range 33 {
			for range 2 {
				a, _ := p.(Clicked).Click(11, y, m)
				if l, ok := a.(Lens); ok && l.Name == tt.lens {
					opened = l.Name
				}
				framed(p, m, 80, 30)
			}
		}
		if opened != tt.lens {
			t.Errorf("%s opens %q, want %q", tt.panel, opened, tt.lens)
		}
	}
	m := modelOf(session(t, lively), liveFocus())
	p := &Sequence{}
	framed(p, m, 80, 30)
	for y := 33; y > 0 && !p.Nested(m); y-- {
		p.Click(11, y, m)
		framed(p, m, 80, 30)
		p.Click(11, y, m)
	}
	if !p.Nested(m) {
		t.Error("no message is opened by a second click")
	}
}
