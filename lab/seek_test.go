package lab

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

// A step that shows bytes says which: those of its seek, not those of what the
// panel before it was at.
func TestAStepSaysWhichBytes(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"course.yaml", "lessons/appends.md", "lessons/roll.md", "lessons/the-end.md"} {
		data, err := os.ReadFile("testdata/course/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	steps := strings.ReplaceAll("~step Five\nrun: produce orders count=5 batch=1\npartition: orders/0@1\nfocus: log\nsay: \"Five.\"\n~\n\nHere they are.\n\n"+
		"~step The bytes\nrun: show log orders/0\npartition: orders/0@1\nseek: orders/0@1 1\nfocus: bytes\nsay: \"The second.\"\n~\n\nNow it rolls.\n\n~step A roll", "~", "```")
	text := strings.Replace(string(files["lessons/roll.md"].Data), "```step A roll", steps, 1)
	course, findings := lessons.LoadCourse(merged(files, "lessons/roll.md", text))
	for _, f := range findings {
		if strings.Contains(f.String(), "roll.md") {
			t.Fatal(f)
		}
	}
	l := open(t, 120, 40, func(o *Options) { o.Course, o.Panel, o.Start = course, panel.ByName, Start{"roll", 1} })
	l.press("enter", "enter", "enter")
	for range 4 {
		if strings.Contains(l.text(), "The second.") {
			break
		}
		l.press("enter")
	}
	l.sees("The second.", "batch 1")
	l.misses("batch 4")
}
