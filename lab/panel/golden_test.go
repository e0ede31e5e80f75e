package panel

import (
	"fmt"
	"testing"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/kittest"
)

// The panels as they stand beside a lesson at 80 and 100 columns, and alone on a
// large terminal.
func TestGoldens(t *testing.T) {
	f := newFake(235)
	f.story()
	f.log.hw = 2310
	f.sync()
	base := f.model(NoFocus())
	base.Before = newFake(233).view
	at := func(focus Focus) Model {
		m := base
		focus.Replica = base.Focus.Replica
		m.Focus = focus
		return m
	}
	byTime := NoFocus()
	byTime.TargetMs = f.Segments(engineReplica())[1].FirstTimestamp + 5
	for _, tt := range []struct {
		name  string
		panel string
		m     Model
		keys  []string
	}{
		{"log", "log", base, nil},
		{"log-moved", "log", base, []string{"left", "down", "down"}},
		{"index-seek", "index", at(seek(1085)), nil},
		{"index-asked-segment", "index", at(asked("index", 1085)), nil},
		{"index-asked-entry", "index", at(asked("index.entry", 1085)), nil},
		{"index-asked-scan", "index", at(asked("log.segment-1000", 1085)), nil},
		{"index-told-segment", "index", at(told("index", 1085)), nil},
		{"index-told-entry", "index", at(told("index.entry", 1085)), nil},
		{"index-told-scan", "index", at(told("index.scan", 1085)), nil},
		{"index-browse", "index", base, nil},
		{"index-typing", "index", base, []string{"o", "1", "0"}},
		{"index-time", "index", at(byTime), nil},
		{"index-range", "index", at(seek(9999)), nil},
		{"sequence", "sequence", base, []string{"home"}},
		{"events", "events", base, []string{"up", "up"}},
		{"bytes", "bytes", at(seek(1085)), []string{"down"}},
	} {
		for _, size := range [][2]int{{52, 26}, {62, 28}, {120, 50}} {
			t.Run(fmt.Sprintf("%s-%dx%d", tt.name, size[0], size[1]), func(t *testing.T) {
				p := made(t, tt.panel)
				c := canvas.New(size[0], size[1])
				p.Draw(c.Region(), tt.m)
				press(p, tt.m, tt.keys...)
				c.Reset(size[0], size[1])
				p.Draw(c.Region(), tt.m)
				kittest.Golden(t, fmt.Sprintf("%s-%dx%d", tt.name, size[0], size[1]), c)
			})
		}
	}
}
