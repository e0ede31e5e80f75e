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

// checkpointForm is how the lines of a checkpoint are made.
type checkpointForm struct {
	want  string // what a line is, for messages
	words []string
	kinds []string
	parse func(words []string) Entry // nil for a line that is none
}

var epochsForm = checkpointForm{
	want: "an epoch and an offset", words: []string{"epoch", "startOffset"}, kinds: []string{"int32", "int64"},
	parse: func(words []string) Entry {
		if len(words) != 2 {
			return nil
		}
		epoch, err := strconv.ParseInt(words[0], 10, 32)
		offset, err2 := strconv.ParseInt(words[1], 10, 64)
		if err != nil || err2 != nil {
			return nil
		}
		return EpochStart{int32(epoch), offset}
	},
}

var offsetsForm = checkpointForm{
	want: "a topic, a partition and an offset", words: []string{"topic", "partition", "offset"}, kinds: []string{"string", "int32", "int64"},
	parse: func(words []string) Entry {
		if len(words) != 3 {
			return nil
		}
		partition, err := strconv.ParseInt(words[1], 10, 32)
		offset, err2 := strconv.ParseInt(words[2], 10, 64)
		if err != nil || err2 != nil {
			return nil
		}
		return PartitionOffset{words[0], int32(partition), offset}
	},
}

func dumpEpochs(f *file)  { dumpCheckpoint(f, epochsForm) }
func dumpOffsets(f *file) { dumpCheckpoint(f, offsetsForm) }

// read reads the line of a number; lines are counted from 0. The first two are
// the version and the number of entries.
func (form checkpointForm) read(n int, l textLine) (Entry, *Damage) {
	switch n {
	case 0:
		if l.text != checkpointVersion {
			return nil, damagef(l.at, "version %q, %s is known", l.text, checkpointVersion)
		}
	case 1:
		if count, err := strconv.ParseInt(l.text, 10, 32); err != nil || count < 0 {
			return nil, damagef(l.at, "%q is no number of entries", l.text)
		}
	default:
		if e := form.parse(strings.Fields(l.text)); e != nil {
			return e, nil
		}
		return nil, damagef(l.at, "%q is not %s", l.text, form.want)
	}
	return nil, nil
}

const checkpointVersion = "0"

// countDamage is the damage of a checkpoint that has not as many entries as its
// second line says, which must be a number.
func countDamage(lines []textLine) *Damage {
	if len(lines) < 2 {
		return nil
	}
	count, err := strconv.ParseInt(lines[1].text, 10, 32)
	if n := int64(len(lines) - 2); err == nil && n != count {
		return damagef(lines[1].at, "%d entries are declared, %d are there", count, n)
	}
	return nil
}

// dumpCheckpoint tells a checkpoint: version 0, the number of entries, the
// entries, a line each. An empty file has no entries (Kafka: CheckpointFile).
func dumpCheckpoint(f *file, form checkpointForm) {
	lines := f.textLines()
	for n, l := range lines {
		e, damage := form.read(n, l)
		switch {
		case damage != nil:
			f.out.damage(damage)
			return
		case e == nil:
			f.out.note(l.text)
		default:
			f.out.entry(e)
		}
	}
	f.out.damage(countDamage(lines))
}
