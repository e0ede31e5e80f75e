package lessons

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const courseYAML = `title: A course
version: 1.0
sections:
  - title: Replication
    lessons:
      - hw
`

const lessonMD = `---
id: hw
title: The high watermark
section: Replication
minutes: 10
needs: []
objectives:
  - predict what a consumer sees
  - tell the high watermark from the LEO
panels: [isr, log]
---
Three replicas, {t/0.leo} records. See [the LEO](glossary:LEO).

    code with a fence:

~~~text
` + "```" + `step is no step in here
~~~

` + "```" + `setup
cluster brokers=3
topic create t replicas=3
` + "```" + `

A producer sends four records. It waits for all replicas.

` + "```" + `step All of them
predict: What is the high watermark then?
answer: t/0.hw
unit: records
run: |
  # a comment is no command
  produce t count=4
focus: isr.broker-1
seek: t/0@1 3
say: It is {t/0.hw}, and the LEO {t/0.leo}.
` + "```" + `

The LEO is {t/0.leo}. Now two more, with acks=1.

` + "```" + `step Not yet
predict: Does the high watermark move at once?
choose:
  yes: t/0.hw == 6
  no: t/0.hw == 5
run: |
  produce t acks=1
  produce t acks=1
say: The LEO is {t/0.leo}, the high watermark {t/0.hw}.
` + "```" + `

` + "```" + `step And then
run: settle
say: Now it is {t/0.hw}.
` + "```" + `

Your turn: {t/0.hw} records are committed.

` + "```" + `live
actions: [produce, settle]
goal: Bring the high watermark to 9.
done: t/0.hw == 9
solution: produce t count=3
` + "```" + `

## Checks

CHECKS

For the job: when a consumer lags behind the producer by a few records,
look at the [high watermark](glossary:high-watermark).
`

const checkMD = "```check hw-N\n" + `kind: number
vary: {n: 3..9, s: 1..3}
given: |
  topic create t replicas=3
  produce t count={n}
  produce t count={s} acks=1
ask: What is the high watermark after {n} and {s}?
answer: t/0.hw
near: {t/0.leo: "That is the log end offset."}
why: It is {t/0.hw}.
objective: 1
` + "```\n"

const glossaryMD = `# Glossary

**high watermark** (HW): the offset up to which
all in-sync replicas have the log. See also: log end offset.

log end offset (LEO): the offset of the next record.
`

// course is a course that has nothing wrong with it.
func course() fstest.MapFS {
	checks := ""
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		checks += strings.Replace(checkMD, "hw-N", "hw-"+n, 1) + "\n"
	}
	return fstest.MapFS{
		"course.yaml":        file(courseYAML),
		"glossary.md":        file(glossaryMD),
		"misconceptions.txt": file("M-042\tThe high watermark is the LEO\n"),
		"README.md":          file("How to write a lesson."),
		".git/config":        file("not of the course"),
		"lessons/hw.md":      file(strings.Replace(lessonMD, "CHECKS\n", checks, 1)),
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func texts(findings []Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.String())
	}
	return all
}

func load(t *testing.T) *Course {
	t.Helper()
	c, findings := LoadCourse(course())
	if len(findings) > 0 {
		t.Fatal(strings.Join(texts(findings), "\n"))
	}
	return c
}

