package panel

import (
	"fmt"
	"strings"
	"testing"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/theme"
)

// rowOf is the n-th row that shows a message, and its number.
func rowOf(t *testing.T, shown string, n int) (line string, y int) {
	t.Helper()
	for y, l := range strings.Split(shown, "\n") {
		if strings.Contains(l, "41.") && strings.Contains(l, "│") {
			if n == 0 {
				return l, y
			}
			n--
		}
	}
	t.Fatalf("no such row in\n%s", shown)
	return "", 0
}

// A request is a whole line, an answer dots; the head is at the receiver; what
// has not arrived is amber and has none.
func TestSequenceArrows(t *testing.T) {
	f := newFake(3)
	f.story()
	c := drawn(&Sequence{}, f.model(NoFocus()), 90, 30)
	for n, want := range []string{
		"│───── Produce v13 ────►│                   │                   │",
		"│                       │◄────── Fetch v13",
		"│                       │······ Fetch v13",
		"│◄···· Produce v13 ·····│",
		"│…──",
	} {
		line, y := rowOf(t, c.Text(), n)
		squeezed := squeeze(line)
		if !strings.Contains(squeezed, squeeze(want)) {
			t.Errorf("row %d: %s\nwant    %s", n, line, want)
		}
		if n == 4 {
			x := strings.IndexRune(line, '…')
			if got := c.StyleAt(len([]rune(line[:x])), y).Hue(); got != theme.Waiting {
				t.Errorf("what is under way is %v", got)
			}
		}
	}
	if head := strings.Split(c.Text(), "\n")[2]; strings.Join(strings.Fields(head), " ") != "app broker-1 broker-2 broker-3" {
		t.Errorf("lifelines %q", head)
	}
}

// squeeze takes out how long lines and gaps are.
func squeeze(s string) string {
	for _, sign := range []string{"─", "·", " "} {
		for strings.Contains(s, sign+sign) {
			s = strings.ReplaceAll(s, sign+sign, sign)
		}
	}
	return s
}

func TestSequenceDetail(t *testing.T) {
	f := newFake(3)
	f.story()
	m := f.model(NoFocus())
	p := &Sequence{}
	if got := text(p, m, 62, 28); !strings.Contains(got, "Fetch request   broker-3 → broker-1") || !strings.Contains(got, "under way") {
		t.Errorf("the newest message:\n%s", got)
	}
	press(p, m, "home")
	got := text(p, m, 62, 28)
	for _, want := range []string{
		"Produce request   app → broker-1", "key 0   version 13   correlation 7   connection client",
		"126 B   sent 41.000   arrived 41.001   answered 41.003", "00 00 00 0d 01 02 03",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if c := p.Cursor(m); c.Event != 2 || c.Node != "app" {
		t.Errorf("the cursor is %+v", c)
	}
}

// Where lifelines stand close, what a message is stands beside its arrow, in
// full, and nodes go by short names.
func TestSequenceOfManyNodes(t *testing.T) {
	f := newFake(3)
	for i := 1; i <= 6; i++ {
		f.send(41_000+int64(i), fmt.Sprintf("broker-%d", i), "controller-7", "BrokerHeartbeat", int32(i), false, true)
	}
	f.send(41_010, "broker-1", "broker-6", "OffsetForLeaderEpoch", 9, false, true)
	got := text(&Sequence{}, f.model(NoFocus()), 60, 20)
	if strings.Contains(got, "too many") || !strings.Contains(got, "b1    b2    b3    b4    b5    b6    c7") {
		t.Errorf("seven lifelines in 60 columns:\n%s", got)
	}
	for _, want := range []string{"BrokerHeartbeat v13", "OffsetForLeaderEpoch"} {
		if strings.Count(got, want) < 1 {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "BrokerHeartbeat"); n != 6 {
		t.Errorf("%d of 6 heartbeats are named\n%s", n, got)
	}
}

func TestSequenceWithoutRoomOrMessages(t *testing.T) {
	f := newFake(3)
	f.story()
	got := text(&Sequence{}, f.model(NoFocus()), 30, 14)
	if strings.Contains(got, "│") || !strings.Contains(got, "broker-1 ··► broker-") {
		t.Errorf("four lifelines in 30 columns:\n%s", got)
	}
	focus := NoFocus()
	focus.Since = trace.ID(len(f.events))
	if got := text(&Sequence{}, f.model(focus), 62, 28); !strings.Contains(got, "No message since the step began.") {
		t.Errorf("\n%s", got)
	}
}
