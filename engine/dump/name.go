package dump

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// kind is what a file of Kafka's is, by its name.
type kind int

const (
	unknownKind kind = iota
	logKind
	raftSnapshotKind // 00000000000000000046-0000000001.checkpoint
	offsetIndexKind
	timeIndexKind
	txnIndexKind
	producerKind // .snapshot
	epochsKind
	offsetsKind
	propertiesKind
	jsonKind
)

// extensions are the files whose name is an offset.
var extensions = []struct {
	ext  string
	kind kind
}{
	{".log", logKind},
	{".index", offsetIndexKind},
	{".timeindex", timeIndexKind},
	{".txnindex", txnIndexKind},
	{".snapshot", producerKind},
	{".checkpoint", raftSnapshotKind},
}

// fixedNames are the files that have one name.
var fixedNames = []struct {
	name string
	kind kind
}{
	{"leader-epoch-checkpoint", epochsKind},
	{"recovery-point-offset-checkpoint", offsetsKind},
	{"replication-offset-checkpoint", offsetsKind},
	{"log-start-offset-checkpoint", offsetsKind},
	{"cleaner-offset-checkpoint", offsetsKind},
	{"partition.metadata", propertiesKind},
	{"meta.properties", propertiesKind},
	{".kafka_cleanshutdown", jsonKind},
	{"quorum-state", jsonKind},
}

// stages are what a file's name gets behind it on its way out or in: about to
// be deleted, written by the cleaner, about to be swapped in; .tmp is a
// checkpoint that was not renamed.
var stages = []string{".deleted", ".swap", ".cleaned", ".tmp"}

const bootstrapName = "bootstrap.checkpoint"

// fileName is a file's name, taken apart.
type fileName struct {
	path  string // as it is told: without doubled slashes, as Java has it
	base  string // the last part of it
	stem  string // what is before the first dot
	stage string // .deleted and the like, or nothing
	kind  kind
}

func parseName(given string) fileName {
	n := fileName{path: javaPath(given)}
	n.base = path.Base(filepath.ToSlash(n.path))
	plain := n.base
	for _, s := range stages {
		if rest, ok := strings.CutSuffix(plain, s); ok {
			plain, n.stage = rest, s
			break
		}
	}
	n.stem, _, _ = strings.Cut(plain, ".")
	for _, f := range fixedNames {
		if plain == f.name {
			n.kind = f.kind
			return n
		}
	}
	for _, e := range extensions {
		if strings.HasSuffix(plain, e.ext) {
			n.kind = e.kind
		}
	}
	return n
}

// isLog tells whether the file holds batches.
func (n fileName) isLog() bool { return n.kind == logKind || n.kind == raftSnapshotKind }

// baseOffset is the offset in the name.
func (n fileName) baseOffset() (int64, *Damage) {
	base, err := strconv.ParseInt(n.stem, 10, 64)
	if err != nil {
		return 0, damagef(0, "the name must begin with an offset, as 00000000000000000000%s", path.Ext(n.base))
	}
	return base, nil
}

// beside is the path of a file of the same segment: at the same stage first,
// then without one.
func (n fileName) beside(ext string) []string {
	dir := n.path[:len(n.path)-len(n.base)]
	plain := dir + n.stem + ext
	if n.stage == "" {
		return []string{plain}
	}
	return []string{plain + n.stage, plain}
}

// javaPath is a path as Java's File prints it.
func javaPath(p string) string {
	for strings.Contains(p, "//") {
		p = strings.ReplaceAll(p, "//", "/")
	}
	if len(p) > 1 {
		p = strings.TrimSuffix(p, "/")
	}
	return p
}
