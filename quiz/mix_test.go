package quiz

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// due makes turns from words such as isr-1, the lesson before the hyphen, all
// due on one day; isr-1@2 is due on another.
func due(words string) []Turn {
	var turns []Turn
	for word := range strings.FieldsSeq(words) {
		id, day, ok := strings.Cut(word, "@")
		if !ok {
			day = "5"
		}
		lesson, _, _ := strings.Cut(id, "-")
		turns = append(turns, Turn{&Question{ID: id, Lesson: lesson}, day})
	}
	return turns
}

func ids(list []*Question) string {
	var words []string
	for _, q := range list {
		words = append(words, q.ID)
	}
	return strings.Join(words, " ")
}

// alikeLessons tells that two lessons are look-alikes.
func alikeLessons(pairs ...string) func(a, b *Question) bool {
	return func(a, b *Question) bool {
		return slices.Contains(pairs, a.Lesson+"|"+b.Lesson) || slices.Contains(pairs, b.Lesson+"|"+a.Lesson)
	}
}

func TestMix(t *testing.T) {
	for _, c := range []struct {
		name, due, alike, want string
	}{
		{"nothing", "", "", ""},
		{"one lesson", "a-1@1 a-2@2 a-3@3", "", "a-1 a-2 a-3"},
		{"the longest overdue first", "a-1@3 b-1@1 c-1@2", "", "b-1 c-1 a-1"},
		{"lessons take turns", "a-1@1 a-2@1 b-1@2 c-1@3", "", "a- b-1 a- c-1"},
		{"the crowded one is not left to the end", "a-1@1 b-1@1 c-1@9 c-2@9 c-3@9", "", "c- . c- . c-"},
		{"look-alikes side by side", "a-1@1 b-1@2 c-1@3 d-1@4", "a|d", "a-1 d-1 b-1 c-1"},
		{"and then the others", "a-1@1 c-1@2 a-2@3 d-1@4 d-2@5", "a|d", "a-1 d-1 c-1 a-2 d-2"},
		{"no two pairs in a row of one pair", "a-1@1 d-1@1 b-1@1 e-1@1", "a|d", ". . . ."},
	} {
		got := ids(Mix(due(c.due), alikeLessons(c.alike), "2026-03-02"))
		words, want := strings.Fields(got), strings.Fields(c.want)
		ok := len(words) == len(want)
		for i := range min(len(words), len(want)) {
			ok = ok && (want[i] == "." || strings.HasPrefix(words[i], want[i]))
		}
		if !ok {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The order is that of a day: the same all day, another one the next.
func TestMixIsTheDays(t *testing.T) {
	turns := due("a-1 a-2 b-1 b-2 c-1 c-2 d-1")
	back := slices.Clone(turns)
	slices.Reverse(back)
	orders := map[string]bool{}
	for day := range 10 {
		name := fmt.Sprint("2026-03-0", day)
		first, again := ids(Mix(turns, alikeLessons(), name)), ids(Mix(back, alikeLessons(), name))
		if first != again {
			t.Errorf("%s: %s, then %s", name, first, again)
		}
		orders[first] = true
	}
	if len(orders) < 5 {
		t.Errorf("%d orders in ten days", len(orders))
	}
}

// Each check is asked once; two of one lesson stand side by side only where that
// lesson has more than all others together; and where there are look-alikes, the
// first of them has one at its side.
func TestMixProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-e]-[1-6]@[1-3]`), 0, 14, func(w string) string { return w[:3] }).Draw(t, "due")
		turns := due(strings.Join(words, " "))
		got := Mix(turns, alikeLessons("a|b", "c|d"), "2026-03-02")
		if len(got) != len(turns) {
			t.Fatalf("%d of %d", len(got), len(turns))
		}
		seen, left := map[string]bool{}, map[string]int{}
		for _, q := range got {
			seen[q.ID] = true
			left[q.Lesson]++
		}
		if len(seen) != len(turns) {
			t.Fatalf("one stands twice: %s", ids(got))
		}
		most := 0
		for _, n := range left { // order: the largest is wanted
			most = max(most, n)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Lesson == got[i-1].Lesson && 2*most <= len(got) {
				t.Fatalf("two of a lesson in a row: %s", ids(got))
			}
		}
	})
}