func TestLoadCourse(t *testing.T) {
	c := load(t)
	if c.Title != "A course" || c.Version != "1.0" || len(c.Sections) != 1 {
		t.Errorf("course %+v", c)
	}
	l, ok := c.Lesson("hw")
	if !ok {
		t.Fatal("no lesson hw")
	}
	if !strings.HasPrefix(l.Read.Value, "Three replicas, {t/0.leo}") || !strings.HasSuffix(l.Read.Value, "~~~\n") || l.Read.Line != 12 {
		t.Errorf("read %+v", l.Read)
	}
	if l.Setup.Value != "cluster brokers=3\ntopic create t replicas=3\n" || l.Setup.Line != 21 {
		t.Errorf("setup %+v", l.Setup)
	}
	if len(l.Steps) != 3 || len(l.Checks) != 5 {
		t.Fatalf("%d steps, %d checks", len(l.Steps), len(l.Checks))
	}
	s := l.Steps[0]
	if s.Title != "All of them" || s.Number != 1 || s.Unit != "records" || s.Focus != "isr.broker-1" || s.View.Seek != "t/0@1 3" {
		t.Errorf("step %+v", s)
	}
	if diff := cmp.Diff([]string{"produce t count=4"}, s.Commands()); diff != "" {
		t.Error(diff)
	}
	if s.Prose.Value != "A producer sends four records. It waits for all replicas.\n" || s.Prose.Line != 25 || s.Run.Line != 32 {
		t.Errorf("prose %+v, run in line %d", s.Prose, s.Run.Line)
	}
	if w := l.Steps[1].Choose; len(w) != 2 || w[1].Word.Value != "no" || w[1].Expr.Value != "t/0.hw == 5" {
		t.Errorf("choose %+v", w)
	}
	if l.Steps[2].Asks() || !l.Steps[2].Prose.Blank() {
		t.Errorf("step 3 %+v", l.Steps[2])
	}
	if l.Live == nil || l.Live.Done.Value != "t/0.hw == 9" || !strings.HasPrefix(l.Live.Prose.Value, "Your turn") {
		t.Errorf("live %+v", l.Live)
	}
	if !strings.HasPrefix(l.Job.Value, "For the job: when") {
		t.Errorf("job %+v", l.Job)
	}
	if term, ok := c.GlossaryTerm("high-watermark"); !ok || term.Definition != "the offset up to which all in-sync replicas have the log." || term.SeeAlso[0] != "log end offset" {
		t.Errorf("term %+v", term)
	}
	if q, ok := c.Check("hw-3"); !ok || q.Lesson != "hw" {
		t.Errorf("check %+v", q)
	}
}

