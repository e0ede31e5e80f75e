package panel

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
)

// lit is the text of the cells that are selected in the first rows of a frame,
// which are the dump's.
func litHex(c *canvas.Canvas, rows int) string {
	var b strings.Builder
	for y, line := range strings.Split(c.Text(), "\n")[:rows] {
		for x, r := range []rune(line) {
			if c.StyleAt(x, y)&theme.Selected != 0 && r != ' ' {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// Each field of the batch and of the entries that lead to it can be reached,
// and the bytes that are lit are its own.
func TestBytesLightsTheField(t *testing.T) {
	f := newFake(235)
	m := f.model(seek(1085))
	p := &Bytes{}
	press(p, m, "home")
	s := p.look(m)
	fields, want := 0, 0
	for _, b := range s.blocks {
		want += len(b.fields)
	}
	for at := -1; at != p.list.Selected; press(p, m, "down") {
		at = p.list.Selected
		row := s.rows[at]
		fl := s.blocks[row.block].fields[row.field]
		c := drawn(p, m, 62, 60)
		rows := 0
		for y, line := range strings.Split(c.Text(), "\n") {
			if strings.HasPrefix(line, "index entry") || y > 30 {
				rows = y
				break
			}
		}
		hex := strings.ReplaceAll(hexText(s.blocks[row.block].data[fl.Offset:fl.Offset+fl.Size]), " ", "")
		if got := litHex(c, rows); got != hex {
			t.Fatalf("%s: lit %s, want %s in\n%s", fl.Name, got, hex, c.Text())
		}
		if !strings.Contains(c.Text(), fl.Name) {
			t.Fatalf("%s is not named in\n%s", fl.Name, c.Text())
		}
		fields++
	}
	if fields != want {
		t.Errorf("came by %d fields of %d", fields, want)
	}
}

func TestBytesMovesByRecord(t *testing.T) {
	f := newFake(235)
	m := f.model(seek(1085))
	p := &Bytes{}
	name := func() string {
		s := p.look(m)
		row := s.rows[p.list.Selected]
		return s.blocks[row.block].title + " " + s.blocks[row.block].fields[row.field].Name
	}
	var way []string
	for _, k := range []string{"", "right", "right", "left", "left", "left", "left", "left"} {
		if k != "" {
			press(p, m, k)
		}
		way = append(way, name())
	}
	want := "batch header baseOffset, batch header length, batch header length, batch header length, batch header baseOffset, " +
		"time index entry 0 timestamp, index entry 0 relative offset, index entry 0 relative offset"
	if got := strings.Join(way, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBytesSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		name  string
		f     *fake
		focus Focus
		want  string
	}{
		{"empty", newFake(0), NoFocus(), "orders/0 has no batch yet."},
		{"at the end", newFake(3), seek(30), "No batch holds offset 30."},
		{"asked for", newFake(235), asked("index.entry", 1085), "The batch is looked for: predict first."},
		{"down", newFake(3), Focus{Replica: engine.ReplicaName{Topic: "orders", Broker: 3}, Target: 5, TargetMs: None, Revealed: true}, "broker-3 is not up"},
		{"no partition", newFake(3), Focus{Replica: engine.ReplicaName{Topic: "nothing"}, Target: 5, TargetMs: None, Revealed: true}, "There is no partition nothing/0."},
	} {
		if got := text(&Bytes{}, tt.f.model(tt.focus), 62, 28); !strings.Contains(got, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.want, got)
		}
	}
}

// A dump shows every byte once, at any width.
func TestDump(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "data")
		w := rapid.IntRange(12, 120).Draw(t, "w")
		d := dump{data: data, at: rapid.Int64Range(0, 1<<31).Draw(t, "at"), style: func(int) theme.Style { return theme.Text }}
		if d.shape(w).perRow == 1 {
			return
		}
		c := canvas.New(w, d.rowsFor(w))
		d.draw(c.Region(), 0)
		s := d.shape(w)
		var got []string
		for _, line := range strings.Split(c.Text(), "\n") {
			end := len(line)
			if s.textAt > 0 {
				end = s.textAt
			}
			got = append(got, strings.Fields(line[s.hexAt:end])...)
		}
		if strings.Join(got, " ") != hexText(data) {
			t.Fatalf("got  %s\nwant %s", strings.Join(got, " "), hexText(data))
		}
	})
}

// What a lesson lights as a whole log is no part of a lookup: once it has been
// told, the batch is shown.
func TestBytesOfALogThatIsLit(t *testing.T) {
	f := newFake(235)
	focus := asked("log", 1085)
	if got := text(&Bytes{}, f.model(focus), 62, 28); !strings.Contains(got, "predict first") {
		t.Errorf("\n%s", got)
	}
	focus.Revealed = true
	if got := text(&Bytes{}, f.model(focus), 62, 28); strings.Contains(got, "predict first") || !strings.Contains(got, "batch header") {
		t.Errorf("\n%s", got)
	}
}
