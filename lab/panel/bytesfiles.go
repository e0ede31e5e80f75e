package panel

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// files are the files of a replica, for the lens: their list, and the one of
// them that is open. The files of a broker that is down can be read too.
type files struct {
	listing  bool // the list is open, or a file of it
	replica  replica
	rows     widget.List // in the list
	seen     int         // rows in the last frame
	file     *openFile   // nil while none is
	folder   []engine.FileView
	root     []engine.FileView
	batchOf  string // the file of the batch that the lens shows, empty for none
	batchPos int64  // where that batch lies
}

// open tells that the list is shown, or a file.
func (f *files) open() bool { return f.listing }

func (f *files) shut() { *f = files{} }

// there tells that the files of the replica at the focus can be looked at. While
// a prediction is open they are kept shut: the answer would be in them.
func (f *files) there(m Model) bool {
	_, reads := m.Reader.(engine.FileReader)
	r, ok := m.replica()
	return reads && m.Focus.Revealed && (ok || partitionOf(m.View, r) != nil)
}

// list opens the list at the file of the batch that the lens shows.
func (f *files) list(m Model, s *sheet) {
	*f = files{listing: true}
	f.replica, _ = m.replica()
	for _, b := range s.blocks {
		if b.records && b.file != inMemory {
			f.batchOf, f.batchPos = b.file, b.at
		}
	}
	f.read(m)
	f.rows.Selected = max(0, slices.IndexFunc(f.folder, func(v engine.FileView) bool { return v.Name == f.batchOf }))
}

// read lists the files anew: they come and go with what happens.
func (f *files) read(m Model) {
	selected := f.at(f.rows.Selected).Path
	f.folder, f.root = m.Reader.(engine.FileReader).ReplicaFiles(f.replica)
	for i := range f.count() {
		if selected != "" && f.at(i).Path == selected {
			f.rows.Selected = i
		}
	}
	f.rows.Selected = max(0, min(f.rows.Selected, f.count()-1))
}

func (f *files) count() int { return len(f.folder) + len(f.root) }

// at is a file of the list, an empty one where there is none.
func (f *files) at(i int) engine.FileView {
	switch {
	case i < 0 || i >= f.count():
		return engine.FileView{}
	case i < len(f.folder):
		return f.folder[i]
	}
	return f.root[i-len(f.folder)]
}

// keys are those of the list, or of the open file.
func (f *files) keys(m Model) []key.Binding {
	if f.file != nil {
		return []key.Binding{
			keys.Bind("↑↓", "field", "up", "down", "k", "j"), keys.Bind("←→", "part", "left", "right", "h", "l"),
			keys.Bind("o", "open/shut", "o", "enter"), keys.Bind("[ ]", "other files", "[", "]"), keys.Bind("backspace", "all files"),
			keys.Bind("pgup pgdn", "page", "pgup", "pgdown"), keys.Bind("home", "first", "home"), keys.Bind("end", "last", "end"),
		}
	}
	list := []key.Binding{
		keys.Bind("↑↓", "file", "up", "down", "k", "j"), keys.Bind("o", "open it", "o", "enter"),
		keys.Bind("[ ]", "other replicas", "[", "]"), keys.Bind("backspace", "the batch"),
		keys.Bind("pgup pgdn", "page", "pgup", "pgdown"), keys.Bind("home", "first", "home"), keys.Bind("end", "last", "end"),
	}
	if p := partitionOf(m.View, f.replica); p == nil || len(p.Replicas) < 2 {
		list = slices.Delete(list, 2, 3)
	}
	return list
}

// key moves in the list and opens a file, or moves in that.
func (f *files) key(msg tea.KeyMsg, m Model) (mine bool) {
	f.read(m)
	if f.file != nil {
		return f.keyInFile(msg, m)
	}
	switch msg.String() {
	case "esc", "backspace":
		f.shut()
	case "o", "enter":
		f.openAt(f.rows.Selected, m)
	case "[":
		return f.turn(m, -1)
	case "]":
		return f.turn(m, 1)
	default:
		return f.rows.Key(msg, max(1, f.seen), f.count())
	}
	return true
}

func (f *files) keyInFile(msg tea.KeyMsg, m Model) (mine bool) {
	switch msg.String() {
	case "esc", "backspace":
		f.file = nil
	case "[":
		f.openAt(f.other(-1), m)
	case "]":
		f.openAt(f.other(1), m)
	default:
		f.file.load(m)
		return f.file.key(msg)
	}
	return true
}

// other is the next file in a direction that has bytes, or the same one.
func (f *files) other(by int) int {
	for i := f.rows.Selected + by; i >= 0 && i < f.count(); i += by {
		if f.at(i).Bytes > 0 {
			return i
		}
	}
	return f.rows.Selected
}

func (f *files) openAt(i int, m Model) {
	v := f.at(i)
	if v.Path == "" {
		return
	}
	f.rows.Selected = i
	at := int64(0)
	if v.Name == f.batchOf && i < len(f.folder) {
		at = f.batchPos
	}
	f.file = newOpenFile(v, f.replica.Broker, m, at)
}

// turn goes to the files of another replica of the partition.
func (f *files) turn(m Model, by int) bool {
	p := partitionOf(m.View, f.replica)
	if p == nil || len(p.Replicas) < 2 {
		return false
	}
	name, n := f.at(f.rows.Selected).Name, len(p.Replicas)
	i := max(0, slices.Index(p.Replicas, f.replica.Broker))
	f.replica.Broker = p.Replicas[(i+by+n)%n]
	f.read(m)
	for i := range f.count() {
		if f.at(i).Name == name {
			f.rows.Selected = i
		}
	}
	return true
}

// click selects a row; a file that is selected already is opened, a part turned.
func (f *files) click(n int, m Model) (mine bool) {
	f.read(m)
	list, count := &f.rows, f.count()
	if f.file != nil {
		f.file.load(m)
		list, count = &f.file.list, len(f.file.rows)
	}
	if n >= count {
		return false
	}
	if list.Selected == n {
		return f.key(enter, m)
	}
	list.Selected = n
	return true
}
