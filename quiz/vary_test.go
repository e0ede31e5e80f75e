package quiz

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/quiz/source"
)

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 0)) }

func spread(name string, from, to int, words ...string) Spread {
	return Spread{Name: source.Text{Value: name, Line: 1}, From: from, To: to, Words: words}
}

func TestVaryIsReadInOrder(t *testing.T) {
	q, findings := Parse("x.md", 10, "c-1", "l", checkWith("vary: {n: 3..9, mode: [range, uniform], s: -2..1}"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	var got []string
	for _, s := range q.Vary {
		got = append(got, s.String())
	}
	if want := "n: 3..9 | mode: [range, uniform] | s: -2..1"; strings.Join(got, " | ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestVaryRefuses(t *testing.T) {
	for _, vary := range []string{
		"{n: 9..3}", "{n: 3}", "{n: 3..3}", "{n: a..b}", "{n: 0..100000}", "{N: 1..2}", "{n: [a]}", "{n: [a, 'b,c']}",
		"{n: ['x=1', b]}", "{n: 1..99999999999999999999}", "[1, 2]", "{n: {a: 1}}", "3..9",
	} {
		if _, findings := Parse("x.md", 10, "c-1", "l", checkWith("vary: "+vary)); len(findings) == 0 {
			t.Errorf("vary: %s was taken", vary)
		}
	}
}

func TestFill(t *testing.T) {
	values := Values{{"n", "4"}, {"no", "x"}}
	for in, want := range map[string]string{
		"count={n}":           "count=4",
		"{no}{n}":             "x4",
		"{n":                  "{n",
		"{t/0.hw - {n}}":      "{t/0.hw - 4}",
		"{{n}":                "{{n}",
		"{m} stays":           "{m} stays",
		"":                    "",
		`value='{"id": {n}}'`: `value='{"id": 4}'`,
	} {
		if got := values.Fill(in); got != want {
			t.Errorf("Fill(%q) = %q, want %q", in, got, want)
		}
	}
}

// An instance is drawn within its bounds, the same by the same seed, and its
// string leads back to it.
func TestDrawAndParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(-50, 50).Draw(t, "from")
		size := rapid.IntRange(1, 40).Draw(t, "size")
		v := Vary{spread("n", from, from+size), spread("mode", 0, 0, "range", "uniform", "sticky")}
		seed := rapid.Uint64().Draw(t, "seed")
		values := v.Draw(seeded(seed))
		if again := v.Draw(seeded(seed)); again.String() != values.String() {
			t.Fatalf("seed %d drew %s, then %s", seed, values, again)
		}
		back, err := v.Parse(values.String())
		if err != nil || back.String() != values.String() {
			t.Fatalf("%s came back as %s, %v", values, back, err)
		}
	})
}

func TestParseRefusesAnotherCoursesInstance(t *testing.T) {
	v := Vary{spread("n", 3, 9), spread("s", 1, 3)}
	for _, text := range []string{"", "n=4", "n=4,s=4", "s=1,n=4", "n=04,s=1", "n=4,s=1,x=1", "n,s", "n=+4,s=1"} {
		if values, err := v.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %v", text, values)
		}
	}
	if values, err := (Vary{}).Parse(""); err != nil || len(values) != 0 {
		t.Errorf("no vary: %v, %v", values, err)
	}
}

func TestSamplesHaveTheEnds(t *testing.T) {
	wide := Vary{spread("n", 3, 90), spread("s", 1, 3)}
	got := map[string]bool{}
	for _, values := range wide.Samples(seeded(1)) {
		got[values.String()] = true
	}
	for _, want := range []string{"n=3,s=1", "n=90,s=3", "n=47,s=2"} {
		if !got[want] {
			t.Errorf("samples %v lack %s", got, want)
		}
	}
	narrow := Vary{spread("n", 1, 2), spread("m", 0, 0, "a", "b", "c")}
	if samples := narrow.Samples(seeded(1)); len(samples) != 6 {
		t.Errorf("%d samples of 6 instances", len(samples))
	}
	if samples := (Vary{}).Samples(seeded(1)); len(samples) != 1 {
		t.Errorf("%d samples without vary", len(samples))
	}
}

// A fresh instance differs from the last one, in each name that has a choice,
// and what was asked before comes back only when all was asked, the oldest first.
func TestFresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 5).Draw(t, "size")
		v := Vary{spread("n", 3, 3+size), spread("mode", 0, 0, "range", "uniform")}
		r := seeded(rapid.Uint64().Draw(t, "seed"))
		var asked []string
		for range rapid.IntRange(1, 20).Draw(t, "times") {
			values := v.Fresh(r, asked)
			if len(asked) > 0 {
				last, err := v.Parse(asked[len(asked)-1])
				if err != nil {
					t.Fatal(err)
				}
				if values.String() == last.String() || size > 1 && values[0] == last[0] {
					t.Fatalf("%s behind %s", values, last)
				}
			}
			asked = append(asked, values.String())
		}
	})
}

func TestFreshAvoidsWhatWasAsked(t *testing.T) {
	v := Vary{spread("n", 1, 3)}
	r := seeded(5)
	asked := []string{"n=1", "n=3"}
	if got := v.Fresh(r, asked).String(); got != "n=2" {
		t.Errorf("got %s, never asked is n=2", got)
	}
	if got := v.Fresh(r, append(asked, "n=2")).String(); got != "n=1" {
		t.Errorf("got %s, asked longest ago is n=1", got)
	}
	if got := v.Fresh(r, []string{"another course's"}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if got := (Vary{}).Fresh(r, []string{""}); len(got) != 0 {
		t.Errorf("without vary: %v", got)
	}
	odd := Vary{spread("w", 0, 0, "a", "a", "a")}
	if got := odd.Fresh(r, []string{"w=a"}).String(); got != "w=a" {
		t.Errorf("%s", got)
	}
}
