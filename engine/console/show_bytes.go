package console

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
)

// bytesFiles are what `show bytes` takes for file=: the ends of the names of a
// segment's files, then the files of a partition's folder and of the log
// directory that have one name.
var (
	segmentFiles = []string{"log", "index", "timeindex", "txnindex", "snapshot"}
	namedFiles   = []string{
		"leader-epoch-checkpoint", "partition.metadata", "recovery-point-offset-checkpoint", "log-start-offset-checkpoint",
		"replication-offset-checkpoint", "cleaner-offset-checkpoint", "meta.properties", ".kafka_cleanshutdown",
	}
)

// bytesAction shows bytes with the names of their fields: the files of a
// replica, the batch that holds an offset, or a file.
type bytesAction struct {
	replica engine.ReplicaName
	offset  int64  // -1 for none
	file    string // empty for none
	segment int64  // the offset in the file's name, -1 for the newest
	entry   int64  // the part, -1 for all
}

const bytesNeeds = "a partition or replica, as orders/0 or orders/0@1"

func parseShowBytes(a *args) (action, error) {
	w, err := a.word(bytesNeeds)
	if err != nil {
		return nil, err
	}
	b := bytesAction{offset: -1}
	if b.replica, err = showTarget(w); err != nil {
		return nil, err
	}
	if len(a.words) > 0 {
		w := a.words[0]
		if b.offset, err = offsetWord(a); err != nil {
			return nil, err
		}
		if b.offset < 0 {
			return nil, wrong(w, "%s is no offset: a whole number from 0 on is", w)
		}
	}
	b.file, _ = a.take("file")
	all := slices.Concat(segmentFiles, namedFiles)
	if b.file != "" && !slices.Contains(all, b.file) {
		e := wrong(b.file, "file=%s: one of %s is allowed", b.file, strings.Join(all, " "))
		e.Nearest = config.Nearest(b.file, all)
		return nil, e
	}
	if b.segment, err = a.int("segment", -1, 0, math.MaxInt64); err != nil {
		return nil, err
	}
	if b.entry, err = a.int("entry", -1, 0, math.MaxInt32); err != nil {
		return nil, err
	}
	return b, b.fits()
}

// fits says which of what was given do not go together.
func (b bytesAction) fits() error {
	switch {
	case b.offset >= 0 && b.file != "":
		return wrong("file", "show bytes: an offset or file=%s, not both", b.file)
	case b.segment >= 0 && b.file == "":
		return wrong("segment", "show bytes: segment= needs file=, one of %s", strings.Join(segmentFiles, " "))
	case b.segment >= 0 && !slices.Contains(segmentFiles, b.file):
		return wrong("segment", "show bytes: file=%s is of no segment: segment= is allowed with %s", b.file, strings.Join(segmentFiles, " "))
	case b.entry >= 0 && b.file == "":
		return wrong("entry", "show bytes: entry= needs file=")
	}
	return nil
}

func (b bytesAction) run(s *Session, text string) (Output, error) {
	c := s.Cluster()
	r := b.replica
	p, ok := c.PartitionView(r.Topic, r.Partition)
	if !ok {
		return refusal(kerror.UnknownTopicOrPartition, "there is no %s/%d", r.Topic, r.Partition), nil
	}
	if r.Broker == 0 {
		r.Broker = p.Leader
		if p.Leader < 0 { // none is up: the files are still there
			r.Broker = p.Replicas[0]
		}
	}
	folder, root := c.ReplicaFiles(r)
	if folder == nil {
		return refusal(kerror.UnknownTopicOrPartition, "there is no replica %s/%d on broker-%d", r.Topic, r.Partition, r.Broker), nil
	}
	b.replica = r
	switch {
	case b.file != "":
		return b.showFile(c, folder, root)
	case b.offset >= 0:
		return b.showBatch(c, folder)
	}
	return b.showFiles(c, folder, root)
}

// bytesResult is what JSON has of it.
type bytesResult struct {
	Broker string      `json:"broker"`
	Files  []fileJSON  `json:"files,omitempty"`
	File   string      `json:"file,omitempty"`
	Size   int64       `json:"size,omitempty"`
	Parts  []bytesPart `json:"parts"`
	// Position and Bytes are those of a batch that was asked for by its offset.
	Position *int64 `json:"position,omitempty"`
	Bytes    []byte `json:"bytes,omitempty"`
}

type fileJSON struct {
	Path     string `json:"path"`
	Size     int64  `json:"size"`
	Unsynced int64  `json:"unsynced"`
	About    string `json:"about"`
}

func (b bytesAction) result() bytesResult {
	return bytesResult{Broker: "broker-" + strconv.Itoa(int(b.replica.Broker)), Parts: []bytesPart{}}
}

// showFiles lists the files of a replica and of its log directory, and names the
// fields of the newest batch.
func (b bytesAction) showFiles(c *engine.Cluster, folder, root []engine.FileView) (Output, error) {
	res := b.result()
	var lines []string
	for i, list := range [][]engine.FileView{folder, root} {
		head := fmt.Sprintf("%s/%d on %s", b.replica.Topic, b.replica.Partition, res.Broker)
		if i == 1 {
			head = "log directory of " + res.Broker
		}
		lines = append(lines, fmt.Sprintf("%s: %s", head, count(len(list), "file")))
		for _, f := range list {
			line := fmt.Sprintf("  %-33s %7d B  %s", f.Name, f.Bytes, f.About)
			if f.Unsynced > 0 {
				line += fmt.Sprintf(", %d B not synced", f.Unsynced)
			}
			lines = append(lines, strings.TrimRight(line, " "))
			res.Files = append(res.Files, fileJSON{f.Path, f.Bytes, f.Unsynced, f.About})
		}
	}
	// The newest batch is the last one of the newest log that has any.
	for _, f := range slices.Backward(folder) {
		if _, isLog := logBase(f.Name); !isLog || f.Bytes == 0 {
			continue
		}
		x, err := c.FileParts(b.replica.Broker, f.Path)
		if err != nil {
			return refusal(kerror.KafkaStorageError, "%v", err), nil
		}
		part := x.Part(x.Len() - 1)
		res.File, res.Size, res.Parts = f.Path, x.Size(), append(res.Parts, newBytesPart(part, true))
		lines = append(append(lines, "newest in "+f.Name+":"), partLines(part)...)
		break
	}
	return Output{Result: res, Text: lines}, nil
}

