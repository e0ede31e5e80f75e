package engine

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/broker"
	"kafkalab/engine/config"
	"kafkalab/engine/disk"
	"kafkalab/engine/storage"
)

// DirtyRecord is a record that the first reading of a pass has before it, or
// behind it: what the offset map is filled from.
type DirtyRecord struct {
	Offset int64
	Key    string
	Null   bool // it has no key
	Marker bool // a control record: never in the map
}

// EmptyBatch is a batch that passes have left without a record: its header
// stays.
type EmptyBatch struct {
	Base, Last int64
	Producer   int64 // id, -1 for none
	Alive      bool  // the broker still knows the producer, and this is its newest batch: that is why it stays
	End        bool  // it ends at the high watermark: the log must not end earlier than it did
}

// FolderFile is a file in a replica's folder.
type FolderFile struct {
	Name  string
	Bytes int64
}

const (
	maxDirtyRecords = 500
	maxEmpty        = 500
	headersAtOnce   = 1000
)

// passSuffixes are those of files that belong to no segment of the log (yet, or
// any more). Source: LogFileUtils.
var passSuffixes = []string{".cleaned", ".swap", ".deleted"}

// folderFiles lists the files of a replica's folder by name.
func folderFiles(fs disk.FS, dir string) []FolderFile {
	names, err := disk.Names(fs, "/"+dir)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	var list []FolderFile
	for _, name := range names {
		if info, err := fs.Stat(path.Join(dir, name)); err == nil && !info.IsDir() {
			list = append(list, FolderFile{name, info.Size()})
		}
	}
	return list
}

// passFiles are the files of a pass: .cleaned, .swap and .deleted.
func passFiles(fs disk.FS, dir string) []FolderFile {
	return slices.DeleteFunc(folderFiles(fs, dir), func(f FolderFile) bool {
		return !slices.ContainsFunc(passSuffixes, func(suffix string) bool { return strings.HasSuffix(f.Name, suffix) })
	})
}

// dirtyRecords reads what the first reading of a pass goes through.
func dirtyRecords(log *storage.Log, from, to int64) []DirtyRecord {
	var list []DirtyRecord
	for from < to && len(list) < maxDirtyRecords {
		heads, err := log.Batches(from, 1)
		if err != nil || len(heads) == 0 || heads[0].Base >= to {
			return list
		}
		if batch, err := log.BatchBytes(heads[0].Base); err == nil {
			for it := batch.Iterator(); it.Next() && len(list) < maxDirtyRecords; {
				if r := it.Record(); r.Offset >= from {
					list = append(list, DirtyRecord{r.Offset, string(r.Key), r.Key == nil, heads[0].Control})
				}
			}
		}
		from = heads[0].Last + 1
	}
	return list
}

// marked lists the batches that have a delete horizon (virtual ms) and those
// that are empty.
func marked(log *storage.Log, toVirtual int64) (horizons []Horizon, empty []EmptyBatch) {
	if !log.Config().Compact {
		return nil, nil
	}
	alive := newestOfProducers(log)
	for from := int64(0); ; {
		heads, err := log.Batches(from, headersAtOnce)
		for _, h := range heads {
			if h.HasDeleteHorizon && len(horizons) < maxHorizons {
				horizons = append(horizons, Horizon{Base: h.Base, Last: h.Last, AtMs: h.DeleteHorizon + toVirtual})
			}
			if h.Count == 0 && len(empty) < maxEmpty {
				empty = append(empty, EmptyBatch{
					Base: h.Base, Last: h.Last, Producer: h.ProducerID, Alive: alive(h), End: h.Last+1 == log.HighWatermark(),
				})
			}
			from = h.Last + 1
		}
		if err != nil || len(heads) < headersAtOnce {
			return horizons, empty
		}
	}
}

// newestOfProducers tells of a batch whether it is the newest of a producer that
// the broker still knows: its data, or a marker if it has written nothing since.
// Source: Cleaner#isLastRecordOfProducer of UnifiedLog#lastRecordsOfActiveProducers.
func newestOfProducers(log *storage.Log) func(storage.BatchInfo) bool {
	known := map[int64]storage.ProducerState{}
	for _, p := range log.Producers() {
		known[p.ID] = p
	}
	return func(h storage.BatchInfo) bool {
		p, ok := known[h.ProducerID]
		switch {
		case !ok:
			return false
		case p.LastOffset() >= 0:
			return p.LastOffset() == h.Last
		}
		return h.Control && p.Epoch == h.ProducerEpoch
	}
}

// passParts are what a path may ask of the newest pass, passLists how.
var (
	passParts = []string{"map", "kept", "left_out", "next"}
	passLists = []string{"keys", "offsets", "count"}
)

// checkPass tells whether a path asks for something that a pass has:
// pass(map), pass(kept).offsets.
func (p *Path) checkPass() error {
	if !slices.Contains(passParts, p.arg) {
		return &PathError{Path: p.text, Why: "pass has (map) (kept) (left_out) (next)", Nearest: config.Nearest(p.arg, passParts)}
	}
	if p.sub != "" && (p.arg == "next" || !slices.Contains(passLists, p.sub)) {
		return &PathError{Path: p.text, Why: "pass(map), pass(kept) and pass(left_out) have .keys .offsets .count", Nearest: config.Nearest(p.sub, passLists)}
	}
	return nil
}

// passValue is what the newest pass over a replica's log has noted and decided,
// as far as it has come. The map goes by keys, the records by offsets.
func passValue(p Path, pass broker.Pass) Value {
	var list []broker.KeyOffset
	switch p.arg {
	case "next":
		if pass.Next == "" {
			return None
		}
		return Word(string(pass.Next))
	case "map":
		list = slices.Clone(pass.Map)
		slices.SortFunc(list, func(a, b broker.KeyOffset) int { return strings.Compare(a.Key, b.Key) })
	default:
		for _, v := range pass.Verdicts {
			if v.Kept != (p.arg == "kept") {
				continue
			}
			key := v.Key
			if v.Null {
				key = "null"
			}
			list = append(list, broker.KeyOffset{Key: key, Offset: v.Offset})
		}
		slices.SortFunc(list, func(a, b broker.KeyOffset) int { return cmp.Compare(a.Offset, b.Offset) })
	}
	items := make([]string, len(list))
	for i, e := range list {
		switch p.sub {
		case "keys":
			items[i] = e.Key
		case "offsets":
			items[i] = strconv.FormatInt(e.Offset, 10)
		default:
			items[i] = e.Key + "=" + strconv.FormatInt(e.Offset, 10)
		}
	}
	if p.sub == "count" {
		return Number(int64(len(items)))
	}
	return List(items)
}

// filesValue lists the names of the files of a replica's folder that end so.
func filesValue(fs disk.FS, dir, suffix string) Value {
	items := []string{}
	for _, f := range folderFiles(fs, dir) {
		if strings.HasSuffix(f.Name, suffix) {
			items = append(items, f.Name)
		}
	}
	return List(items)
}
