package lessons

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestLintFindsNothingInAGoodCourse(t *testing.T) {
	if findings := Lint(course()); len(findings) > 0 {
		t.Error(strings.Join(texts(findings), "\n"))
	}
}

func TestLintFindings(t *testing.T) {
	lesson := func(pairs ...string) func(fstest.MapFS) {
		return func(c fstest.MapFS) {
			for i := 0; i < len(pairs); i += 2 {
				replace(t, c, "lessons/hw.md", pairs[i], pairs[i+1])
			}
		}
	}
	all := func(old, new string) func(fstest.MapFS) {
		return func(c fstest.MapFS) {
			text := string(c["lessons/hw.md"].Data)
			c["lessons/hw.md"] = file(strings.ReplaceAll(text, old, new))
		}
	}
	for _, test := range []struct {
		name string
		spot func(fstest.MapFS)
		want string
	}{
		{"what loading finds", lesson("panels: [isr, log]", "panels: [irs]"), "lessons/hw.md:10: unknown panel"},
		{"setup", lesson("topic create t replicas=3\n```", "topic crate t\n```"), "lessons/hw.md:22: setup: topic crate"},
		{"setup refused", lesson("topic create t replicas=3\n```", "topic create t replicas=9\n```"), "lessons/hw.md:22: setup: `topic create t replicas=9` is answered by INVALID_REPLICATION_FACTOR"},
		{"run", lesson("  produce t count=4\nfocus", "  produce t cuont=4\nfocus"), "lessons/hw.md:33: step All of them: "},
		{"run, by a typing error", lesson("  produce t count=4\nfocus", "  prodcue t count=4\nfocus"), "did you mean produce?"},
		{"expectation", lesson("  produce t count=4\nfocus", "  produce t count=4\n  expect t/0.hw == 5\nfocus"), "lessons/hw.md:34: step All of them: expected t/0.hw == 5, got 4"},
		{"answer", lesson("answer: t/0.hw\nunit", "answer: t/0.hwm\nunit"), `lessons/hw.md:29: step All of them: "t/0.hwm": `},
		{"answer is none", lesson("answer: t/0.hw\nunit", "answer: u/0.hw\nunit"), "lessons/hw.md:29: step All of them: u/0.hw is none after the run"},
		{"answer is none, after an error", lesson("  produce t count=4\nfocus", "  topic create u replicas=9\nfocus", "answer: t/0.hw\nunit", "answer: u/0.hw\nunit"), "u/0.hw is none after the run; a prediction has one computable answer; `topic create u replicas=9` was answered by INVALID_REPLICATION_FACTOR"},
		{"two words", lesson("no: t/0.hw == 5", "no: t/0.hw > 1\n  also: t/0.hw > 0"), "step Not yet: 2 of the words in choose are right, [no also] (allowed: exactly one)"},
		{"no word", lesson("no: t/0.hw == 5", "no: t/0.hw == 3"), "step Not yet: 0 of the words in choose are right"},
		{"say", lesson("say: Now it is {t/0.hw}.", "say: Now it is {t/0.h}."), `lessons/hw.md:54: step And then: "t/0.h": `},
		{"say has nothing", lesson("say: Now it is {t/0.hw}.", "say: |\n  The reason:\n  {event.SegmentRolled.reason}."), "lessons/hw.md:56: step And then: say: {event.SegmentRolled.reason} is none here"},
		{"brace", lesson("Three replicas, {t/0.leo}", "Three replicas, {t/0.leo"), "text: a brace without its pair"},
		{"brace in code", lesson("A producer sends", "`{}` A producer sends"), "lessons/hw.md:25: step All of them: \"\": "},
		{"prose", lesson("The LEO is {t/0.leo}. Now", "The LEO\nis {t/0.lo}. Now"), `lessons/hw.md:40: step Not yet: "t/0.lo": `},
		{"live done", lesson("done: t/0.hw == 9", "done: t/0.hv == 9"), `lessons/hw.md:62: live: "t/0.hv == 9": `},
		{"live done at once", lesson("done: t/0.hw == 9", "done: t/0.hw == 6"), "lessons/hw.md:62: live: the goal holds before anything was done"},
		{"live solution", lesson("solution: produce t count=3", "solution: produce t count=2"), "lessons/hw.md:62: live: the goal does not hold after the solution"},
		{"few checks", all("```check hw-5", "```text"), "lessons/hw.md:1: the lesson has 4 checks (allowed: at least 5)"},
		{"no job", lesson("For the job: when a consumer", "When a consumer"), "lessons/hw.md:1: the lesson does not end with a line `For the job: …`"},
		{"nothing varies", all("vary: {n: 3..9, s: 1..3}\ngiven: |\n  topic create t replicas=3\n  produce t count={n}\n  produce t count={s} acks=1\nask: What is the high watermark after {n} and {s}?",
			"given: |\n  topic create t replicas=3\n  produce t count=3\n  produce t count=1 acks=1\nask: What is the high watermark?"),
			"course.yaml:1: 0 of 5 checks have vary or case (allowed: at least half)"},
		{"near is right", all("near: {t/0.leo:", "near: {t/0.hw:"), "check hw-1 with n=3,s=1: near t/0.hw is 3, the same as the right answer"},
		{"given", all("produce t count={n}", "produce t cuont={n}"), "lessons/hw.md:73: check hw-1: "},
		{"misconception", all(`near: {t/0.leo: "That is the log end offset."}`, `near: {t/0.leo: {why: "That is the log end offset.", misconception: M-043}}`), "check hw-1: M-043 is not in misconceptions.txt"},
		{"no list of misconceptions", func(c fstest.MapFS) {
			delete(c, "misconceptions.txt")
			text := string(c["lessons/hw.md"].Data)
			c["lessons/hw.md"] = file(strings.ReplaceAll(text, `near: {t/0.leo: "That is the log end offset."}`, `near: {t/0.leo: {why: "That is the log end offset.", misconception: M-042}}`))
		}, "check hw-1: M-042 is of no list: the course has no misconceptions.txt (a line each: the id, a tab, the belief)"},
		{"drill", func(c fstest.MapFS) {
			c["drills/full-disk.md"] = file(strings.Replace(drillMD, "solution: settle", "solution: print t/0.hw", 1))
		},
			"drills/full-disk.md:14: drill: after solution the goal holds=false (allowed: true), got 0"},
		{"drill that is repaired", func(c fstest.MapFS) {
			c["drills/full-disk.md"] = file(strings.Replace(drillMD, "acks=1", "acks=all", 1))
		},
			"drills/full-disk.md:14: drill: after setup the goal holds=true (allowed: false)"},
		{"drill that is repaired too soon", func(c fstest.MapFS) {
			c["drills/full-disk.md"] = file(strings.Replace(drillMD, "solution: settle", "solution: |\n  settle\n  produce t", 1))
		},
			"drills/full-disk.md:16: drill: solution: the goal holds after `settle` already"},
		{"drill with a wrong repair that is right", func(c fstest.MapFS) {
			c["drills/full-disk.md"] = file(strings.Replace(drillMD, "hints:", "wrong:\n  - print t/0.hw\n  - tick 1s\nhints:", 1))
		},
			"drills/full-disk.md:18: drill: wrong: the goal holds after this repair"},
		{"drill with a wrong repair that cannot be read", func(c fstest.MapFS) {
			c["drills/full-disk.md"] = file(strings.Replace(drillMD, "hints:", "wrong:\n  - prnt t/0.hw\nhints:", 1))
		},
			"drills/full-disk.md:17: drill: "},
		{"drill script", func(c fstest.MapFS) {
			c["drills/full-disk.md"] = file(strings.Replace(drillMD, "symptoms: print", "symptoms: prnt", 1))
		},
			"drills/full-disk.md:13: drill: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := course()
			test.spot(c)
			if all := strings.Join(texts(Lint(c)), "\n"); !strings.Contains(all, test.want) {
				t.Errorf("no %q in:\n%s", test.want, all)
			}
		})
	}
}

// An error that a setup is about is named in the line behind it.
func TestLintSetupMayExpectErrors(t *testing.T) {
	c := course()
	replace(t, c, "lessons/hw.md", "topic create t replicas=3\n```", "topic create t replicas=3\ntopic create t\nexpect error TOPIC_ALREADY_EXISTS\n```")
	if findings := Lint(c); len(findings) > 0 {
		t.Error(texts(findings))
	}
}
