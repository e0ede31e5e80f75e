package cell_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/cell"
)

// Every character there is: what is drawn for it is printable, stays what it
// is when cleaned again, and has the width that bubbletea's renderer measures,
// alone and beside a neighbour.
func TestRuneIsSafeForEveryCharacter(t *testing.T) {
	for r := rune(-1); r <= unicode.MaxRune+1; r++ {
		safe, w := cell.Rune(r)
		if w != 1 && w != 2 {
			t.Fatalf("%U: width %d", r, w)
		}
		if !unicode.IsPrint(safe) {
			t.Fatalf("%U: %U is not printable", r, safe)
		}
		if again, w2 := cell.Rune(safe); again != safe || w2 != w {
			t.Fatalf("%U: %U is not stable, gives %U", r, safe, again)
		}
		if safe != r {
			continue
		}
		s := string(safe)
		for _, text := range []string{s, s + s, "a" + s + "a", "한" + s + "한", "─" + s + "·"} {
			want := strings.Count(text, s) * w
			for _, other := range strings.ReplaceAll(text, s, "") {
				_, ow := cell.Rune(other)
				want += ow
			}
			if got := ansi.StringWidth(text); got != want {
				t.Fatalf("%U: %q is %d wide to the renderer, %d here", r, text, got, want)
			}
			if got := ansi.StringWidthWc(text); got != want {
				t.Fatalf("%U: %q is %d wide by wcwidth, %d here", r, text, got, want)
			}
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"orders-0", "orders-0"},
		{"größe ≤ 5 µs", "größe ≤ 5 µs"},
		{"a\tb", "a⇥b"},
		{"a\r\nb", "a·↵b"},
		{"\x1b[31mred\x1b[0m", "·[31mred·[0m"},
		{"\x1b]0;title\x07", "·]0;title·"},
		{"nul\x00del\x7f", "nul·del·"},
		{"c1\u009b31m", "c1·31m"},
		{"e\u0301", "e·"},
		{"zero\u200bwidth\u200d", "zero·width·"},
		{"no\u00a0break", "no break"},
		{"\u202eright to left", "·right to left"},
		{"❤\ufe0f", "❤·"},
		{"🙂", "·"},
		{"🇩🇪", "DE"},
		{"日本語", "日本語"},
		{"\xff\xfe", "··"},
		{"\ufffd", "·"},
		{"", ""},
	} {
		if got := cell.Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCleanOfSafeTextDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { cell.Clean("broker-3 → LEO 1 007") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[2J", "e\u0301🇩🇪\xc3", "한\u1100\u1161", "👩\u200d👩"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean := cell.Clean(s)
		if !utf8.ValidString(clean) {
			t.Fatalf("%q: %q is not UTF-8", s, clean)
		}
		for _, r := range clean {
			if r < ' ' || r >= 0x7F && r < 0xA0 {
				t.Fatalf("%q: control character in %q", s, clean)
			}
		}
		if cell.Clean(clean) != clean {
			t.Fatalf("%q: cleaning %q again changes it", s, clean)
		}
		if a, b := cell.Width(s), cell.Width(clean); a != b {
			t.Fatalf("%q: width %d, cleaned %d", s, a, b)
		}
		if a, b := cell.Width(clean), ansi.StringWidth(clean); a != b {
			t.Fatalf("%q: width %d, to the renderer %d", clean, a, b)
		}
	})
}

func TestTruncateAndPad(t *testing.T) {
	for _, c := range []struct {
		in                     string
		width                  int
		truncate, start, l, rt string
	}{
		{"abcdef", 6, "abcdef", "abcdef", "abcdef", "abcdef"},
		{"abcdef", 4, "abc…", "…def", "abc…", "abc…"},
		{"abcdef", 1, "…", "…", "…", "…"},
		{"abcdef", 0, "", "", "", ""},
		{"abcdef", -3, "", "", "", ""},
		{"ab", 4, "ab", "ab", "ab  ", "  ab"},
		{"日本語", 4, "日…", "…語", "日… ", " 日…"},
		{"日本語", 5, "日本…", "…本語", "日本…", "日本…"},
		{"", 2, "", "", "  ", "  "},
	} {
		if got := cell.Truncate(c.in, c.width); got != c.truncate {
			t.Errorf("Truncate(%q, %d) = %q", c.in, c.width, got)
		}
		if got := cell.TruncateStart(c.in, c.width); got != c.start {
			t.Errorf("TruncateStart(%q, %d) = %q", c.in, c.width, got)
		}
		if got := cell.PadRight(c.in, c.width); got != c.l {
			t.Errorf("PadRight(%q, %d) = %q", c.in, c.width, got)
		}
		if got := cell.PadLeft(c.in, c.width); got != c.rt {
			t.Errorf("PadLeft(%q, %d) = %q", c.in, c.width, got)
		}
	}
}

func TestTextIsExactAtEveryWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		w := rapid.IntRange(0, 40).Draw(t, "width")
		for name, got := range map[string]string{"PadLeft": cell.PadLeft(s, w), "PadRight": cell.PadRight(s, w)} {
			if cell.Width(got) != w {
				t.Fatalf("%s(%q, %d) = %q", name, s, w, got)
			}
		}
		for _, got := range []string{cell.Truncate(s, w), cell.TruncateStart(s, w), cell.Cut(s, w)} {
			if cell.Width(got) > w {
				t.Fatalf("%q cut to %d: %q", s, w, got)
			}
		}
	})
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1 000", 57840: "57 840", 1234567: "1 234 567",
		-1: "-1", -57840: "-57 840", -999: "-999", 1<<63 - 1: "9 223 372 036 854 775 807", -1 << 63: "-9 223 372 036 854 775 808",
	} {
		if got := cell.Thin(n); got != want {
			t.Errorf("Thin(%d) = %q, want %q", n, got, want)
		}
	}
	for ms, want := range map[int64]string{0: "0.000", 41250: "41.250", 59999: "59.999", 60006: "1:00.006", 3723004: "1:02:03.004", 1296002132: "360:00:02.132",
		4320000000: "1 200:00:00.000", -5: "0.000",
	} {
		if got := cell.Clock(ms); got != want {
			t.Errorf("Clock(%d) = %q, want %q", ms, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 12240: "12 240 B", 65536: "64 KiB", 120832: "118 KiB", 1 << 20: "1 MiB", 1 << 30: "1 GiB", 5 << 50: "5 120 TiB", -120832: "-118 KiB"} {
		if got := cell.Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
}
