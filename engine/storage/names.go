package storage

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The ends of the names of a partition's files
// (org.apache.kafka.storage.internals.log.LogFileUtils).
const (
	logSuffix       = ".log"
	indexSuffix     = ".index"
	timeIndexSuffix = ".timeindex"
	txnIndexSuffix  = ".txnindex"
	snapshotSuffix  = ".snapshot"

	deletedSuffix = ".deleted" // to be unlinked after file.delete.delay.ms
	cleanedSuffix = ".cleaned" // output of a compaction that is not complete
	swapSuffix    = ".swap"    // output that is complete and replaces its sources

	deleteDirSuffix = "-delete"
	strayDirSuffix  = "-stray"
	futureDirSuffix = "-future"
)

// segmentSuffixes are the files of one segment.
var segmentSuffixes = []string{logSuffix, indexSuffix, timeIndexSuffix, txnIndexSuffix}

// FileName is the name of a file of a segment or snapshot: the offset in 20
// digits, then the suffix, such as ".log".
func FileName(offset int64, suffix string) string { return fmt.Sprintf("%020d%s", offset, suffix) }

// offsetOfName reads the offset at the start of a file's name, as Kafka does:
// all before the first dot.
func offsetOfName(name string) (int64, bool) {
	digits, _, found := strings.Cut(name, ".")
	if !found {
		return 0, false
	}
	offset, err := strconv.ParseInt(digits, 10, 64)
	return offset, err == nil && offset >= 0
}

// DirName is the name of a partition's folder.
func DirName(topic string, partition int32) string { return fmt.Sprintf("%s-%d", topic, partition) }

// ParseDirName takes a folder's name apart: the partition is what follows the
// last dash. deleted tells that the folder waits to be removed.
func ParseDirName(name string) (topic string, partition int32, deleted, ok bool) {
	topic, partition, mark, ok := parseDirName(name)
	if !ok || mark != "" && mark != deleteDirSuffix {
		return "", 0, false, false
	}
	return topic, partition, mark != "", true
}

// parseDirName gives the mark of a folder's name too: that it is deleted, set
// aside, or of a replica that moves between disks. A marked name has something
// between the partition and the mark that makes it unique
// (LocalLog#parseTopicPartitionName).
func parseDirName(name string) (topic string, partition int32, mark string, ok bool) {
	for _, m := range []string{deleteDirSuffix, strayDirSuffix, futureDirSuffix} {
		if !strings.HasSuffix(name, m) {
			continue
		}
		if !markedName.MatchString(strings.TrimSuffix(name, m)) {
			return "", 0, "", false
		}
		name, mark = name[:strings.LastIndexByte(name, '.')], m
		break
	}
	dash := strings.LastIndexByte(name, '-')
	if dash <= 0 {
		return "", 0, "", false
	}
	n, err := strconv.ParseInt(name[dash+1:], 10, 32)
	if err != nil {
		return "", 0, "", false
	}
	return name[:dash], int32(n), mark, true
}

var markedName = regexp.MustCompile(`^\S+-\S+\.\S+$`)

// maxNameLength is the longest name of a folder on common file systems.
const maxNameLength = 255

// DeleteDirName is the name under which the folder of a deleted partition
// waits to be removed. id, 32 hex digits in Kafka, makes it unique. A name that
// would get too long is cut (UnifiedLog#logDeleteDirName).
func DeleteDirName(dir, id string) string { return markedDirName(dir, id, deleteDirSuffix) }

// StrayDirName is the name under which the folder of a partition is set aside
// that the cluster does not know (UnifiedLog#logStrayDirName).
func StrayDirName(dir, id string) string { return markedDirName(dir, id, strayDirSuffix) }

func markedDirName(dir, id, mark string) string {
	suffix := "." + id + mark
	return dir[:min(len(dir), max(maxNameLength-len(suffix), 0))] + suffix
}
