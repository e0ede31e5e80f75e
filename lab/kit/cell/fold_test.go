package cell_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/cell"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"the leader keeps two clocks", 11, []string{"the leader", "keeps two", "clocks"}},
		{"exact fit", 9, []string{"exact fit"}},
		{"exact fit", 5, []string{"exact", "fit"}},
		{"a  b", 1, []string{"a", "b"}},
		{"two   spaces stay", 12, []string{"two   spaces", "stay"}},
		{"  indented text", 10, []string{"  indented", "text"}},
		{"longerthantheline", 6, []string{"longer", "thanth", "eline"}},
		{"a longerthantheline", 6, []string{"a", "longer", "thanth", "eline"}},
		{"one\ntwo\n\nthree ", 10, []string{"one", "two", "", "three"}},
		{"reads at 57 840 then", 12, []string{"reads at", "57 840 then"}},
		{"in 4 096 bytes", 4, []string{"in", "4 09", "6", "byte", "s"}},
		{"12 3456 78", 4, []string{"12", "3456", "78"}},
		{"日本語 日本", 4, []string{"日本", "語", "日本"}},
		{"日a", 1, []string{"a"}},
		{"    deep", 3, []string{"dee", "p"}},
		{"", 5, []string{""}},
		{"gone", 0, []string{}},
	} {
		if diff := cmp.Diff(c.want, cell.Wrap(c.in, c.width)); diff != "" {
			t.Errorf("Wrap(%q, %d): %s", c.in, c.width, diff)
		}
	}
}

func TestWrapNeverExceedsTheWidthAndLosesOnlySpaces(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab1 2\n日é -")), 0, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(text, rapid.String()).Draw(t, "text")
		w := rapid.IntRange(2, 30).Draw(t, "width")
		lines := cell.Wrap(s, w)
		for _, l := range lines {
			if cell.Width(l) > w {
				t.Fatalf("%q at %d: line %q is too wide", s, w, l)
			}
			if strings.HasSuffix(l, " ") {
				t.Fatalf("%q at %d: line %q ends in a space", s, w, l)
			}
		}
		squeeze := strings.NewReplacer(" ", "", "\n", "").Replace
		if squeeze(strings.Join(lines, "")) != squeeze(s) {
			t.Fatalf("%q at %d: lost something: %q", s, w, lines)
		}
	})
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat("The leader keeps two clocks for each follower: its last fetch. ", 20)
	for b.Loop() {
		cell.Fold(s, 36)
	}
}
