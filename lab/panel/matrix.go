package panel

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/keys"
)

// Matrix is the panel `matrix`: what a producer hears, and a consumer reads, for
// each acks and each size of the ISR, with three replicas and
// min.insync.replicas=2. Each cell is run, on a cluster of its own, when the
// learner asks for it.
//
// matrix.all-2 lights a cell: acks=all, two in the ISR. While its prediction is
// open, nothing is told.
type Matrix struct {
	focus    Focus
	row, col int
	cells    [3][3]*trial
	places   clicks
}

// The cases of the matrix.
var (
	matrixAcks  = [3]string{"0", "1", "all"}
	matrixSizes = [3]string{"3", "2", "1"}
)

// trial is a cell that was run.
type trial struct {
	script   string
	answer   string // what the producer heard
	code     string // the error's name, empty for none
	message  string
	hw, leo  string
	isr      string
	appended bool
	readable bool
	failed   string // why there is no result
}

// matrixScript leaves the ISR at a size, and produces one record.
func matrixScript(acks, size string) string {
	lines := []string{
		"cluster brokers=3",
		"topic create t partitions=1 replicas=3 min.insync.replicas=2",
		"produce t/0 value=before",
	}
	lines = append(lines, map[string][]string{"2": {"shutdown broker-3"}, "1": {"shutdown broker-3", "shutdown broker-2"}}[size]...)
	return strings.Join(append(lines, "produce t/0 value=probe acks="+acks), "\n") + "\n"
}

// try runs a cell.
func try(acks, size string) *trial {
	t := &trial{script: matrixScript(acks, size)}
	s := console.NewSession(console.Options{})
	outs, err := s.Run(t.script)
	if err != nil {
		t.failed = err.Error()
		return t
	}
	last := outs[len(outs)-1]
	switch {
	case last.Err != nil:
		t.code, t.message, t.answer = last.Err.Code.String(), last.Err.Message, last.Err.Code.String()
	case acks == "0":
		t.answer = "no answer"
	default:
		t.answer = "ok"
	}
	if _, err := s.Exec("tick 1s"); err != nil {
		t.failed = err.Error()
		return t
	}
	t.hw, t.leo, t.isr = evalText(s, "t/0.hw"), evalText(s, "t/0.leo"), evalText(s, "t/0.isr")
	t.appended = t.leo == "2"
	out, err := s.Exec("consume t/0 from=1")
	if err != nil {
		t.failed = err.Error()
		return t
	}
	t.readable = out.Err == nil && evalText(s, "last.count") == "1"
	return t
}

// Name is matrix.
func (p *Matrix) Name() string { return "matrix" }

// Typing is never true.
func (p *Matrix) Typing() bool { return false }

// sync goes to the cell that the lesson lights, when the lesson goes on.
func (p *Matrix) sync(m Model) {
	if p.focus == m.Focus {
		return
	}
	p.focus = m.Focus
	thing, here := m.Focus.lit("matrix")
	acks, size, ok := strings.Cut(thing, "-")
	if !here || !ok {
		return
	}
	for i := range matrixAcks {
		if matrixAcks[i] == acks {
			p.row = i
		}
		if matrixSizes[i] == size {
			p.col = i
		}
	}
}

// asks tells that the lesson asks for what the panel would tell.
func (p *Matrix) asks(m Model) bool {
	_, here := m.Focus.lit("matrix")
	return here && !m.Focus.Revealed
}

// Keys move among the cells and run them.
func (p *Matrix) Keys(m Model) []key.Binding {
	p.sync(m)
	if p.asks(m) {
		return nil
	}
	return []key.Binding{
		keys.Bind("m", "run this one", "m", "enter"), keys.Bind("M", "run all"),
		keys.Bind("↑↓", "acks", "up", "down", "k", "j"), keys.Bind("←→", "ISR", "left", "right", "h", "l"),
	}
}

// Key moves, or runs.
func (p *Matrix) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	p.sync(m)
	if p.asks(m) {
		return nil, false
	}
	switch msg.String() {
	case "up", "k":
		p.row = max(0, p.row-1)
	case "down", "j":
		p.row = min(2, p.row+1)
	case "left", "h":
		p.col = max(0, p.col-1)
	case "right", "l":
		p.col = min(2, p.col+1)
	case "m", "enter":
		p.run(p.row, p.col)
	case "M":
		for i := range p.cells {
			for j := range p.cells[i] {
				p.run(i, j)
			}
		}
	default:
		return nil, false
	}
	return nil, true
}

// Click selects a cell, and runs it if it is selected.
func (p *Matrix) Click(x, y int, m Model) (Action, bool) {
	p.sync(m)
	n, ok := p.places.at(x, y)
	switch {
	case !ok || p.asks(m):
		return nil, false
	case p.row == n/3 && p.col == n%3:
		return p.Key(enter, m)
	}
	p.row, p.col = n/3, n%3
	return nil, true
}

// run runs a cell once: the same commands give the same result.
func (p *Matrix) run(row, col int) {
	if p.cells[row][col] == nil {
		p.cells[row][col] = try(matrixAcks[row], matrixSizes[col])
	}
}

// Cursor is nothing of the lesson's cluster.
func (p *Matrix) Cursor(m Model) Cursor {
	r, _ := m.replica()
	return Cursor{Replica: r, Offset: None}
}

// evalText is the value of a path, as it is written.
func evalText(s *console.Session, path string) string {
	v, err := s.Eval(path)
	if err != nil {
		return "?"
	}
	return v.String()
}
