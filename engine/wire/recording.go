package wire

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"kafkalab/engine/broker"
)

// Recording writes what happens to a cluster as lines of the lab's language:
// run again, they give the same trace. The zero pointer records nothing.
type Recording struct {
	w    *bufio.Writer
	wait int64 // ms that have passed since the last line
	due  bool  // something may have happened by itself since then
	err  error
}

// NewRecording records to w.
func NewRecording(w io.Writer) *Recording { return &Recording{w: bufio.NewWriterSize(w, 64<<10)} }

// Line writes a line that the cluster's user has given.
func (r *Recording) Line(text string) { r.command(text) }

func (r *Recording) command(text string) {
	if r == nil {
		return
	}
	r.passed()
	r.write(text)
}

func (r *Recording) commandf(format string, args ...any) {
	if r != nil {
		r.command(fmt.Sprintf(format, args...))
	}
}

// tick notes that time has passed; how often it was told makes no difference.
func (r *Recording) tick(ms int64) {
	if r != nil {
		r.wait += ms
		r.due = true
	}
}

func (r *Recording) passed() {
	if r.due {
		r.write("tick " + strconv.FormatInt(r.wait, 10) + "ms")
		r.wait, r.due = 0, false
	}
}

func (r *Recording) write(line string) {
	if _, err := r.w.WriteString(line); err != nil {
		r.err = err
	}
	if err := r.w.WriteByte('\n'); err != nil {
		r.err = err
	}
}

func (r *Recording) flush() error {
	if r == nil {
		return nil
	}
	if err := r.w.Flush(); err != nil {
		r.err = err
	}
	return r.err
}

// End writes how much time has passed since the last line.
func (r *Recording) End() error {
	if r == nil {
		return nil
	}
	r.passed()
	return r.flush()
}

func advertiseLine(at []broker.Endpoint) string {
	words := []string{"advertise"}
	for _, e := range at {
		words = append(words, net.JoinHostPort(e.Host, strconv.Itoa(int(e.Port))))
	}
	return strings.Join(words, " ")
}