// Every finding names its line, says what is wrong and what is allowed.
func TestLoadFindings(t *testing.T) {
	lesson := func(old, new string) func(fstest.MapFS) {
		return func(c fstest.MapFS) { replace(t, c, "lessons/hw.md", old, new) }
	}
	for _, test := range []struct {
		name string
		spot func(fstest.MapFS)
		want string
	}{
		{"no front matter", func(c fstest.MapFS) { c["lessons/hw.md"] = file("# Hello\n") }, "lessons/hw.md:1: no front matter"},
		{"front matter not closed", func(c fstest.MapFS) { c["lessons/hw.md"] = file("---\nid: hw\n") }, "lessons/hw.md:1: no front matter"},
		{"unknown field", lesson("minutes: 10", "minuts: 10"), `lessons/hw.md:5: front matter: unknown field "minuts", did you mean "minutes"? (allowed: id, title, section, minutes, needs, objectives, panels)`},
		{"minutes", lesson("minutes: 10", "minuts: 10"), "lessons/hw.md:1: front matter: minutes is missing"},
		{"id", lesson("id: hw", "id: hwm"), `lessons/hw.md:2: front matter: id "hwm" is not the name of the file (allowed: hw)`},
		{"panel", lesson("panels: [isr, log]", "panels: [isr, lgo]"), `lessons/hw.md:10: unknown panel "lgo", did you mean "log"? (allowed: alerts, bytes,`},
		{"focus", lesson("focus: isr.broker-1", "focus: irs.broker-1"), `lessons/hw.md:34: unknown panel "irs", did you mean "isr"?`},
		{"seek", lesson("seek: t/0@1 3", "seek: t/0 3"), `lessons/hw.md:35: seek: "t/0 3" is none (allowed: orders/0@1 1085)`},
		{"needs", lesson("needs: []", "needs: [hv]"), `lessons/hw.md:6: needs: unknown lesson "hv"`},
		{"needs itself", lesson("needs: []", "needs: [hw]"), "lessons/hw.md:6: needs: the lesson itself"},
		{"section", lesson("section: Replication", "section: Storage"), `lessons/hw.md:4: section "Storage" is not the one of course.yaml (allowed: Replication)`},
		{"unknown block", lesson("```step Not yet", "```stepp Not yet"), "lessons/hw.md:41: unknown block \"stepp\", did you mean \"step\"? (blocks: setup, step, live, check)"},
		{"open block", lesson("For the job", "```text\nFor the job"), "is not closed; it ends with a line ```"},
		{"no title", lesson("```step Not yet", "```step"), "lessons/hw.md:41: a step needs a title behind the word step"},
		{"no answer", lesson("answer: t/0.hw\nunit", "unit"), "lessons/hw.md:28: step All of them has a predict without an answer"},
		{"no predict", lesson("predict: What is the high watermark then?\n", ""), "lessons/hw.md:27: step All of them has an answer without a predict"},
		{"both", lesson("choose:", "answer: t/0.hw\nchoose:"), "step Not yet has both answer and choose"},
		{"typed in", lesson("answer: t/0.hw\nunit", "answer: 4\nunit"), "lessons/hw.md:29: step All of them: the answer is typed in"},
		{"nothing", lesson("run: settle\nsay: Now it is {t/0.hw}.\n", "focus: isr\n"), "lessons/hw.md:52: step And then does nothing: it needs run or say"},
		{"empty step", lesson("run: settle\nsay: Now it is {t/0.hw}.\n", ""), "lessons/hw.md:53: step is empty, it needs fields: predict, answer"},
		{"action", lesson("actions: [produce, settle]", "actions: [prodce]"), `lessons/hw.md:60: live: unknown action "prodce", did you mean "produce"?`},
		{"goal", lesson("done: t/0.hw == 9\n", ""), "lessons/hw.md:59: live needs both goal"},
		{"second live", lesson("## Checks", "```live\nactions: [tick]\n```\n"), "lessons/hw.md:66: a second live page; one is allowed"},
		{"late setup", lesson("## Checks", "```setup\nsettle\n```\n"), "lessons/hw.md:66: a second setup, or one behind a step"},
		{"lost text", lesson("## Checks", "Now some checks."), "lessons/hw.md:66: text between the steps and a check is shown nowhere"},
		{"lost text at the end", lesson("For the job: when", "By the way: when"), "text behind the last block is shown nowhere"},
		{"check without id", lesson("```check hw-3", "```check"), `check "" has no id behind the word check`},
		{"check twice", lesson("```check hw-3", "```check hw-2"), "check hw-2 stands twice, first in lessons/hw.md"},
		{"objective", lesson("objective: 1", "objective: 3"), "check hw-1: objective 3 is none of the lesson's (allowed: 1 to 2)"},
		{"glossary link", lesson("glossary:LEO", "glossary:LOE"), `lessons/hw.md:12: link to unknown term "LOE", did you mean "LEO"?`},
		{"lesson link", lesson("glossary:LEO", "lesson:isr"), `lessons/hw.md:12: link to unknown lesson "isr"`},
		{"other link", lesson("glossary:LEO", "leo.md"), `lessons/hw.md:12: link to "leo.md", which is no place (allowed: lesson:ID, glossary:TERM, https://…)`},
		{"link in the last line", lesson("glossary:high-watermark", "glossary:hihg-watermark"), `lessons/hw.md:140: link to unknown term "hihg-watermark", did you mean "high watermark"?`},
		{"stray file", func(c fstest.MapFS) { c["lessons/notes.txt"] = file("x") }, "lessons/notes.txt:1: this file has no place in a course"},
		{"stray folder", func(c fstest.MapFS) { c["pictures/a.png"] = file("x") }, "pictures/a.png:1: this file has no place in a course"},
		{"not placed", func(c fstest.MapFS) { c["lessons/other.md"] = c["lessons/hw.md"] }, "lessons/other.md:1: the lesson stands in no section of course.yaml"},
		{"not there", func(c fstest.MapFS) { replace(t, c, "course.yaml", "- hw", "- hww") }, `course.yaml:6: unknown lesson "hww", did you mean "hw"? (it would be lessons/hww.md)`},
		{"placed twice", func(c fstest.MapFS) { replace(t, c, "course.yaml", "      - hw\n", "      - hw\n      - hw\n") }, `course.yaml:7: lesson "hw" stands twice`},
		{"no course", func(c fstest.MapFS) { delete(c, "course.yaml") }, "course.yaml:1: a course needs this file"},
		{"no version", func(c fstest.MapFS) { replace(t, c, "course.yaml", "version: 1.0\n", "") }, "course.yaml:1: course: version is missing"},
		{"misconception", func(c fstest.MapFS) { c["misconceptions.txt"] = file("M-042 no tab\n") }, "misconceptions.txt:1: "},
		{"misconception twice", func(c fstest.MapFS) { c["misconceptions.txt"] = file("M-001\tx\nM-001\ty\n") }, "misconceptions.txt:2: M-001 stands twice"},
		{"no term", func(c fstest.MapFS) { c["glossary.md"] = file("# G\n\nsome text\n") }, "glossary.md:3: no term (allowed: `term: definition`"},
		{"term twice", func(c fstest.MapFS) { c["glossary.md"] = file("a: x\n\nb (A): y\n") }, `glossary.md:3: the term "A" stands twice, first in line 1`},
		{"see also", func(c fstest.MapFS) {
			replace(t, c, "glossary.md", "See also: log end offset", "See also: log ende offset")
		}, `glossary.md:3: high watermark: see also unknown term "log ende offset", did you mean "log end offset"?`},
		{"not UTF-8", func(c fstest.MapFS) { c["lessons/hw.md"] = file("---\n\xff\n") }, "lessons/hw.md:1: is not UTF-8 text"},
		{"too large", func(c fstest.MapFS) { c["lessons/hw.md"] = file(strings.Repeat("x", maxFile+1)) }, "lessons/hw.md:1: has 1048577 bytes (allowed: 1048576)"},
		{"control character", lesson("Three replicas", "Three\x1b[2J replicas"), "lessons/hw.md:12: has a control character, 0x1b (allowed: line ends and tabs)"},
		{"YAML, a key twice", lesson("minutes: 10", "minutes: 10\nminutes: 5"), `lessons/hw.md:6: front matter cannot be read as YAML: mapping key "minutes" already defined in line 5`},
		{"YAML, a tab", lesson("  - tell the", "\t- tell the"), "lessons/hw.md:9: front matter cannot be read as YAML: found character '\t' that cannot start any token (YAML is indented with spaces)"},
		{"YAML", lesson("say: It is {t/0.hw},", "say: It: is {t/0.hw},"), "lessons/hw.md:36: step cannot be read as YAML: mapping value is not allowed in this context (a text with \": \" in it needs quotes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := course()
			test.spot(c)
			_, findings := LoadCourse(c)
			if all := strings.Join(texts(findings), "\n"); !strings.Contains(all, test.want) {
				t.Errorf("no %q in:\n%s", test.want, all)
			}
		})
	}
}

