package panel

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

// openAt opens the newest message for which a test holds.
func openAt(t *testing.T, m Model, holds func(trace.Message) bool) *Sequence {
	t.Helper()
	all := m.Reader.EventsSince(0)
	for i := len(all) - 1; i >= 0; i-- {
		if sent, ok := all[i].Body.(trace.MessageSent); ok && holds(sent.Message) {
			p := &Sequence{}
			p.Open(Cursor{Event: all[i].ID}, m)
			return p
		}
	}
	t.Fatal("no such message")
	return nil
}

func isRequest(api string) func(trace.Message) bool {
	return func(m trace.Message) bool { return m.API == api && !m.Response && m.From == "app" }
}

func TestOpenMessage(t *testing.T) {
	m := modelOf(session(t, "cluster brokers=1\ntopic create orders\nproduce orders/0 count=3 value=hello acks=1\n"), NoFocus())
	p := openAt(t, m, isRequest("Produce"))
	got := text(p, m, 80, 60)
	for _, want := range []string{
		"Produce request   app → broker-1   acks=1 orders-0 3 records", "RequestApiKey", "Produce", "CorrelationId", "ClientId", "TransactionalId", "null",
		"the leader alone", "▾ TopicData", "1 × TopicProduceData", "▾ [0]  TopicProduceData", "orders", "▾ PartitionData", "Index",
		"▸ Records", "3 records from base offset 0", "_tagged_fields",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "baseOffset") {
		t.Errorf("the records are open at first:\n%s", got)
	}
	// Records open, and shut again.
	for range 30 {
		press(p, m, "down")
		if s, _ := p.opened.look(m); s.rows[p.opened.list.Selected].name == "Records" {
			break
		}
	}
	press(p, m, "o")
	got = text(p, m, 80, 90)
	for _, want := range []string{"▾ Records", "batch 0  3 records", "baseOffset", "partitionLeaderEpoch", "record 2", "hello"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	press(p, m, "enter")
	if got = text(p, m, 80, 60); strings.Contains(got, "baseOffset") {
		t.Errorf("the records do not shut:\n%s", got)
	}
	if c := p.Cursor(m); c.Node != "app" || c.Event == 0 {
		t.Errorf("the cursor is %+v", c)
	}
	press(p, m, "backspace")
	if p.Nested(m) || !strings.Contains(text(p, m, 80, 40), "what crossed the wire") {
		t.Error("backspace does not go back to all messages")
	}
}

// The bytes of the selected field are lit, and no others.
func TestOpenMessageLightsItsBytes(t *testing.T) {
	m := modelOf(session(t, "cluster brokers=1\ntopic create orders\nproduce orders/0 acks=1\n"), NoFocus())
	p := openAt(t, m, isRequest("Produce"))
	c := canvas.New(80, 60)
	for _, want := range []struct{ name, hex string }{
		{"RequestApiKey", "0000"}, {"RequestApiVersion", "000d"},
	} {
		press(p, m, "down")
		c.Reset(80, 60)
		p.Draw(c.Region(), m)
		if got := strings.ReplaceAll(litHexIn(c), " ", ""); !strings.HasPrefix(got, want.hex) {
			t.Errorf("%s: lit is %q, want %q", want.name, got, want.hex)
		}
	}
}

// litHexIn is what is lit in the dump, above the list of fields.
func litHexIn(c *canvas.Canvas) (lit string) {
	lines := strings.Split(c.Text(), "\n")
	for y, line := range lines {
		if strings.Contains(line, "Size") && strings.Contains(line, "int32") {
			break
		}
		for x, r := range []rune(line) {
			if c.StyleAt(x, y)&theme.Selected != 0 && x < 56 {
				lit += string(r)
			}
		}
	}
	return lit
}

// The messages before and behind the open one are opened in its place, and a
// walk back in time shuts what is not there any more.
func TestOtherMessages(t *testing.T) {
	s := session(t, "cluster brokers=1\ntopic create orders\nproduce orders/0 acks=1\n")
	m := modelOf(s, NoFocus())
	p := openAt(t, m, isRequest("Produce"))
	id := p.opened.id
	press(p, m, "]")
	if got := text(p, m, 80, 40); p.opened.id <= id || !strings.Contains(got, "Produce response") || !strings.Contains(got, "BaseOffset") {
		t.Errorf("the answer is not open:\n%s", got)
	}
	press(p, m, "[")
	if p.opened.id != id {
		t.Errorf("message %d is open, want %d", p.opened.id, id)
	}
	m.View.LastEvent = id - 1
	if p.Nested(m) {
		t.Error("a message of the future is open")
	}
}

// producing is a Produce request of ten records to orders, whose id the
// cluster knows.
func producing(f *fake) trace.Message {
	id := [16]byte{0xc4, 0x1b, 15: 7}
	f.view.Topics[1].ID = topicID(id)
	b, _, _ := f.BatchBytes(engineReplica(), 3)
	req := kmsg.NewPtrProduceRequest()
	req.SetVersion(13)
	req.Acks, req.TimeoutMillis = -1, 30_000
	req.Topics = []kmsg.ProduceRequestTopic{{TopicID: id, Partitions: []kmsg.ProduceRequestTopicPartition{{Records: b}}}}
	payload := sim.EncodeRequest(req, 7, "app")
	return trace.Message{From: "app", To: "broker-1", API: "Produce", Version: 13, Correlation: 7, Bytes: len(payload) + 4, Conn: "client", Payload: payload}
}

// An open message on a small panel, beside a lesson, and alone.
func TestMessageGoldens(t *testing.T) {
	f := newFake(3)
	f.emit(41_000, "app", trace.MessageSent{Message: producing(f)})
	m := f.model(NoFocus())
	for _, size := range [][2]int{{52, 26}, {62, 28}, {120, 50}, {80, 12}} {
		name := fmt.Sprintf("message-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			p := &Sequence{}
			press(p, m, "o", "end", "up", "up", "up", "o", "down", "down")
			c := canvas.New(size[0], size[1])
			p.Draw(c.Region(), m)
			kittest.Golden(t, name, c)
		})
	}
}

// A message whose bytes were not kept says so.
func TestMessageWithoutBytes(t *testing.T) {
	f := newFake(3)
	f.emit(1, "app", trace.MessageSent{Message: trace.Message{From: "app", To: "broker-1", API: "Produce", Version: 13, Bytes: 1 << 20, Conn: "client"}})
	m := f.model(NoFocus())
	p := &Sequence{}
	press(p, m, "o")
	if got := text(p, m, 70, 20); !strings.Contains(got, "the bytes of this message were not kept") {
		t.Errorf("\n%s", got)
	}
	press(p, m, "esc", "k", "o")
	p.Key(tea.KeyMsg{Type: tea.KeyEnter}, m) // nothing to open in it
}
