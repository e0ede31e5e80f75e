package dump

import (
	"strconv"
	"strings"
)

// EpochStart is a line of leader-epoch-checkpoint: where a leader began.
type EpochStart struct {
	Epoch       int32 `json:"epoch"`
	StartOffset int64 `json:"startOffset"`
}

// Line implements Entry.
func (e EpochStart) Line() string {
	var l line
	l.int("", int64(e.Epoch))
	l.int(" ", e.StartOffset)
	return string(l)
}

// PartitionOffset is a line of the checkpoints that keep one offset a partition.
type PartitionOffset struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
}

// Line implements Entry.
func (p PartitionOffset) Line() string {
	var l line
	l.text(p.Topic, " ")
	l.int("", int64(p.Partition))
	l.int(" ", p.Offset)
	return string(l)
}

// textLine is a line of a text file and where it begins.
type textLine struct {
	at   int64
	text string
}

// linesOf cuts a text into lines; a line end at its end begins none.
func linesOf(p []byte) []textLine {
	var lines []textLine
	at := int64(0)
	for text := string(p); text != ""; {
		l, rest, _ := strings.Cut(text, "\n")
		lines = append(lines, textLine{at, strings.TrimSuffix(l, "\r")})
		at += int64(len(text) - len(rest))
		text = rest
	}
	return lines
}

// textLines are the lines of the file; nil when it cannot be read, which is told.
func (f *file) textLines() []textLine {
	p, damage := f.all()
	f.out.damage(damage)
	return linesOf(p)
}

func dumpEpochs(f *file) {
	dumpCheckpoint(f, "an epoch and an offset", func(fields []string) Entry {
		if len(fields) != 2 {
			return nil
		}
		epoch, err := strconv.ParseInt(fields[0], 10, 32)
		offset, err2 := strconv.ParseInt(fields[1], 10, 64)
		if err != nil || err2 != nil {
			return nil
		}
		return EpochStart{int32(epoch), offset}
	})
}

func dumpOffsets(f *file) {
	dumpCheckpoint(f, "a topic, a partition and an offset", func(fields []string) Entry {
		if len(fields) != 3 {
			return nil
		}
		partition, err := strconv.ParseInt(fields[1], 10, 32)
		offset, err2 := strconv.ParseInt(fields[2], 10, 64)
		if err != nil || err2 != nil {
			return nil
		}
		return PartitionOffset{fields[0], int32(partition), offset}
	})
}

// dumpCheckpoint tells a checkpoint: version 0, the number of entries, the
// entries, a line each. An empty file has no entries (Kafka: CheckpointFile).
func dumpCheckpoint(f *file, want string, parse func(fields []string) Entry) {
	lines := f.textLines()
	if len(lines) == 0 {
		return
	}
	if lines[0].text != "0" {
		f.out.damage(damagef(0, "version %q, 0 is known", lines[0].text))
		return
	}
	f.out.note(lines[0].text)
	if len(lines) == 1 {
		return
	}
	count, err := strconv.ParseInt(lines[1].text, 10, 32)
	if err != nil || count < 0 {
		f.out.damage(damagef(lines[1].at, "%q is no number of entries", lines[1].text))
		return
	}
	f.out.note(lines[1].text)
	for _, l := range lines[2:] {
		e := parse(strings.Fields(l.text))
		if e == nil {
			f.out.damage(damagef(l.at, "%q is not %s", l.text, want))
			return
		}
		f.out.entry(e)
	}
	if n := int64(len(lines) - 2); n != count {
		f.out.damage(damagef(lines[1].at, "%d entries are declared, %d are there", count, n))
	}
}
