package quiz

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// parse reads a question that must be right.
func parse(t *testing.T, yaml string) *Question {
	t.Helper()
	q, findings := Parse("x.md", 10, "c-1", "isr", yaml)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return q
}

const hwCheck = `kind: number
vary: {n: 3..9, s: 1..3}
given: |
  topic create t replicas=3
  produce t count={n}
  produce t count={s} acks=1
ask: After {n} and {s} more records, the LEO is {t/0.leo}. What is the high watermark?
answer: t/0.hw
unit: records
near:
  t/0.leo: That is the log end offset, {t/0.leo}.
  t/0.hw - 1: {why: "That is the last committed offset, {{not}} the bound.", misconception: M-042}
  "{n} + {s}": The same number as the log end offset; never said.
  "{n}": Right by itself, so it drops out.
why: The HW is {t/0.hw}.
`

func TestNumberIsComputed(t *testing.T) {
	q := parse(t, hwCheck)
	values, err := q.Vary.Parse("n=4,s=2")
	if err != nil {
		t.Fatal(err)
	}
	in, err := q.Instance(values, seeded(1), fake)
	if err != nil {
		t.Fatal(err)
	}
	if want := "After 4 and 2 more records, the LEO is 6. What is the high watermark?"; in.Ask != want {
		t.Errorf("ask %q, want %q", in.Ask, want)
	}
	if in.Number.String() != "4" || len(in.Near) != 2 {
		t.Fatalf("answer %s, near %v", in.Number, in.Near)
	}
	for typed, want := range map[string]Result{
		"4":         {Right: true, Why: "The HW is 4.", Answer: "4 records"},
		"4 records": {Right: true, Why: "The HW is 4.", Answer: "4 records"},
		"6":         {Why: "The HW is 4.", Said: "That is the log end offset, 6.", Answer: "4 records"},
		"3":         {Why: "The HW is 4.", Said: "That is the last committed offset, {not} the bound.", Answer: "4 records", Misconception: "M-042"},
		"100":       {Why: "The HW is 4.", Answer: "4 records"},
	} {
		if got, err := in.Grade(Reply{Text: typed}); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", typed, got, err, want)
		}
	}
	if _, err := in.Grade(Reply{Text: "four"}); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("four: %v", err)
	}
}

const seenCheck = `kind: choice
vary: {n: 1..5}
case: |
  topic create t replicas=3
  produce t count={n} acks=1
ask: '{n} records are written. What does a consumer see?'
options:
  - text: '{n} records'
    shows: t/0.hw == {n}
    why: Only with a high watermark of {n}, and it is {t/0.hw}.
    misconception: M-042
  - text: nothing
    shows: t/0.hw == 0
    right: true
    why: The high watermark is {t/0.hw}.
  - text: an error
    shows: last.error == NOT_ENOUGH_REPLICAS
    why: There is none.
`

func TestChoiceIsShuffledAndGraded(t *testing.T) {
	q := parse(t, seenCheck)
	orders := map[string]bool{}
	for seed := range uint64(20) {
		values := q.Vary.Draw(seeded(seed))
		in, err := q.Instance(values, seeded(seed), fake)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for i, o := range in.Options {
			order = append(order, o.Why)
			got, err := in.Grade(Reply{Picks: []int{i}})
			if err != nil || got.Right != (o.Text == "nothing") || got.Said != o.Why || got.Answer != "nothing" {
				t.Errorf("%s: %+v, %v", o.Text, got, err)
			}
			if strings.HasSuffix(o.Text, "records") != (got.Misconception == "M-042") {
				t.Errorf("%s: misconception %q", o.Text, got.Misconception)
			}
		}
		orders[fmt.Sprint(order)] = true
		again, _ := q.Instance(values, seeded(seed), fake)
		for i := range again.Options {
			if again.Options[i].Text != in.Options[i].Text {
				t.Errorf("seed %d shuffles in two ways", seed)
			}
		}
	}
	if len(orders) < 4 {
		t.Errorf("only %d orders in 20 shuffles", len(orders))
	}
	in, _ := q.Instance(q.Vary.Draw(seeded(1)), nil, fake)
	for _, picks := range [][]int{nil, {3}, {-1}, {0, 1}} {
		if _, err := in.Grade(Reply{Picks: picks}); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("picks %v: %v", picks, err)
		}
	}
}

func TestEngineDecidesWhichOptionIsRight(t *testing.T) {
	q := parse(t, strings.Replace(strings.Replace(seenCheck, "    right: true\n", "", 1), " acks=1", "", 1))
	in, err := q.Instance(q.Vary.Draw(seeded(3)), nil, fake)
	if err != nil {
		t.Fatal(err)
	}
	if !in.Options[0].Right || in.Options[1].Right || in.Options[0].Misconception != "" {
		t.Errorf("options %+v", in.Options)
	}
}

