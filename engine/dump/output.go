package dump

import (
	"bufio"
	"fmt"
	"io"
)

// output takes what a file holds, in its order.
type output interface {
	begin(n fileName)
	note(line string) // a line that is no batch and no entry
	batch(b Batch)    // with the records that could be read
	entry(e Entry)    // of an index, a snapshot, a checkpoint
	damage(d *Damage) // nil is none
	end()
}

// Entry is one entry of an index, a producer snapshot or a checkpoint.
type Entry interface {
	// Line is the entry as it is printed.
	Line() string
}

// textOutput prints lines.
type textOutput struct {
	w    *bufio.Writer
	opt  Options
	file fileName
	ok   bool
}

func newTextOutput(w io.Writer, opt Options) *textOutput {
	return &textOutput{w: bufio.NewWriter(w), opt: opt, ok: true}
}

func (t *textOutput) begin(n fileName) {
	t.file = n
	t.note("Dumping " + n.path)
}

func (t *textOutput) note(line string) {
	t.w.WriteString(line)
	t.w.WriteByte('\n')
}

func (t *textOutput) batch(b Batch) {
	t.note(b.Line())
	for _, r := range b.Records {
		t.note(r.line(t.opt.SkipMetadata))
	}
}

func (t *textOutput) entry(e Entry) { t.note(e.Line()) }

func (t *textOutput) damage(d *Damage) {
	if d != nil {
		t.ok = false
		fmt.Fprintf(t.w, "%s: %v\n", t.file.path, d)
	}
}

func (t *textOutput) end() { t.w.Flush() }
