package dump

import (
	"bufio"
	"io"
)

// jsonOutput prints one object a file, piece by piece, so that a log of any size
// takes the memory of one batch.
type jsonOutput struct {
	w       *bufio.Writer
	list    string // the name of the list that was begun
	damages []*Damage
	ok      bool
}

func newJSONOutput(w io.Writer) *jsonOutput {
	return &jsonOutput{w: bufio.NewWriter(w), ok: true}
}

func (j *jsonOutput) begin(n fileName) {
	j.list, j.damages = "", nil
	j.w.WriteString(`{"file":` + compactJSON(n.path))
	if n.isLog() {
		j.start("batches")
	} else {
		j.start("entries")
	}
}

// start begins the list, which is there even if it stays empty.
func (j *jsonOutput) start(list string) { j.w.WriteString(`,"` + list + `":[`) }

func (j *jsonOutput) add(v any) {
	j.w.WriteString(j.list)
	j.w.WriteString(compactJSON(v))
	j.list = ","
}

func (j *jsonOutput) note(string) {}

func (j *jsonOutput) batch(b Batch) { j.add(b) }

func (j *jsonOutput) entry(e Entry) { j.add(e) }

func (j *jsonOutput) damage(d *Damage) {
	if d != nil {
		j.ok = false
		j.damages = append(j.damages, d)
	}
}

func (j *jsonOutput) end() {
	j.w.WriteByte(']')
	if len(j.damages) > 0 {
		j.w.WriteString(`,"damage":` + compactJSON(j.damages))
	}
	j.w.WriteString("}\n")
	j.w.Flush()
}
