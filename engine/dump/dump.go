package dump

import (
	"io"

	"github.com/spf13/afero"
)

// Files prints what the files hold, in the order given. ok is false when one of
// them is damaged, cannot be read or is no file of Kafka's; the others are read
// all the same.
func Files(w io.Writer, fsys afero.Fs, names []string, opt Options) (ok bool) {
	if opt.JSON {
		out := newJSONOutput(w)
		for _, name := range names {
			decode(fsys, parseName(name), opt, out)
		}
		return out.ok
	}
	out := newTextOutput(w, opt)
	for _, name := range names {
		decode(fsys, parseName(name), opt, out)
	}
	return out.ok
}

// Bytes prints a file that is in memory, under the name it would have: the name
// tells what it is. An index is not compared with its log.
func Bytes(w io.Writer, name string, data []byte, opt Options) (ok bool) {
	return Files(w, memory(name, data), []string{name}, opt)
}

// decoderOf is the reader of a kind of file.
func decoderOf(k kind) func(*file) {
	switch k {
	case logKind, raftSnapshotKind:
		return dumpLog
	case offsetIndexKind:
		return dumpOffsetIndex
	case timeIndexKind:
		return dumpTimeIndex
	case txnIndexKind:
		return dumpTxnIndex
	case producerKind:
		return dumpProducers
	case epochsKind:
		return dumpEpochs
	case offsetsKind:
		return dumpOffsets
	case propertiesKind:
		return dumpProperties
	case jsonKind:
		return dumpJSON
	}
	return nil
}

// file is a file under way: its name, its bytes, and where they are told.
type file struct {
	fileName
	*source
	fsys afero.Fs
	opt  Options
	out  output
}

// decode tells one file.
func decode(fsys afero.Fs, n fileName, opt Options, out output) {
	out.begin(n)
	defer out.end()
	src, err := open(fsys, n.path)
	if err != nil && n.path != "" {
		out.damage(damagef(0, "%s", reason(err)))
		return
	}
	if err == nil {
		defer src.close()
	}
	decoder := decoderOf(n.kind)
	if decoder == nil {
		out.damage(damagef(0, "not known by its name: .log, .index, .timeindex, .txnindex, .snapshot, .checkpoint, or the name of a checkpoint"))
		return
	}
	decoder(&file{n, src, fsys, opt, out})
}
