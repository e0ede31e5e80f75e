package canvas_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

func TestWrapKeepsStyles(t *testing.T) {
	l := canvas.T("After ", theme.Text).Add("30 s the", theme.Name).Add(" next check drops it.", theme.Text)
	want := []canvas.Line{
		{{"After ", theme.Text}, {"30 s", theme.Name}},
		{{"the", theme.Name}, {" next", theme.Text}},
		{{"check drops", theme.Text}},
		{{"it.", theme.Text}},
	}
	if diff := cmp.Diff(want, l.Wrap(11)); diff != "" {
		t.Error(diff)
	}
}

func TestTruncateLine(t *testing.T) {
	l := canvas.T("abc", theme.Name).Add("def", theme.Muted)
	for w, want := range map[int]canvas.Line{
		6: l,
		5: {{"abc", theme.Name}, {"d…", theme.Muted}},
		4: {{"abc", theme.Name}, {"…", theme.Muted}},
		3: {{"ab…", theme.Name}},
		0: nil,
	} {
		if diff := cmp.Diff(want, l.Truncate(w)); diff != "" {
			t.Errorf("%d: %s", w, diff)
		}
	}
}

// Wrapping styled text gives the lines of the plain text, and every character
// keeps its style.
func TestWrapLikePlainText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l canvas.Line
		style := map[rune]theme.Style{}
		for i := range rapid.IntRange(0, 6).Draw(t, "spans") {
			s := theme.Style(i)
			text := rapid.StringOf(rapid.SampledFrom([]rune{' ', 'a' + rune(i), 'A' + rune(i), '一' + rune(i)})).Draw(t, "text")
			for _, r := range text {
				style[r] = s
			}
			l = l.Add(text, s)
		}
		w := rapid.IntRange(1, 20).Draw(t, "width")
		want := cell.Wrap(l.String(), w)
		got := l.Wrap(w)
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].String() != want[i] || got[i].Width() > w {
				t.Fatalf("line %d: %q, want %q", i, got[i].String(), want[i])
			}
			for _, span := range got[i] {
				for _, r := range span.Text {
					if r != ' ' && style[r] != span.Style {
						t.Fatalf("%q in %v, want %v", r, span.Style, style[r])
					}
				}
			}
		}
		if tr := l.Truncate(w); tr.Width() > w {
			t.Fatalf("truncated to %d: %q", w, tr)
		}
	})
}

func TestWrapOfBrokenText(t *testing.T) {
	l := canvas.T("0\xd7", theme.Text).Add("\x8b0", theme.Name)
	want := []canvas.Line{{{"0·", theme.Text}, {"·0", theme.Name}}}
	if diff := cmp.Diff(want, l.Wrap(4)); diff != "" {
		t.Error(diff)
	}
	if l[0].Text != "0\xd7" {
		t.Error("the line itself was changed")
	}
}
