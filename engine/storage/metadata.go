package storage

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kafkalab/engine/disk"
)

// MetaPropertiesFile is the file at the root of a log directory that says whose
// it is; one without it is not formatted.
const MetaPropertiesFile = "meta.properties"

const (
	partitionMetadataFile = "partition.metadata"
	cleanShutdownFile     = ".kafka_cleanshutdown"
	lockFile              = ".lock"
)

// FormatUUID writes an id as Kafka prints it: 22 characters of URL-safe base64.
func FormatUUID(id [16]byte) string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// ParseUUID reads an id as FormatUUID writes it.
func ParseUUID(s string) ([16]byte, error) {
	var id [16]byte
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != len(id) {
		return id, fmt.Errorf("id %q: want 22 characters of URL-safe base64", s)
	}
	copy(id[:], b)
	return id, nil
}

// FormatPartitionMetadata is the contents of a partition.metadata file, which
// ties a folder to a topic's id (PartitionMetadataFile; KIP-516).
func FormatPartitionMetadata(id [16]byte) []byte {
	return []byte("version: 0\ntopic_id: " + FormatUUID(id))
}

// ParsePartitionMetadata reads the contents of a partition.metadata file. What
// is wrong with one is a TextError (PartitionMetadataReadBuffer).
func ParsePartitionMetadata(data []byte) (id [16]byte, err error) {
	lines := javaLines(data)
	if len(lines) == 0 {
		return id, unchecked(0, "it is empty, want version and topic_id")
	}
	text, ok := labelled(lines[0])
	version, err := strconv.ParseInt(text, 10, 32)
	if !ok || err != nil || version < 0 {
		return id, badLine(1, "%q, want %q", lines[0], "version: 0")
	}
	if len(lines) < 2 {
		return id, unchecked(2, "the topic_id is missing")
	}
	if text, ok = labelled(lines[1]); !ok {
		return id, badLine(2, "%q, want: topic_id: ID", lines[1])
	}
	if id, err = ParseUUID(text); err != nil {
		return id, unchecked(2, "%s", err)
	}
	if id == [16]byte{} {
		return id, badLine(2, "the topic id is zero, which stands for none")
	}
	return id, nil
}

// labelled is what follows the colon and the blanks of a line.
func labelled(line string) (string, bool) {
	parts := colon.Split(line, -1)
	return parts[len(parts)-1], len(parts) == 2 && parts[1] != ""
}

var colon = regexp.MustCompile(`:[ \t\n\x0b\f\r]+`)

// ReadTopicID reads the topic id that a partition's folder belongs to; known is
// false when the folder does not say.
func ReadTopicID(d disk.FS, dir string) (id [16]byte, known bool, err error) {
	name := path.Join(dir, partitionMetadataFile)
	data, err := disk.ReadFile(d, name)
	if errors.Is(err, fs.ErrNotExist) {
		return id, false, nil
	}
	if err != nil {
		return id, false, err
	}
	id, err = ParsePartitionMetadata(data)
	return id, err == nil, inFile(name, err)
}

// MetaProperties identify a log directory: whose it is, of which cluster, and
// which one (MetaProperties, version 1).
type MetaProperties struct {
	NodeID      int32
	ClusterID   string
	DirectoryID [16]byte
}

// Format is the contents of a meta.properties file; Java writes the time of
// writing into its second line.
func (m MetaProperties) Format(wallMs int64) []byte {
	stamp := time.UnixMilli(wallMs).UTC().Format("Mon Jan 02 15:04:05 UTC 2006")
	return fmt.Appendf(nil, "#\n#%s\ncluster.id=%s\ndirectory.id=%s\nnode.id=%d\nversion=1\n",
		stamp, m.ClusterID, FormatUUID(m.DirectoryID), m.NodeID)
}

// ParseMetaProperties reads the contents of a meta.properties file.
func ParseMetaProperties(data []byte) (MetaProperties, error) {
	var m MetaProperties
	seen := map[string]string{}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return m, fmt.Errorf("line %d: %q, want: key=value", i+1, line)
		}
		seen[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	if v := seen["version"]; v != "1" {
		return m, fmt.Errorf("version %q, only 1 is known", v)
	}
	node, err := strconv.ParseInt(seen["node.id"], 10, 32)
	if err != nil || node < 0 {
		return m, fmt.Errorf("node.id %q, want a number from 0 on", seen["node.id"])
	}
	if seen["cluster.id"] == "" {
		return m, errors.New("cluster.id is missing")
	}
	m.NodeID, m.ClusterID = int32(node), seen["cluster.id"]
	if m.DirectoryID, err = ParseUUID(seen["directory.id"]); err != nil {
		return m, fmt.Errorf("directory.id: %w", err)
	}
	return m, nil
}