// showBatch shows the batch that holds an offset, as it lies in the file.
func (b bytesAction) showBatch(c *engine.Cluster, folder []engine.FileView) (Output, error) {
	for _, f := range slices.Backward(folder) {
		base, isLog := logBase(f.Name)
		if !isLog || base > b.offset {
			continue
		}
		x, err := c.FileParts(b.replica.Broker, f.Path)
		if err != nil {
			return refusal(kerror.KafkaStorageError, "%v", err), nil
		}
		i, ok := x.Batch(b.offset)
		if !ok {
			break
		}
		part, res := x.Part(i), b.result()
		res.File, res.Size, res.Parts = f.Path, x.Size(), append(res.Parts, newBytesPart(part, false))
		res.Position, res.Bytes = &part.At, part.Data
		return Output{Result: res, Text: partLines(part)}, nil
	}
	return Output{Result: b.result(), Text: []string{fmt.Sprintf("no batch holds offset %d", b.offset)}}, nil
}

// segmentFile takes the name of a segment's file, or of a snapshot, apart.
func segmentFile(name string) (base int64, ext string, ok bool) {
	stem, ext, _ := strings.Cut(name, ".")
	base, err := strconv.ParseInt(stem, 10, 64)
	return base, ext, err == nil
}

// logBase is the offset in the name of a log.
func logBase(name string) (base int64, ok bool) {
	base, ext, ok := segmentFile(name)
	return base, ok && ext == "log"
}

// shownParts is how many parts of a file are told at once.
const shownParts = 40

// showFile shows a file, or one part of it.
func (b bytesAction) showFile(c *engine.Cluster, folder, root []engine.FileView) (Output, error) {
	f, ok := b.find(slices.Concat(folder, root))
	if !ok {
		return Output{Result: b.result(), Text: []string{b.missing(folder)}}, nil
	}
	x, err := c.FileParts(b.replica.Broker, f.Path)
	if err != nil {
		return refusal(kerror.KafkaStorageError, "%v", err), nil
	}
	res := b.result()
	res.File, res.Size = f.Path, x.Size()
	lines := []string{fmt.Sprintf("%s on %s  %d B  %s", f.Path, res.Broker, f.Bytes, count(x.Len(), "part"))}
	if b.entry >= int64(x.Len()) && x.Len() > 0 {
		lines = append(lines, fmt.Sprintf("there is no entry=%d: 0 to %d are there", b.entry, x.Len()-1))
		return Output{Result: res, Text: lines}, nil
	}
	if b.entry >= 0 {
		for _, p := range x.Window(int(b.entry), 1) {
			res.Parts = append(res.Parts, newBytesPart(p, true))
			lines = append(lines, partLines(p)...)
		}
		return Output{Result: res, Text: lines}, nil
	}
	for i, p := range x.Window(0, shownParts) {
		res.Parts = append(res.Parts, newBytesPart(p, false))
		lines = append(lines, fmt.Sprintf("%d  %s", i, partLine(p)))
		if x.Text() || b.file == "snapshot" || b.file == "txnindex" {
			lines = append(lines, partFields(p, p.Fields)...)
		}
		lines = append(lines, damageLines(p)...)
	}
	if more := x.Len() - shownParts; more > 0 {
		lines = append(lines, fmt.Sprintf("%d more: entry=N shows one, N up to %d", more, x.Len()-1))
	}
	return Output{Result: res, Text: lines}, nil
}

// find is the file that is meant: of a segment's files the newest, unless a
// segment is named.
func (b bytesAction) find(files []engine.FileView) (engine.FileView, bool) {
	for _, f := range slices.Backward(files) {
		base, ext, ok := segmentFile(f.Name)
		if f.Name == b.file || ok && ext == b.file && (b.segment < 0 || b.segment == base) {
			return f, true
		}
	}
	return engine.FileView{}, false
}

// missing says that there is no such file, which is no error: only a segment
// that has been rolled to has a snapshot, only one with an aborted transaction a
// txnindex, only a broker that has ended cleanly a .kafka_cleanshutdown.
func (b bytesAction) missing(folder []engine.FileView) string {
	on := fmt.Sprintf("broker-%d", b.replica.Broker)
	dir := fmt.Sprintf("%s-%d", b.replica.Topic, b.replica.Partition)
	if slices.Contains(namedFiles, b.file) {
		return fmt.Sprintf("%s has no file %s", on, b.file)
	}
	var have []string
	for _, f := range folder {
		if base, ext, ok := segmentFile(f.Name); ok && ext == b.file {
			have = append(have, strconv.FormatInt(base, 10))
		}
	}
	if b.segment < 0 || len(have) == 0 {
		return fmt.Sprintf("%s on %s has no .%s file", dir, on, b.file)
	}
	return fmt.Sprintf("%s on %s has no file %020d.%s; there is segment=%s", dir, on, b.segment, b.file, strings.Join(have, ","))
}
