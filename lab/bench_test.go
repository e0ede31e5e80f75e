package lab

import (
	"testing"
	"time"

	"github.com/spf13/afero"

	"kafkalab/assets"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// frame measures one whole frame of 200x60 in true colour, on the built-in
// course with the real panels, opened at a lesson and a step of it.
func frame(b *testing.B, lesson string, step int, keys ...string) {
	course, _ := lessons.LoadCourse(assets.Course())
	l := open(b, 200, 60, func(o *Options) {
		o.Start = Start{Lesson: lesson, Step: step}
		o.Course, o.Panel, o.Profile = course, panel.ByName, theme.TrueColor
		o.Theme, _, _ = theme.Choose("dark", theme.Dark, theme.TrueColor)
	})
	l.press(keys...)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		l.app.drawn = false
		l.app.View()
	}
}

func BenchmarkFrameHome(b *testing.B)    { frame(b, "", 0) }
func BenchmarkFrameRead(b *testing.B)    { frame(b, "offset-seek", 0) }
func BenchmarkFrameStep(b *testing.B)    { frame(b, "offset-seek", 5, " ") }
func BenchmarkFrameLive(b *testing.B)    { frame(b, "isr-live", 2, "tab") }
func BenchmarkFrameCheck(b *testing.B)   { frame(b, "offset-seek", 0, "shift+tab", "a", "enter") }
func BenchmarkFrameConsole(b *testing.B) { frame(b, "offset-seek", 5, ":", "p", "tab") }

// BenchmarkKey is a key and its frame: a digit typed into a prediction.
func BenchmarkKey(b *testing.B) {
	l := open(b, 200, 60)
	l.press("enter", "enter")
	k, back := keyNamed("3"), keyNamed("backspace")
	for b.Loop() {
		l.app.Update(k)
		l.app.View()
		l.app.Update(back)
		l.app.View()
	}
}

// BenchmarkAnswer is what a learner waits for after a prediction: the step is
// run, its events are written down, the frame is drawn.
func BenchmarkAnswer(b *testing.B) {
	course, _ := lessons.LoadCourse(assets.Course())
	l := open(b, 200, 60, func(o *Options) { o.Course, o.Panel = course, panel.ByName })
	l.press("down", "enter", "enter")
	for b.Loop() {
		l.press("3", "enter", "left")
	}
}

// BenchmarkStepBack is a step back in time on the longest live page: the journal
// runs again.
func BenchmarkStepBack(b *testing.B) {
	course, _ := lessons.LoadCourse(assets.Course())
	for _, lesson := range course.Lessons() {
		if lesson.Live == nil {
			continue
		}
		b.Run(lesson.ID, func(b *testing.B) {
			l := open(b, 200, 60, func(o *Options) { o.Course, o.Panel, o.Start.Lesson = course, panel.ByName, lesson.ID })
			toLive(l)
			for b.Loop() {
				l.press("left")
			}
		})
	}
}

// BenchmarkFirstFrame is a lab from its course to its first frame.
func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		course, _ := lessons.LoadCourse(assets.Course())
		now := func() time.Time { return noon }
		store, _ := progress.Open(afero.NewMemMapFs(), progressFile, course.Version, now)
		look, profile, _ := theme.Choose("dark", theme.Dark, theme.TrueColor)
		app, err := New(Options{Course: course, Store: store, Now: now, Theme: look, Profile: profile, Width: 200, Height: 60})
		if err != nil || app.View() == "" {
			b.Fatal(err)
		}
	}
}

// underLoad is the live page on replicas with a hundred produces that wait, a
// follower that stalls, and all that has happened before.
func underLoad(l *learner) {
	toLive(l)
	l.press("2").press(":") // broker-2 stalls: what is produced with acks=all waits
	for range 100 {
		l.write("produce orders/0 count=10 size=100 wait=false").press("enter")
	}
	l.press("esc")
}

// BenchmarkFrameIsrUnderLoad is a frame of the live page on replicas while a
// hundred produces wait, and the learner lets time pass.
func BenchmarkFrameIsrUnderLoad(b *testing.B) {
	course, _ := lessons.LoadCourse(assets.Course())
	l := open(b, 200, 60, func(o *Options) {
		o.Start = Start{Lesson: "isr-live", Step: 2}
		o.Course, o.Panel, o.Profile = course, panel.ByName, theme.TrueColor
		o.Theme, _, _ = theme.Choose("dark", theme.Dark, theme.TrueColor)
	})
	underLoad(l)
	l.sees("stalled", "waiting")
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		l.app.drawn = false
		l.app.View()
	}
}

// BenchmarkFrameSequence is a frame of the messages of the wire with what each
// says, BenchmarkFrameMessage one of an open message.
func BenchmarkFrameSequence(b *testing.B) { frame(b, "produce-path", 3) }
func BenchmarkFrameMessage(b *testing.B)  { frame(b, "produce-path", 3, "o") }
