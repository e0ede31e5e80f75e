package panel

import (
	"fmt"
	"strings"
	"testing"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/kittest"
)

// The nine cells, as Kafka 4.4 answers them: acks=all is refused below
// min.insync.replicas, acks=1 is not, and what it appended then is below no high
// watermark (KIP-966).
func TestMatrixOutcomes(t *testing.T) {
	p := &Matrix{}
	m := newFake(3).model(NoFocus())
	press(p, m, "M")
	for i, row := range [3][3]string{
		{"no answer 2 2 true", "no answer 2 2 true", "no answer 1 2 false"},
		{"ok 2 2 true", "ok 2 2 true", "ok 1 2 false"},
		{"ok 2 2 true", "ok 2 2 true", "NOT_ENOUGH_REPLICAS 1 1 false"},
	} {
		for j, want := range row {
			c := p.cells[i][j]
			if c.failed != "" {
				t.Fatalf("acks=%s, ISR %s: %s", matrixAcks[i], matrixSizes[j], c.failed)
			}
			if got := fmt.Sprintf("%s %s %s %v", c.answer, c.hw, c.leo, c.readable); got != want {
				t.Errorf("acks=%s, ISR of %s: %s, want %s", matrixAcks[i], matrixSizes[j], got, want)
			}
			if len(strings.Split(c.isr, ",")) != 3-j {
				t.Errorf("ISR %s in the column of %s", c.isr, matrixSizes[j])
			}
			if errs := console.Check(c.script); len(errs) > 0 {
				t.Errorf("%s: %v", c.script, errs[0])
			}
		}
	}
}

// A frame runs nothing, and a key runs what it says.
func TestMatrixRunsWhenAsked(t *testing.T) {
	p := &Matrix{}
	m := newFake(3).model(NoFocus())
	if got := text(p, m, 62, 28); !strings.Contains(got, "0 of 9 run") || p.cells != [3][3]*trial{} {
		t.Fatalf("a frame ran something:\n%s", got)
	}
	press(p, m, "down", "down", "right", "right", "m")
	got := text(p, m, 62, 28)
	for _, want := range []string{"1 of 9 run", "NOT_ENOUGH_", "shutdown broker-2", "not appended", "NOT_ENOUGH_REPLICAS"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	first := p.cells[2][2]
	press(p, m, "m")
	if p.cells[2][2] != first {
		t.Error("it ran again")
	}
}

func TestMatrixKeepsTheAnswer(t *testing.T) {
	p := &Matrix{}
	m := newFake(3).model(NoFocus())
	press(p, m, "M")
	m.Focus.At, m.Focus.Revealed = "matrix.all-1", false
	for _, k := range anyKeys {
		if _, mine := p.Key(strike(k), m); mine {
			t.Errorf("key %s", k)
		}
	}
	if got := text(p, m, 62, 28); strings.Contains(got, "NOT_ENOUGH") || strings.Contains(got, "acknowledged") {
		t.Errorf("it tells\n%s", got)
	}
	m.Focus.Revealed = true
	if got := text(p, m, 62, 28); !strings.Contains(got, "acks=all, ISR of 1") {
		t.Errorf("the cell that is lit:\n%s", got)
	}
}

func TestMatrixGoldens(t *testing.T) {
	run, fresh := &Matrix{}, &Matrix{}
	m := newFake(3).model(NoFocus())
	press(run, m, "M", "down", "right", "right")
	for _, size := range [][2]int{{52, 26}, {62, 28}, {80, 12}, {120, 50}} {
		for name, p := range map[string]*Matrix{"matrix": run, "matrix-fresh": fresh} {
			full := fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			t.Run(full, func(t *testing.T) { kittest.Golden(t, full, drawn(p, m, size[0], size[1])) })
		}
	}
}
