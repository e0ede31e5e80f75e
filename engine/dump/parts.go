package dump

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/spf13/afero"

	"kafkalab/engine/record"
)

// Parts is a file taken apart: parts that follow each other from its first byte
// to its last. Where they lie is found out when the file is opened; each is read
// and decoded when it is asked for, so that a long log costs no more than its
// headers.
//
// A damaged file has parts too: what can be named is named, and the part in
// which it goes wrong says where and why.
type Parts struct {
	fsys afero.Fs
	name fileName
	size int64
	cuts []cut
}

// cut is where a part begins, and how it is read.
type cut struct {
	at     int64
	n      int // its number among its like, from 0
	decode func(x *Parts, src *source, n int, p *Part)
}

// Take opens a file to take it apart. What the file is, its name tells; one with
// a name that is none of Kafka's has its bytes as its only part. The error says
// why the file cannot be read.
func Take(fsys afero.Fs, name string) (*Parts, error) {
	x := &Parts{fsys: fsys, name: parseName(name)}
	src, err := open(fsys, x.name.path)
	if err != nil {
		return nil, errors.New(reason(err))
	}
	defer src.close()
	x.size = src.size
	if x.size == 0 {
		return x, nil
	}
	if damage := x.cut(src); damage != nil {
		return nil, damage
	}
	return x, nil
}

// TakeBytes is Take for a file that is in memory.
func TakeBytes(name string, data []byte) (*Parts, error) { return Take(memory(name, data), name) }

// cut finds out where the parts lie. The damage is that of a disk that cannot be
// read.
func (x *Parts) cut(src *source) *Damage {
	switch x.name.kind {
	case logKind, raftSnapshotKind:
		return x.cutLog(src)
	case offsetIndexKind:
		return x.cutEntries(src, offsetLayout.size(), decodeOffsetEntry)
	case timeIndexKind:
		return x.cutEntries(src, timeLayout.size(), decodeTimeEntry)
	case txnIndexKind:
		return x.cutEntries(src, txnLayout.size(), decodeTxnEntry)
	case producerKind:
		return x.cutSnapshot(src)
	case epochsKind, offsetsKind, propertiesKind, jsonKind:
		return x.cutText(src)
	}
	x.add(0, 0, decodeUnknown)
	return nil
}

func (x *Parts) add(at int64, n int, decode func(*Parts, *source, int, *Part)) {
	x.cuts = append(x.cuts, cut{at, n, decode})
}

// Size is the file's size in bytes.
func (x *Parts) Size() int64 { return x.size }

// Len is the number of parts; 0 for an empty file.
func (x *Parts) Len() int { return len(x.cuts) }

// Text tells whether the file is a text, of which the parts are lines.
func (x *Parts) Text() bool { return x.name.kind >= epochsKind }

// At is the part that a byte of the file lies in, the nearest for one that is
// not in it; 0 for an empty file.
func (x *Parts) At(position int64) int {
	return max(0, sort.Search(len(x.cuts), func(i int) bool { return x.cuts[i].at > position })-1)
}

// Batch is the part of a log that is the batch that holds an offset; ok is false
// when there is none, and in another kind of file.
func (x *Parts) Batch(offset int64) (i int, ok bool) {
	if !x.name.isLog() {
		return 0, false
	}
	src, err := open(x.fsys, x.name.path)
	if err != nil {
		return 0, false
	}
	defer src.close()
	header := func(i int) record.Batch {
		head, damage := src.read(nil, x.cuts[i].at, record.HeaderSize)
		if damage != nil || len(head) < record.HeaderSize {
			return nil
		}
		return record.Batch(head)
	}
	i = sort.Search(len(x.cuts), func(i int) bool {
		b := header(i)
		return b == nil || b.LastOffset() >= offset
	})
	if i == len(x.cuts) {
		return 0, false
	}
	b := header(i)
	return i, b != nil && b.BaseOffset() <= offset
}

// Bounds are where a part begins, and where the next one does.
func (x *Parts) Bounds(i int) (from, to int64) {
	to = x.size
	if i+1 < len(x.cuts) {
		to = x.cuts[i+1].at
	}
	return x.cuts[i].at, to
}

// Window decodes n parts from one on, fewer at the end of the file. A part whose
// bytes cannot be read, or are not there any more, says so as its damage.
func (x *Parts) Window(from, n int) []Part {
	from = min(max(from, 0), len(x.cuts))
	n = min(max(n, 0), len(x.cuts)-from)
	out := make([]Part, 0, n)
	if n == 0 {
		return out
	}
	src, err := open(x.fsys, x.name.path)
	if err != nil {
		return append(out, Part{Title: x.name.base, Damage: damagef(0, "%s", reason(err))})
	}
	defer src.close()
	for i := from; i < from+n; i++ {
		at, to := x.Bounds(i)
		p := Part{At: at}
		if p.Data, p.Damage = src.read(nil, at, int(to-at)); p.Damage == nil {
			x.cuts[i].decode(x, src, x.cuts[i].n, &p)
		}
		out = append(out, p)
	}
	return out
}

// Part is one part; see Window.
func (x *Parts) Part(i int) Part {
	if w := x.Window(i, 1); len(w) > 0 {
		return w[0]
	}
	return Part{}
}

func decodeUnknown(x *Parts, _ *source, _ int, p *Part) {
	p.Title, p.Fields = x.name.base, unreadable(p.Data, 0, "the name is none of a file of Kafka's")
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func hex32(n uint32) string { return fmt.Sprintf("0x%08x", n) }

// shownBytes are how many bytes a field's value tells, where they are no number.
const shownBytes = 16

func bytesText(p []byte) string {
	if len(p) > shownBytes {
		return fmt.Sprintf("0x%x…", p[:shownBytes])
	}
	return fmt.Sprintf("0x%x", p)
}

// moment is a timestamp as people read it, in UTC.
func moment(ms int64) string {
	if ms < 0 {
		return "none"
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000")
}
