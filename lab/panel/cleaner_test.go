package panel

import (
	"fmt"
	"strings"
	"testing"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

// sample is a log that the cleaner is about to take: the newest of five records
// is a tombstone, and P has nothing more to say.
const sample = `cluster brokers=1
topic create orders partitions=1 replicas=1 cleanup.policy=compact
producer P
producer Q
produce orders key=user:1 value=Alice as=P
produce orders key=user:2 value=Bob
produce orders key=user:1 value=ALICE as=Q
produce orders key=user:3 value=Charlie
produce orders key=user:2 tombstone
roll orders/0
`

// phase is a pass that has come so far: until is the kind of the newest event.
func phase(t *testing.T, until string) Model {
	t.Helper()
	script := sample
	for _, kind := range []string{"CleaningBegun", "OffsetMapBuilt", "SegmentsCopied", "SegmentsReplaced", "LogCleaned"} {
		script += "until event." + kind + ".partition == orders/0\n"
		if kind == until {
			break
		}
	}
	return modelOf(session(t, script), liveFocus())
}

// A pass goes phase by phase, each of which the panel shows: the offset map as
// it is filled, the records as they are copied, the files, the checkpoint.
func TestCleanerPhases(t *testing.T) {
	for _, tt := range []struct {
		until string
		tells []string
		never []string
	}{
		{"CleaningBegun", []string{"gate ✓ · map ▸ · copy · swap · checkpoint   first dirty 0", "▓ 0  user:1  not read yet", "offset map  empty", "pass 1 is on its way", "begins a pass: dirty"},
			[]string{".cleaned", "of 5 records"}},
		{"OffsetMapBuilt", []string{"map ✓ · copy ▸ · swap", "· 0  user:1  2 is newer", "▸ 2  user:1  in the map", "user:1 → 2", "user:2 → 4", "user:3 → 3", "reads 0 up to 5", "5: 3 keys"},
			[]string{".cleaned", "of 5 records"}},
		{"SegmentsCopied", []string{"copy ✓ · swap ▸ · checkpoint   first dirty 0", "· 0  user:1  an older", "█ 2  user:1  newest of its key", "3 of 5 records kept", "00000000000000000000.log.cleaned", "the copy", "copies 3 of 5 records to .cleaned, 390 B"},
			[]string{".deleted", "emptied batches"}},
		{"SegmentsReplaced", []string{"swap ✓ · checkpoint ▸   first dirty 0", "□ 0  user:1  older value, header stays", "00000000000000000000.log.deleted", "goes in 60 s", "emptied batches", "□ 0  61 B: the last batch of producer 0", "† 4  kept for 24 h"},
			[]string{"log.cleaned"}},
		{"LogCleaned", []string{"checkpoint ✓   first dirty 0 → 5", "3 of 5 records kept", "gate ✗  no pass now: nothing is dirty: first dirty 5, log end 5", "writes the checkpoint: first dirty 0 → 5"}, []string{"on its way"}},
	} {
		m := phase(t, tt.until)
		got := text(&Cleaner{}, m, 100, 50)
		for _, want := range tt.tells {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", tt.until, want, got)
			}
		}
		for _, never := range tt.never {
			if strings.Contains(got, never) {
				t.Errorf("%s: %q in\n%s", tt.until, never, got)
			}
		}
		for _, size := range [][2]int{{62, 28}, {78, 9}, {76, 19}} {
			name := fmt.Sprintf("cleaner-%s-%dx%d", tt.until, size[0], size[1])
			t.Run(name, func(t *testing.T) { kittest.Golden(t, name, drawn(&Cleaner{}, m, size[0], size[1])) })
		}
	}
}

// While the lesson asks which records are copied, the map is seen, and what
// follows from it is not.
func TestCleanerTellsNoVerdict(t *testing.T) {
	m := phase(t, "OffsetMapBuilt")
	m.Focus = NoFocus()
	m.Focus.At, m.Focus.Replica.Topic = "cleaner.verdicts", "orders"
	told := text(&Cleaner{}, m, 100, 40)
	m.Focus.Revealed = false
	asked := text(&Cleaner{}, m, 100, 40)
	for _, word := range []string{"is newer", "in the map"} {
		if strings.Contains(asked, word) || !strings.Contains(told, word) {
			t.Errorf("%q, asked\n%s\ntold\n%s", word, asked, told)
		}
	}
	if !strings.Contains(asked, "4  user:2  ?") || !strings.Contains(asked, "user:2 → 4") {
		t.Errorf("\n%s", asked)
	}
}

// A pass that was broken off is told as that, and is not counted.
func TestCleanerBrokenOff(t *testing.T) {
	f := cleaned()
	f.clean.LastPass.Refusal, f.clean.LastPass.Why = "aborted", "the log was truncated meanwhile"
	got := text(&Cleaner{}, f.model(NoFocus()), 100, 40)
	for _, want := range []string{"passes 1", "pass 2   250 ms ago   broken off: the log was truncated meanwhile"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "checkpoint ") {
		t.Errorf("\n%s", got)
	}
}

// Each phase can be told apart without colour, and in ASCII.
func TestCleanerPhasesWithoutColour(t *testing.T) {
	for ascii, wants := range map[bool][]string{
		false: {"gate ✓ · map ✓ · copy ▸ · swap · checkpoint"},
		true:  {"gate + . map + . copy > . swap . checkpoint", "> 2  user:1  in the map", ". 0  user:1  2 is newer"},
	} {
		painter := kittest.Painter(t, "none", theme.Dark, theme.Plain, ascii)
		c := canvas.New(100, 30)
		(&Cleaner{}).Draw(c.Region(), phase(t, "OffsetMapBuilt"))
		got := c.Render(painter)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
	}
}
