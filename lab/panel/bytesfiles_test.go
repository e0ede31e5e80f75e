package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

// filesScript makes a replica with all kinds of files that producers can make.
const filesScript = `topic create orders replicas=2 internal.segment.bytes=600 index.interval.bytes=100
produce orders count=20 batch=3 key=k{n} value=hello header.source=web
producer P compression.type=gzip
produce orders count=2 value=paid as=P
tick 6s
`

// rolledScript adds what a segment has that has been closed.
const rolledScript = filesScript + "roll orders/0\ntick 6s\n"

// tornScript leaves broker-2 with half a batch at the end of its log.
const tornScript = filesScript + "disk broker-2 torn=200\ncrash broker-2\n"

// filesModel is a real cluster after the script, with the learner free to look.
func filesModel(t testing.TB, script string) (*console.Session, Model) {
	s := session(t, script)
	return s, modelOf(s, NoFocus())
}

// opened is the panel with a file open.
func opened(t testing.TB, m Model, name string) *Bytes {
	t.Helper()
	p := &Bytes{}
	press(p, m, "o")
	for i := range p.files.count() {
		if p.files.at(i).Name == name {
			p.files.rows.Selected = i
			press(p, m, "enter")
			return p
		}
	}
	t.Fatalf("no file %s", name)
	return nil
}

