package canvas_test

import (
	"testing"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

// BenchmarkFrameCanvas is a whole frame of 200x60, drawn and written, with a
// change of style every few cells.
func BenchmarkFrameCanvas(b *testing.B) {
	p := kittest.Painter(b, "dark", theme.Dark, theme.TrueColor, false)
	c := canvas.New(200, 60)
	b.ReportAllocs()
	for b.Loop() {
		c.Reset(200, 60)
		r := c.Region()
		r.HLine(0, 1, 200, theme.Rule)
		r.VLine(80, 1, 58, theme.Rule)
		for y := 2; y < 58; y++ {
			for x := 1; x < 190; x += 38 {
				r.Pen(x, y).Put("broker-1", theme.Leader).Gap(1).Put("LEO", theme.Label).Gap(1).
					Put("1 007", theme.Name).Gap(1).Sign('█', 10, theme.Committed).Sign('█', 5, theme.Open)
			}
		}
		r.HLine(0, 58, 200, theme.Rule)
		c.Render(p)
	}
}