// FormatOrRead makes the root of a log directory ready: a fresh one gets its
// meta.properties, .lock and checkpoint files; one that is formatted gives its
// identity, which must be that of this node and cluster. An empty ClusterID in
// want takes any.
func FormatOrRead(d disk.FS, want MetaProperties, wallMs int64) (MetaProperties, error) {
	data, err := disk.ReadFile(d, MetaPropertiesFile)
	if errors.Is(err, fs.ErrNotExist) {
		// Formatting a folder that has logs would throw its checkpoints away.
		logs, _, err := PartitionDirs(d)
		if err == nil && len(logs) > 0 {
			err = fmt.Errorf("%s is missing in a folder that has logs (%s): Kafka would not start on it either", MetaPropertiesFile, logs[0])
		}
		if err != nil {
			return want, err
		}
		return want, format(d, want, wallMs)
	}
	if err != nil {
		return want, err
	}
	have, err := ParseMetaProperties(data)
	switch {
	case err != nil:
		return have, fmt.Errorf("%s: %w", MetaPropertiesFile, err)
	case have.NodeID != want.NodeID:
		return have, fmt.Errorf("%s: node.id is %d, this node is %d", MetaPropertiesFile, have.NodeID, want.NodeID)
	case want.ClusterID != "" && have.ClusterID != want.ClusterID:
		return have, fmt.Errorf("%s: cluster.id is %s, this cluster is %s", MetaPropertiesFile, have.ClusterID, want.ClusterID)
	}
	return have, nil
}

// format writes the files that a fresh root has.
func format(d disk.FS, m MetaProperties, wallMs int64) error {
	if err := disk.WriteFileAtomic(d, MetaPropertiesFile, m.Format(wallMs)); err != nil {
		return err
	}
	for _, name := range []string{lockFile, HighWatermarkFile, CleanerOffsetFile} {
		f, err := d.Create(name)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return err
		}
	}
	for _, name := range []string{RecoveryPointFile, LogStartOffsetFile} {
		if err := WriteOffsetCheckpoint(d, name, nil); err != nil {
			return err
		}
	}
	return nil
}

// cleanShutdown is the contents of .kafka_cleanshutdown (KIP-966).
type cleanShutdown struct {
	Version     int   `json:"version"`
	BrokerEpoch int64 `json:"brokerEpoch"`
}

// NoBrokerEpoch is what TakeCleanShutdown tells when there is none to tell.
const NoBrokerEpoch = -1

// WriteCleanShutdown leaves the file that says that all logs were closed, and
// in which epoch of the broker (CleanShutdownFileHandler#write).
func WriteCleanShutdown(d disk.FS, brokerEpoch int64) error {
	data, err := json.Marshal(cleanShutdown{Version: 0, BrokerEpoch: brokerEpoch})
	if err != nil {
		return err
	}
	return disk.WriteFileAtomic(d, cleanShutdownFile, data)
}

// ReadCleanShutdown tells whether the last shutdown was clean, and the
// broker's epoch then, NoBrokerEpoch when the file does not say. What the file
// holds does not matter to whether it was clean.
func ReadCleanShutdown(d disk.FS) (clean bool, brokerEpoch int64) {
	data, err := disk.ReadFile(d, cleanShutdownFile)
	if err != nil {
		return false, NoBrokerEpoch
	}
	var c cleanShutdown
	if json.Unmarshal(data, &c) != nil || c.Version != 0 {
		return true, NoBrokerEpoch
	}
	return true, c.BrokerEpoch
}

// TakeCleanShutdown is ReadCleanShutdown and removes the file, at once: should
// the node die while it loads, the next start is an unclean one.
func TakeCleanShutdown(d disk.FS) (clean bool, brokerEpoch int64, err error) {
	clean, brokerEpoch = ReadCleanShutdown(d)
	if clean {
		if err = d.Remove(cleanShutdownFile); err == nil {
			err = d.SyncDir("/")
		}
	}
	return clean, brokerEpoch, err
}

// PartitionDirs lists the folders of partitions in a log directory, and those
// that wait to be removed, each sorted by name. A folder that is neither, nor one
// that was set aside, is a ForeignError.
func PartitionDirs(d disk.FS) (dirs, deleted []string, err error) {
	names, err := disk.Names(d, "/")
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		info, err := d.Stat(name)
		if err != nil || !info.IsDir() || name == remoteIndexCache {
			continue
		}
		_, _, mark, ok := parseDirName(name)
		switch {
		case !ok:
			return nil, nil, &ForeignError{name}
		case mark == deleteDirSuffix:
			deleted = append(deleted, name)
		case mark == "":
			dirs = append(dirs, name)
		}
	}
	return slices.Clip(dirs), slices.Clip(deleted), nil
}

// remoteIndexCache is a folder of tiered storage that may be among those of
// partitions.
const remoteIndexCache = "remote-log-index-cache"

// ForeignError is a folder in a log directory whose name is not that of a
// partition: Kafka does not start beside one (LocalLog#parseTopicPartitionName).
type ForeignError struct {
	Dir string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: a log directory may hold no folder of such a name; topic-partition or topic-partition.uniqueId-delete is allowed", e.Dir)
}