func TestBytesListsTheFiles(t *testing.T) {
	_, m := filesModel(t, rolledScript)
	p := &Bytes{}
	press(p, m, "o")
	got := text(p, m, 100, 40)
	for _, want := range []string{
		"files of orders/0 on broker-1", "orders-0", "the log directory",
		"00000000000000000012.log", "record batches from offset 12 on", "00000000000000000022.snapshot", "the producers as of offset 22",
		"leader-epoch-checkpoint", "partition.metadata", "replication-offset-checkpoint", "high watermarks", "meta.properties",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	press(p, m, "]")
	if got := text(p, m, 100, 40); !strings.Contains(got, "files of orders/0 on broker-2") {
		t.Errorf("not the other replica:\n%s", got)
	}
	if p.Cursor(m).Replica.Broker != 2 {
		t.Errorf("%+v", p.Cursor(m))
	}
	press(p, m, "backspace")
	if p.Nested(m) {
		t.Error("the list is still open")
	}
}

// Each field of each file can be reached, is named, and the bytes that are lit
// are its own.
func TestBytesOfEveryFile(t *testing.T) {
	s, m := filesModel(t, rolledScript)
	folder, root := s.Cluster().ReplicaFiles(engineReplica())
	fields := 0
	for _, v := range append(folder, root...) {
		p := opened(t, m, v.Name)
		if v.Bytes == 0 {
			if got := text(p, m, 62, 28); !strings.Contains(got, "The file is empty.") {
				t.Errorf("%s:\n%s", v.Name, got)
			}
			continue
		}
		for part := range p.files.file.parts.Len() {
			p.files.file.turns[part] = !p.files.file.isOpen(part) != p.files.file.turns[part]
		}
		p.files.file.lay()
		press(p, m, "home")
		for at := -1; at != p.files.file.list.Selected; press(p, m, "down") {
			f := p.files.file
			at = f.list.Selected
			row := f.rows[at]
			fl, ok := f.fieldOf(row)
			if !ok {
				continue
			}
			fields++
			data, _, _ := f.bytesOf(row)
			c := drawn(p, m, 62, 80)
			hex := strings.ReplaceAll(hexText(data[fl.Offset:fl.Offset+fl.Size]), " ", "")
			if got := litDump(c); got != hex {
				t.Fatalf("%s %s: lit %s, want %s in\n%s", v.Name, fl.Name, got, hex, c.Text())
			}
			if !strings.Contains(c.Text(), fl.Name) {
				t.Fatalf("%s is not named in\n%s", fl.Name, c.Text())
			}
		}
	}
	if fields < 300 {
		t.Errorf("only %d fields", fields)
	}
}

// litDump is what is lit above the rows of the parts, without the characters.
func litDump(c *canvas.Canvas) string {
	var b strings.Builder
	for y, line := range strings.Split(c.Text(), "\n") {
		if strings.ContainsAny(line, "▾▸") {
			break
		}
		for x, r := range []rune(line) {
			if c.StyleAt(x, y)&theme.Selected != 0 && r != ' ' {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

func TestBytesShowsTheCRC(t *testing.T) {
	for _, tt := range []struct {
		command, want, mark string
	}{
		{"tick 1ms", "✓ right", "✓ crc"},
		{"disk broker-1 flip=orders/0:0:100", "✗ wrong", "✗ crc"},
		{"disk broker-1 flip=orders/0:0:0", "✓ right ✗ at 0: offset 72 057 594 037 927 936 is none of this segment", "✗ damaged"},
		{"disk broker-1 flip=orders/0:0:8", "declares 16 777 352 bytes, 546 are left", "✗ damaged"},
	} {
		_, m := filesModel(t, filesScript+tt.command+"\n")
		p := opened(t, m, "00000000000000000000.log")
		press(p, m, "home")
		if got := text(p, m, 62, 28); !strings.Contains(strings.Join(strings.Fields(got), " "), tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.command, tt.want, got)
		}
		if got := text(p, m, 62, 13); !strings.Contains(got, tt.mark) {
			t.Errorf("%s: no %q in\n%s", tt.command, tt.mark, got)
		}
	}
}

// The files of a broker that is down are there to be read, torn as they are.
func TestBytesOfABrokerThatIsDown(t *testing.T) {
	_, m := filesModel(t, tornScript)
	m.Focus.Replica.Broker = 2
	p := opened(t, m, "00000000000000000012.log")
	press(p, m, "end")
	got := text(p, m, 62, 40)
	if got = strings.Join(strings.Fields(got), " "); !strings.Contains(got, "torn batch") || !strings.Contains(got, "declares 139 bytes, 61 are left") {
		t.Errorf("nothing is torn in\n%s", got)
	}
}

// While a prediction is open the files stay shut: the answer would be in them.
func TestBytesKeepsTheFilesShut(t *testing.T) {
	_, m := filesModel(t, filesScript)
	p := &Bytes{}
	press(p, m, "o", "enter")
	m.Focus.Revealed = false
	if p.Nested(m) {
		t.Error("a file is open")
	}
	if _, mine := p.Key(strike("o"), m); mine || strings.Contains(text(p, m, 62, 28), "all files") {
		t.Error("the files can be opened")
	}
	m.Focus.Revealed = true
	press(p, m, "o", "enter")
	p.Open(Cursor{}, m)
	if p.Nested(m) {
		t.Error("opened from another panel, it does not show the batch")
	}
}

// What follows the opening of a file keeps its place while the learner acts in
// the live page, and gives it up when the focus moves on.
func TestBytesKeepsTheFileWhileLive(t *testing.T) {
	s, m := filesModel(t, filesScript)
	m.Focus.Live = true
	p := opened(t, m, "leader-epoch-checkpoint")
	if _, err := s.Run("produce orders"); err != nil {
		t.Fatal(err)
	}
	m.View = s.Cluster().View()
	m.Focus.Since = m.View.LastEvent
	if !p.Nested(m) || !strings.Contains(text(p, m, 62, 28), "leader-epoch-checkpoint on broker-1") {
		t.Error("it is shut")
	}
	m.Focus.Replica.Topic = "other"
	if p.Nested(m) {
		t.Error("it is open at another topic")
	}
}

// Whatever the learner does among the files, the panel stays in its region and
// its keys are its own.
func TestBytesFilesMonkey(t *testing.T) {
	_, m := filesModel(t, tornScript+"disk broker-1 flip=orders/0:0:8\n")
	m.Focus.Replica.Topic = "orders"
	keys := []string{"o", "enter", "down", "up", "left", "right", "[", "]", "home", "end", "pgup", "pgdown", "backspace", "j", "k", "h", "l"}
	rapid.Check(t, func(t *rapid.T) {
		p := &Bytes{}
		w, h := rapid.IntRange(0, 120).Draw(t, "w"), rapid.IntRange(0, 50).Draw(t, "h")
		c := canvas.New(w+6, h+4)
		for range rapid.IntRange(1, 25).Draw(t, "keys") {
			k := rapid.SampledFrom(keys).Draw(t, "key")
			shown := slices.ContainsFunc(p.Keys(m), func(b key.Binding) bool { return slices.Contains(b.Keys(), k) })
			if _, mine := p.Key(strike(k), m); mine != shown {
				t.Fatalf("key %s taken %v, shown %v", k, mine, shown)
			}
			c.Reset(w+6, h+4)
			c.Region().Fill(c.Region().Rect(), '@', theme.Text)
			r := c.Region().Sub(geom.Rect{X: 3, Y: 2, W: w, H: h})
			r.Clear()
			p.Draw(r, m)
			checkFrame(t, c, w, h)
		}
	})
}

func TestBytesFilesByClick(t *testing.T) {
	_, m := filesModel(t, filesScript)
	p := &Bytes{}
	press(p, m, "o")
	drawn(p, m, 62, 28)
	at := func(name string) int {
		for y, line := range strings.Split(text(p, m, 62, 28), "\n") {
			if strings.Contains(line, name) {
				return y
			}
		}
		t.Fatalf("no %s", name)
		return 0
	}
	for range 2 {
		if _, mine := p.Click(5, at("partition.metadata"), m); !mine {
			t.Fatal("the row is not clicked")
		}
	}
	if got := text(p, m, 62, 28); !strings.Contains(got, "topic_id") {
		t.Fatalf("it is not open:\n%s", got)
	}
	y := at("line 2")
	p.Click(5, y, m)
	p.Click(5, y, m)
	if got := text(p, m, 62, 28); !strings.Contains(got, "▸ line 2") {
		t.Errorf("the part is not shut:\n%s", got)
	}
}

func TestBytesFilesGoldens(t *testing.T) {
	_, m := filesModel(t, rolledScript)
	_, damaged := filesModel(t, tornScript+"disk broker-1 flip=orders/0:0:100\n")
	torn := damaged
	torn.Focus.Replica = engine.ReplicaName{Topic: "orders", Broker: 2}
	list := &Bytes{}
	press(list, m, "o")
	for _, tt := range []struct {
		name string
		p    *Bytes
		m    Model
		keys []string
	}{
		{"bytes-files", list, m, nil},
		{"bytes-log", opened(t, m, "00000000000000000012.log"), m, nil},
		{"bytes-index", opened(t, m, "00000000000000000000.index"), m, []string{"down"}},
		{"bytes-snapshot", opened(t, m, "00000000000000000022.snapshot"), m, []string{"down"}},
		{"bytes-checkpoint", opened(t, m, "replication-offset-checkpoint"), m, []string{"end"}},
		{"bytes-flipped", opened(t, damaged, "00000000000000000000.log"), damaged, nil},
		{"bytes-torn", opened(t, torn, "00000000000000000012.log"), torn, []string{"end", "o"}},
	} {
		for _, size := range [][2]int{{52, 26}, {62, 28}, {80, 12}, {120, 50}} {
			name := fmt.Sprintf("%s-%dx%d", tt.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				drawn(tt.p, tt.m, size[0], size[1])
				press(tt.p, tt.m, tt.keys...)
				kittest.Golden(t, name, drawn(tt.p, tt.m, size[0], size[1]))
			})
			tt.keys = nil
		}
	}
}
