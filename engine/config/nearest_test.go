package config

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	var names []string
	for _, k := range Keys(Topic) {
		names = append(names, k.Name)
	}
	verbs := []string{"produce", "producer", "consume", "consumer", "tick", "settle", "stall", "heal", "kill", "roll"}
	for _, c := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"segmnt.bytes", names, "segment.bytes"},
		{"segment_bytes", names, "segment.bytes"},
		{"retention.sm", names, "retention.ms"},
		{"SEGMENT.BYTES", names, "segment.bytes"},
		{"min.isr", names, ""},
		{"log.retention.ms", names, "local.retention.ms"},
		{"something.else.entirely", names, ""},
		{"prodcue", verbs, "produce"},
		{"tik", verbs, "tick"},
		{"kil", verbs, "kill"},
		{"xy", verbs, ""},
		{"", verbs, ""},
		{"produce", verbs, "produce"},
		{"consumr", verbs, "consume"},
		{"a", nil, ""},
	} {
		if got := Nearest(c.word, c.candidates); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

// TestNearestIgnoresOrder: the same candidates in any order give the same
// answer, and it is never farther than another.
func TestNearestIgnoresOrder(t *testing.T) {
	word := rapid.StringMatching(`[ab.]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		w, candidates := word.Draw(t, "word"), rapid.SliceOfN(word, 0, 6).Draw(t, "candidates")
		got := Nearest(w, candidates)
		if again := Nearest(w, rapid.Permutation(candidates).Draw(t, "order")); again != got {
			t.Fatalf("%q, then %q", got, again)
		}
		if got == "" {
			return
		}
		for _, c := range candidates {
			if distance([]rune(w), []rune(c), 99) < distance([]rune(w), []rune(got), 99) {
				t.Fatalf("%q is nearer than %q", c, got)
			}
		}
	})
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "acb", 1}, {"abcd", "badc", 2}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := distance([]rune(c.a), []rune(c.b), 99); got != c.want {
			t.Errorf("distance(%s, %s) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
