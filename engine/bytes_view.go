package engine

import (
	"fmt"
	"path"

	"kafkalab/engine/disk"
	"kafkalab/engine/dump"
	"kafkalab/engine/storage"
)

// FileReader looks at the files on the brokers' disks as they are, also while a
// broker is down: what a crash has left can be seen before recovery changes it.
type FileReader interface {
	// ReplicaFiles lists the files of a replica's folder and those at the root
	// of its broker's log directory, by name. Both are empty if the broker has
	// no such folder.
	ReplicaFiles(r ReplicaName) (folder, root []FileView)
	// FileParts takes a file apart; path is FileView.Path. The error says why
	// it cannot be read.
	FileParts(broker int32, path string) (*FileParts, error)
}

// FileView is one file of a log directory.
type FileView struct {
	Path     string // from the log directory on: orders-0/00000000000000000000.log
	Name     string // the last part of it
	About    string // what it has, in a few words
	Bytes    int64
	Unsynced int64 // bytes at its end that a crash of the machine may take
}

// FileParts is a file taken apart, FilePart a part of it, a batch or an entry;
// FileChecksum is a checksum computed again.
type (
	FileParts    = dump.Parts
	FilePart     = dump.Part
	FileChecksum = dump.Checksum
)

// BytesPart takes bytes that are in memory apart: the first part of a file of
// that name, an entry of an index or a batch. The name has the base offset.
func BytesPart(name string, data []byte) FilePart {
	x, err := dump.TakeBytes(name, data)
	if err != nil || x.Len() == 0 {
		return FilePart{Data: data}
	}
	return x.Part(0)
}

var _ FileReader = (*Cluster)(nil)

// ReplicaFiles implements FileReader.
func (c *Cluster) ReplicaFiles(r ReplicaName) (folder, root []FileView) {
	b := c.broker(r.Broker)
	if b == nil {
		return nil, nil
	}
	dir := storage.DirName(r.Topic, r.Partition)
	if folder = filesIn(b.FS, dir); folder == nil {
		return nil, nil
	}
	return folder, filesIn(b.FS, "")
}

// filesIn lists the files of a folder, nil if there is no such folder.
func filesIn(fs disk.FS, dir string) []FileView {
	names, err := disk.Names(fs, "/"+dir)
	if err != nil {
		return nil
	}
	list := []FileView{}
	for _, name := range names {
		full := path.Join(dir, name)
		if info, err := fs.Stat(full); err == nil && !info.IsDir() {
			list = append(list, FileView{Path: full, Name: name, About: dump.About(name), Bytes: info.Size(), Unsynced: fs.Unsynced(full)})
		}
	}
	return list
}

// FileParts implements FileReader.
func (c *Cluster) FileParts(broker int32, path string) (*FileParts, error) {
	b := c.broker(broker)
	if b == nil {
		return nil, fmt.Errorf("there is no %s", BrokerName(broker))
	}
	parts, err := dump.Take(b.FS, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return parts, nil
}