func replace(t *testing.T, c fstest.MapFS, name, old, new string) {
	t.Helper()
	text := string(c[name].Data)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", name, old)
	}
	c[name] = file(strings.Replace(text, old, new, 1))
}

// A lesson that was written on another system reads the same.
func TestLineEndsAndByteOrderMark(t *testing.T) {
	c := course()
	text := string(c["lessons/hw.md"].Data)
	c["lessons/hw.md"] = file("\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"))
	there, findings := LoadCourse(c)
	if len(findings) > 0 {
		t.Fatal(texts(findings))
	}
	a, _ := there.Lesson("hw")
	b, _ := load(t).Lesson("hw")
	if a.Steps[0].Run != b.Steps[0].Run || a.Read != b.Read {
		t.Error("another lesson came out")
	}
}

const drillMD = `---
id: full-disk
title: The full disk
minutes: 10
needs: [hw]
---
It is three in the morning.

` + "```drill" + `
setup: |
  topic create t replicas=3
  produce t acks=1
symptoms: print t/0.hw
goal: t/0.hw == 1
solution: settle
hints:
  - Wait.
report:
  records lost: t/0.leo - t/0.hw
` + "```\n"

func TestDrill(t *testing.T) {
	c := course()
	c["drills/full-disk.md"] = file(drillMD)
	got, findings := LoadCourse(c)
	if len(findings) > 0 {
		t.Fatal(texts(findings))
	}
	d := got.Drills[0]
	if d.ID != "full-disk" || d.Story.Value != "It is three in the morning.\n" || d.Goal.Line != 14 || len(d.Hints) != 1 || d.Report[0].Label.Value != "records lost" {
		t.Errorf("drill %+v", d)
	}
	if findings := d.lint(Engine); len(findings) > 0 {
		t.Error(texts(findings))
	}
	for _, spot := range []struct{ old, new, want string }{
		{"id: full-disk", "id: full", `drills/full-disk.md:2: front matter: id "full" is not the name of the file`},
		{"goal: t/0.hw == 1\n", "", "drills/full-disk.md:9: drill: goal is missing"},
		{"needs: [hw]", "needs: [isr]", `drills/full-disk.md:5: needs: unknown lesson "isr"`},
		{"solution", "solutoin", `unknown field "solutoin", did you mean "solution"?`},
		{"```drill", "```dril", `unknown block "dril", did you mean "drill"?`},
	} {
		c["drills/full-disk.md"] = file(strings.Replace(drillMD, spot.old, spot.new, 1))
		if all := strings.Join(texts(second(LoadCourse(c))), "\n"); !strings.Contains(all, spot.want) {
			t.Errorf("no %q in:\n%s", spot.want, all)
		}
	}
}