func TestMulti(t *testing.T) {
	q := parse(t, `kind: multi
ask: Which of these are exclusive?
source: UnifiedLog
options:
  - {text: high watermark, right: true, why: It is.}
  - {text: log end offset, right: true, why: It is too.}
  - {text: log start offset, why: It is the first that is there., misconception: M-001}
  - {text: base offset, why: It is in the file.}
`)
	in, err := q.Instance(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		picks []int
		want  Result
	}{
		{[]int{1, 0}, Result{Right: true, Answer: "high watermark; log end offset"}},
		{[]int{0}, Result{Said: "It is too.", Answer: "high watermark; log end offset"}},
		{[]int{0, 1, 2}, Result{Said: "It is the first that is there.", Misconception: "M-001", Answer: "high watermark; log end offset"}},
		{[]int{0, 3}, Result{Said: "It is too.", Answer: "high watermark; log end offset"}},
	} {
		if got, err := in.Grade(Reply{Picks: c.picks}); err != nil || got != c.want {
			t.Errorf("%v: %+v, %v", c.picks, got, err)
		}
	}
	if _, err := in.Grade(Reply{}); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("nothing picked: %v", err)
	}
}

func TestOrder(t *testing.T) {
	q := parse(t, "kind: order\nask: In which order?\nsource: ReplicaManager\nwhy: So.\nitems: [append, replicate, commit, answer]\n")
	for seed := range uint64(10) {
		in, err := q.Instance(nil, seeded(seed), nil)
		if err != nil {
			t.Fatal(err)
		}
		var right []int
		for _, want := range []string{"append", "replicate", "commit", "answer"} {
			right = append(right, slices.Index(in.Items, want))
		}
		got, err := in.Grade(Reply{Picks: right})
		if err != nil || !got.Right || got.Answer != "append; replicate; commit; answer" {
			t.Errorf("%v: %+v, %v", in.Items, got, err)
		}
		right[0], right[1] = right[1], right[0]
		if got, err := in.Grade(Reply{Picks: right}); err != nil || got.Right {
			t.Errorf("swapped: %+v, %v", got, err)
		}
		for _, picks := range [][]int{nil, {0, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 4}, {0, 1, 2, 3, 0}} {
			if _, err := in.Grade(Reply{Picks: picks}); !errors.Is(err, ErrNoAnswer) {
				t.Errorf("picks %v: %v", picks, err)
			}
		}
	}
}

func TestScriptIsRightOnceTheGoalHolds(t *testing.T) {
	q := parse(t, `kind: script
given: |
  topic create t replicas=3
  produce t count=2 acks=1
ask: Make both records readable.
goal: t/0.hw == 2
solution: |
  settle
why: The fetch that comes next moves the high watermark.
`)
	in, err := q.Instance(nil, nil, fake)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := in.Grade(Reply{}); err != nil || got.Right || got.Said != "not yet: t/0.hw == 2, got 0" {
		t.Errorf("before: %+v, %v", got, err)
	}
	if _, err := in.Session.Run("settle"); err != nil {
		t.Fatal(err)
	}
	if got, err := in.Grade(Reply{}); err != nil || !got.Right {
		t.Errorf("after: %+v, %v", got, err)
	}
}

func TestInstanceErrors(t *testing.T) {
	for name, c := range map[string]struct{ yaml, want string }{
		"unreadable":   {strings.Replace(hwCheck, "produce t count={s}", "prodce t count={s}", 1), "given: "},
		"expectation":  {strings.Replace(hwCheck, "  produce t count={n}\n", "  expect t/0.hw == 99\n", 1), "expected t/0.hw == 99"},
		"none":         {strings.Replace(hwCheck, "answer: t/0.hw", "answer: u/0.hw", 1), "no number"},
		"unknown path": {strings.Replace(hwCheck, "answer: t/0.hw", "answer: t/0.hv", 1), "unknown path"},
		"both right":   {strings.Replace(seenCheck, "last.error == NOT_ENOUGH_REPLICAS", "t/0.hw == 0", 1), "2 options are right"},
		"bad text":     {strings.Replace(hwCheck, "The HW is {t/0.hw}.", "The HW is {t/0.hv}.", 1), "why: "},
	} {
		q := parse(t, c.yaml)
		values := q.Vary.Draw(seeded(1))
		_, err := q.Instance(values, nil, fake)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "c-1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
