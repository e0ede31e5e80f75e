package panel

import (
	"fmt"
	"strings"
	"testing"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"

	"kafkalab/lab/kit/kittest"
)

// benchmarkFrame draws a panel of a real cluster and writes the frame, as a
// screen does after each key. The log of "long" has 20 times the batches.
func benchmarkFrame(b *testing.B, name string, focus Focus, keys ...string) {
	for _, times := range []int{1, 20} {
		script := strings.Replace(seekLesson, "tick 10m\n", strings.Repeat("produce orders size=95 count=1000 batch=10\n", times), 1)
		b.Run(fmt.Sprintf("%d", times), func(b *testing.B) {
			m := modelOf(session(b, script), focus)
			p := made(b, name)
			c := canvas.New(62, 28)
			painter := kittest.Painter(b, "dark", theme.Dark, theme.TrueColor, false)
			press(p, m, keys...)
			b.ReportAllocs()
			for b.Loop() {
				c.Reset(62, 28)
				p.Draw(c.Region(), m)
				c.Render(painter)
			}
		})
	}
}

func BenchmarkFramePanelLog(b *testing.B)      { benchmarkFrame(b, "log", NoFocus(), "up", "up") }
func BenchmarkFramePanelIndex(b *testing.B)    { benchmarkFrame(b, "index", seek(1085)) }
func BenchmarkFramePanelBrowse(b *testing.B)   { benchmarkFrame(b, "index", NoFocus(), "left") }
func BenchmarkFramePanelSequence(b *testing.B) { benchmarkFrame(b, "sequence", NoFocus(), "up") }
func BenchmarkFramePanelEvents(b *testing.B)   { benchmarkFrame(b, "events", NoFocus(), "up") }
func BenchmarkFramePanelISR(b *testing.B)      { benchmarkFrame(b, "isr", liveFocus()) }
func BenchmarkFramePanelLedger(b *testing.B)   { benchmarkFrame(b, "ledger", NoFocus()) }
func BenchmarkFramePanelMatrix(b *testing.B)   { benchmarkFrame(b, "matrix", NoFocus(), "M") }
func BenchmarkFramePanelBytes(b *testing.B)    { benchmarkFrame(b, "bytes", seek(1085)) }

// The view of the cleaner is asked for once as long as nothing happens.
func BenchmarkFramePanelCleaner(b *testing.B)   { benchmarkFrame(b, "cleaner", liveFocus()) }
func BenchmarkFramePanelRetention(b *testing.B) { benchmarkFrame(b, "retention", liveFocus()) }

// BenchmarkFramePanelReplicasUnderLoad draws three replicas of which one is
// behind, after thousands of produces: the panels look back in what happened,
// and no farther than they show.
func BenchmarkFramePanelReplicasUnderLoad(b *testing.B) {
	s := session(b, strings.Replace(behindLesson, "tick 19s\n", strings.Repeat("produce orders value=x count=1000 batch=1\n", 5)+"tick 19s\n", 1))
	for _, name := range []string{"isr", "ledger"} {
		b.Run(name, func(b *testing.B) {
			m := modelOf(s, liveFocus())
			p := made(b, name)
			c := canvas.New(62, 28)
			painter := kittest.Painter(b, "dark", theme.Dark, theme.TrueColor, false)
			p.Draw(c.Region(), m)
			b.ReportAllocs()
			for b.Loop() {
				c.Reset(62, 28)
				p.Draw(c.Region(), m)
				c.Render(painter)
			}
		})
	}
}
