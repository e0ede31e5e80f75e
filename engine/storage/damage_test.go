package storage

import (
	"errors"
	"path"
	"testing"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
)

// overwrite changes bytes of a file in the folder.
func (f *fixture) overwrite(name string, at int, bytes ...byte) {
	f.t.Helper()
	file := path.Join("t-0", name)
	data, err := disk.ReadFile(f.disk, file)
	if err != nil {
		f.t.Fatal(err)
	}
	for i, b := range bytes {
		if err := f.disk.Flip(file, int64(at+i), data[at+i]^b); err != nil {
			f.t.Fatal(err)
		}
	}
}

// three is a log of three batches, the size field of the second of which is 0.
func three(t *testing.T) *fixture {
	f := newFixture(t)
	for i := range int64(3) {
		f.append(plain(t, r(1000+i, "k", "v")))
	}
	f.overwrite(FileName(0, logSuffix), 70+8, 0, 0, 0, 0)
	return f
}

// Damage that a read or a truncation meets is told to who asked, and breaks nothing.
func TestDamageBreaksNothing(t *testing.T) {
	f := three(t)
	if _, err := f.log.Read(2, 1000, 3, true); err == nil || err.Code != kerror.CorruptMessage {
		t.Errorf("read: %v", err)
	}
	if _, err := f.log.LookupTimestamp(1002); err == nil || err.Code != kerror.CorruptMessage {
		t.Errorf("search by time: %v", err)
	}
	err := f.log.TruncateTo(2)
	if damage, ok := errors.AsType[*DamageError](err); !ok || damage.Exception() != "CorruptRecordException" || damage.Position != 70 {
		t.Errorf("truncation: %v", err)
	}
	if f.log.Err() != nil || f.log.LogEndOffset() != 3 {
		t.Errorf("broken by %v, log end %d", f.log.Err(), f.log.LogEndOffset())
	}
	f.append(plain(t, r(1003, "k", "v")))
}

// What Open says tells damage, of which Kafka's process dies, from a disk that
// fails, which costs Kafka the log directory.
func TestOpenTellsDamageFromDisk(t *testing.T) {
	f := three(t)
	if err := f.log.Close(); err != nil {
		t.Fatal(err)
	}
	f.opts.CleanShutdown = true
	_, err := Open(f.opts)
	fatal, ok := errors.AsType[*FatalError](err)
	if !ok || fatal.Log != "t-0" || fatal.Damage.File != "t-0/"+FileName(0, logSuffix) || fatal.Damage.Position != 70 {
		t.Errorf("damage: %v", err)
	}
	f.disk.SetFaults(disk.Faults{FailReads: true})
	if _, err = Open(f.opts); !errors.Is(err, disk.ErrIO) {
		t.Errorf("disk: %v", err)
	}
	if _, ok := errors.AsType[*FatalError](err); ok {
		t.Errorf("a failing disk is told as damage: %v", err)
	}
	f.disk.SetFaults(disk.Faults{})
	f.opts.CleanShutdown, f.opts.RecoveryPoint = false, 0
	f.open() // recovery cuts it off
	if f.log.LogEndOffset() != 1 {
		t.Errorf("recovered up to %d, want 1", f.log.LogEndOffset())
	}
}

// A follower refuses what a reader of the file would take: over the wire the
// format is looked at.
func TestDamagedMagicIsServedAndRefused(t *testing.T) {
	leader, follower := newFixture(t), newFixture(t)
	leader.append(plain(t, r(1, "k", "v")))
	leader.overwrite(FileName(0, logSuffix), 16, 3)
	info, err := leader.log.Read(0, 1000, 1, true)
	if err != nil || len(info.Records) == 0 {
		t.Fatalf("%d bytes, %v", len(info.Records), err)
	}
	if _, err := follower.log.AppendAsFollower(info.Records, 0); err == nil || err.Code != kerror.CorruptMessage {
		t.Errorf("appended by a follower: %v", err)
	}
	leader.reopenUnclean(0)
	if leader.log.LogEndOffset() != 1 {
		t.Errorf("recovery left %d records, want 1", leader.log.LogEndOffset())
	}
}
