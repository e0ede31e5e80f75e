package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
)

// show writes styled lines as text: {Style:text} for what is not plain.
func show(lines []canvas.Line) string {
	var b strings.Builder
	for _, l := range lines {
		for _, s := range l {
			if s.Style == theme.Text {
				b.WriteString(s.Text)
			} else {
				fmt.Fprintf(&b, "{%v:%s}", s.Style, s.Text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name, in string
		width    int
		want     string
	}{
		{"paragraphs", "The leader keeps\ntwo clocks.\n\nOnly this one counts.", 20,
			"The leader keeps two\nclocks.\n\nOnly this one\ncounts.\n"},
		{"inline", "After **30 s** the `acks=1` is *not* [it](other.md#x).", 60,
			"After {Text|Bold:30 s} the {Bright:acks=1} is {Text|Underline:not} it.\n"},
		{"bold across a break", "a **bold word** b", 6, "a {Text|Bold:bold}\n{Text|Bold:word} b\n"},
		{"ideas", "[broker-1](#leader) has [**5**](#open) [`x`](#lost)", 60,
			"{Violet:broker-1} has {Amber|Bold:5} {Red:x}\n"},
		{"bold idea", "**[broker-1](#leader)**", 60, "{Violet|Bold:broker-1}\n"},
		{"heading", "# The job\ntext", 20, "{Bright|Bold:The job}\n\ntext\n"},
		{"list", "You will\n- predict what a consumer reads\n- fail\n\nend", 16,
			"You will\n\n• predict what a\n  consumer reads\n• fail\n\nend\n"},
		{"loose list", "1. one\n\n2. two", 16, "1. one\n\n2. two\n"},
		{"numbers", "9) nine\n10) ten", 16, "9) nine\n10) ten\n"},
		{"nested", "- a\n  - b c\n", 5, "• a\n  • b\n    c\n"},
		{"code", "```\nkafka-topics.sh --list\n\n  x\n```", 12,
			"  {Bright:kafka-topi}\n    {Bright:cs.sh --}\n    {Bright:list}\n  {Bright:}\n  {Bright:  x}\n"},
		{"indented code", "before\n\n    a b\n      c\n\nbehind **it**\n", 20,
			"before\n\n  {Bright:a b}\n  {Bright:  c}\n\nbehind {Text|Bold:it}\n"},
		{"indented code first", "    kafka-topics.sh\n\nbehind", 20, "  {Bright:kafka-topics.sh}\n\nbehind\n"},
		{"indented code in a list", "- one\n\n      two\n\n  three\n", 20, "• one\n  \n    {Bright:two}\n  \n  three\n"},
		{"not code", "one\n    two", 20, "one two\n"},
		{"quote", "> When you meet this:\n> `lag`", 12, "{Rule:│ }When you\n{Rule:│ }meet this:\n{Rule:│ }{Bright:lag}\n"},
		{"rule", "a\n\n***\n", 5, "a\n\n{Rule:─────}\n"},
		{"hard break", "one\\\ntwo  \nthree", 20, "one\ntwo\nthree\n"},
		{"escapes and signs", `1 \* 2 < 3 & <b> {x} a_b_c`, 40, "1 * 2 < 3 & <b> {x} a_b_c\n"},
		{"unfinished", "**bold `code [link](", 40, "**bold `code [link](\n"},
		{"nothing", "", 10, ""},
		{"no room", "text", 0, ""},
	} {
		if got := show(markdown.Render(c.in, c.width)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// Whatever is written, no line is wider than it may be.
func TestRenderNeverExceedsTheWidth(t *testing.T) {
	piece := rapid.SampledFrom([]string{"# ", "- ", "  - ", "1. ", "> ", "```\n", "**", "*", "`", "[", "](#leader)", "\n", "\n\n",
		" ", "    ", "\n\n    ", "word", "日本", "a_longer_word_than_the_line", "\\", "---\n", "\t", "57 840"})
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "source"), "")
		w := rapid.IntRange(1, 60).Draw(t, "width")
		for _, l := range markdown.Render(src, w) {
			if l.Width() > w {
				t.Fatalf("%q at %d: %q is %d wide", src, w, l.String(), l.Width())
			}
		}
	})
}

func FuzzRender(f *testing.F) {
	f.Add("# a\n\n- b\n  1. `c`\n\n> **d** [e](#open)\n\n```\nf\n```\n", 20)
	f.Add("**[", 1)
	f.Fuzz(func(t *testing.T, src string, width int) {
		width %= 200
		for _, l := range markdown.Render(src, width) {
			if l.Width() > width {
				t.Fatalf("%q at %d: %q is %d wide", src, width, l.String(), l.Width())
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	src := "## broker-3 has stopped fetching\n\n" + strings.Repeat("The leader keeps **two clocks** for each `follower`: its last fetch, and when it last held all that the leader had.\n\n- one\n- two\n\n", 5)
	b.ReportAllocs()
	for b.Loop() {
		markdown.Render(src, 36)
	}
}
