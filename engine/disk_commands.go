package engine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"kafkalab/engine/disk"
	"kafkalab/engine/storage"
)

// Disk makes a broker's disk fail: What is DiskFull, DiskOK, DiskTorn (of what
// was not synced, the next crash leaves exactly Bytes of each file), DiskFlip
// (a bit of byte Bytes of a segment's file turns), DiskReadOnly (nothing can be
// changed), DiskLost (a segment's file is gone) or DiskCut (only the first Bytes
// of it are left; the broker has to be down).
type Disk struct {
	Broker  int32
	What    string
	Bytes   int64
	Replica ReplicaName
	Segment int64
	Suffix  string // which of the segment's files: log, index, timeindex, txnindex or snapshot
}

// What can be done to a disk.
const (
	DiskFull     = "full"
	DiskOK       = "ok"
	DiskTorn     = "torn"
	DiskFlip     = "flip"
	DiskReadOnly = "readonly"
	DiskLost     = "lost"
	DiskCut      = "cut"
)

func (cmd Disk) run(c *Cluster) (Result, error) {
	b := c.broker(cmd.Broker)
	if b == nil {
		_, err := c.upBroker(cmd.Broker, true)
		return nil, err
	}
	switch cmd.What {
	case DiskFull:
		b.FS.SetFaults(disk.Full())
	case DiskReadOnly:
		b.FS.SetFaults(disk.Faults{ReadOnly: true})
	case DiskOK:
		b.FS.SetFaults(disk.Faults{})
	case DiskTorn:
		c.torn[cmd.Broker] = cmd.Bytes
	case DiskLost:
		return Done{}, cmd.lose(b.FS)
	case DiskCut:
		if c.isUp(cmd.Broker) {
			return nil, fmt.Errorf("disk %s cut: the broker is up; only what is not in use can be cut", BrokerName(cmd.Broker))
		}
		return Done{}, cmd.cut(b.FS)
	case DiskFlip:
		name := cmd.file()
		if err := b.FS.Flip(name, cmd.Bytes, 1); err != nil {
			if errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("disk %s flip: %s has no byte %d, it ends before", BrokerName(cmd.Broker), name, cmd.Bytes)
			}
			return nil, fmt.Errorf("disk %s flip: %w", BrokerName(cmd.Broker), err)
		}
	}
	return Done{}, nil
}

// file is the path of a segment's file.
func (cmd Disk) file() string {
	return path.Join(storage.DirName(cmd.Replica.Topic, cmd.Replica.Partition), storage.FileName(cmd.Segment, "."+cmd.Suffix))
}

// cut makes a file shorter, durably, whatever else is wrong with the disk.
func (cmd Disk) cut(fs disk.FS) (err error) {
	faults := fs.Faults()
	fs.SetFaults(disk.Faults{})
	defer fs.SetFaults(faults)
	f, err := fs.OpenFile(cmd.file(), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("disk %s cut: %w", BrokerName(cmd.Broker), err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err == nil && info.Size() < cmd.Bytes {
		err = fmt.Errorf("%s has %d bytes, fewer than the %d that are to stay", cmd.file(), info.Size(), cmd.Bytes)
	}
	if err == nil {
		err = errors.Join(f.Truncate(cmd.Bytes), f.Sync())
	}
	if err != nil {
		return fmt.Errorf("disk %s cut: %w", BrokerName(cmd.Broker), err)
	}
	return nil
}

// lose takes a file away, durably. A broker that is up has it open and does not
// notice before its next start.
func (cmd Disk) lose(fs disk.FS) error {
	name := cmd.file()
	err := fs.Remove(name)
	if err == nil {
		err = fs.SyncDir(path.Dir(name))
	}
	if err != nil {
		return fmt.Errorf("disk %s lost: %w", BrokerName(cmd.Broker), err)
	}
	return nil
}
