package panel

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
)

func TestThinNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"sends 101292 B of orders/0 from offset 1085 on":              "sends 101 292 B of orders/0 from offset 1 085 on",
		"finds 1085 of orders/0: segment 1000, index entry 49:4404":   "finds 1 085 of orders/0: segment 1 000, index entry 49:4404",
		"appends 10 records at offset 2350-2359 of orders-1000/0":     "appends 10 records at offset 2 350 – 2 359 of orders-1000/0",
		"unlinks 00000000000000001000.log (12345 bytes)":              "unlinks 00000000000000001000.log (12 345 bytes)",
		"sets segment.bytes=1048576 for topic 007":                    "sets segment.bytes=1048576 for topic 007",
		"a number too long: 123456789012345678901234567890 and 1000.": "a number too long: 123456789012345678901234567890 and 1 000.",
		"":                                  "",
		"2026-01-01 stays, and 0000 and -1": "2026-01-01 stays, and 0000 and -1",
	} {
		if got := thinNumbers(in); got != want {
			t.Errorf("thinNumbers(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// Only gaps are added: without them the text is what it was.
func TestThinNumbersAddsGapsOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`([a-z0-9:/=.,()-]{0,12} ?){0,8}`).Draw(t, "line")
		bare := strings.NewReplacer(" ", "", "–", "-")
		if got := thinNumbers(line); bare.Replace(got) != bare.Replace(line) {
			t.Fatalf("%q became %q", line, got)
		}
	})
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		count(1, "entry"): "1 entry", count(1024, "entry"): "1 024 entries", count(2, "batch"): "2 batches", count(0, "header"): "0 headers",
		span(7, 7): "7", span(1000, 1009): "1 000 – 1 009", stamp(noTime): "none", stamp(engine.Epoch + 300_000): "2026-01-01 00:05:00.000",
		shortStamp(engine.Epoch, 12): "00:00:00.000", shortStamp(engine.Epoch, 20): "01-01 00:00:00.000", shortStamp(noTime, 12): "none",
		signed(3): "+3", signed(-1000): "-1 000", offsetText(-1): "none",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Facts are shown whole or not at all: half a number would be another one.
func TestFactsAreNeverCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := facts{}
		whole := map[string]bool{}
		for range rapid.IntRange(0, 5).Draw(t, "facts") {
			label := rapid.StringMatching(`[a-z]{0,6}`).Draw(t, "label")
			value := rapid.StringMatching(`[1-9][0-9]{0,8}`).Draw(t, "value")
			f = f.add(label, value, theme.Text)
			whole[value] = true
		}
		c := canvas.New(rapid.IntRange(1, 40).Draw(t, "w"), 1)
		f.draw(c.Region(), rapid.IntRange(0, 5).Draw(t, "x"), 0)
		for _, word := range strings.Fields(c.Text()) {
			if word[0] <= '9' && !whole[word] {
				t.Fatalf("%q is none of the values in %q", word, c.Text())
			}
		}
	})
}