// One mistake is one finding: what follows from it is not told.
func TestLoadTellsAMistakeOnce(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"a word", "minutes: 10", "minutes: long", `lessons/hw.md:5: minutes must be a whole number from 1 to 600, is "long"`},
		{"negative", "minutes: 10", "minutes: -3", `lessons/hw.md:5: minutes must be a whole number from 1 to 600, is "-3"`},
		{"huge", "minutes: 10", "minutes: 99999999999999999999", `lessons/hw.md:5: minutes must be a whole number from 1 to 600, is "99999999999999999999"`},
		{"a half", "minutes: 10", "minutes: 2.5", `lessons/hw.md:5: minutes must be a whole number from 1 to 600, is "2.5"`},
		{"not read, linked", "---\nid: hw", "id: hw", "lessons/hw.md:1: no front matter; a lesson begins with a line ---, its fields, and another line ---"},
		{"not text, linked", "Three replicas", "Three \xff", "lessons/hw.md:1: is not UTF-8 text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := course()
			c["lessons/next.md"] = file(strings.NewReplacer("id: hw", "id: next", "check hw", "check next", "glossary:LEO", "lesson:hw", "needs: []", "needs: [hw]").Replace(string(c["lessons/hw.md"].Data)))
			replace(t, c, "course.yaml", "      - hw\n", "      - hw\n      - next\n")
			replace(t, c, "lessons/hw.md", test.old, test.new)
			if diff := cmp.Diff([]string{test.want}, texts(second(LoadCourse(c)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func second(_ *Course, findings []Finding) []Finding { return findings }

// Whatever a file holds, it is read, or it is said what is wrong with it.
func FuzzLesson(f *testing.F) {
	f.Add(strings.Replace(lessonMD, "CHECKS\n", checkMD, 1))
	for _, s := range []string{"", "---", "---\n---\n", "---\nid: hw\n---\n```step\n", "---\nid: hw\n---\n~~~check x\nkind: [\n~~~\n", "---\na: b\n---\n[x](y)\n```live\n```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := course()
		c["lessons/hw.md"] = file(text)
		got, findings := LoadCourse(c)
		if _, ok := got.Lesson("hw"); !ok && len(findings) == 0 {
			t.Error("no lesson, and nothing to say about it")
		}
		lines := len(cleanLines([]byte(text)))
		for _, x := range findings {
			if x.File == "lessons/hw.md" && x.Line > lines {
				t.Errorf("line %d of %d: %s", x.Line, lines, x.Text)
			}
		}
	})
}
