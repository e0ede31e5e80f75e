package storage

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
)

// passTo begins a pass over a log of two closed segments and does its phases up
// to one.
func passTo(t *testing.T, next Phase) (*fixture, *Cleaning) {
	t.Helper()
	f := compacted(t)
	for _, value := range []string{"old", "new"} {
		f.keyed("a", []byte(value))
		f.keyed("b", []byte(value))
		f.roll()
	}
	f.keyed("a", []byte("newest"))
	p, err := (&Cleaner{Map: NewOffsetMap(1<<20, 0.9)}).Begin(f.log, f.log.Cleanable(NoOffset))
	for err == nil && p.Next() != next {
		_, err = p.Step()
	}
	if err != nil {
		t.Fatal(err)
	}
	return f, p
}

var phases = []Phase{PhaseMap, PhaseCopy, PhaseSwap, PhaseEnd}

// suffixed are the names in the partition's folder that end in a suffix.
func (f *fixture) suffixed(suffix string) []string {
	names := slices.Collect(func(yield func(string) bool) {
		for _, name := range sortedNames(files(f.t, f.disk, "t-0")) {
			if strings.HasSuffix(name, suffix) && !yield(name) {
				return
			}
		}
	})
	return names
}

// The phases come in their order, each tells what it did, and readers see the
// sources until the swap.
func TestPhasesOfAPass(t *testing.T) {
	for _, c := range []struct {
		next     Phase
		contents string
		cleaned  int // files
	}{
		{PhaseMap, "0 a=old, 1 b=old, 2 a=new, 3 b=new, 4 a=newest", 0},
		{PhaseCopy, "0 a=old, 1 b=old, 2 a=new, 3 b=new, 4 a=newest", 0},
		{PhaseSwap, "0 a=old, 1 b=old, 2 a=new, 3 b=new, 4 a=newest", 3},
		{PhaseEnd, "2 a=new, 3 b=new, 4 a=newest", 0},
	} {
		f, p := passTo(t, c.next)
		if got := f.contents(); got != c.contents {
			t.Errorf("before %s the log holds %s, want %s", c.next, got, c.contents)
		}
		if got := f.suffixed(cleanedSuffix); len(got) != c.cleaned {
			t.Errorf("before %s there are %v, want %d files", c.next, got, c.cleaned)
		}
		if c.next != PhaseEnd {
			continue
		}
		if done, err := p.Step(); !done || err != nil {
			t.Errorf("the last phase: done %v, %v", done, err)
		}
		if _, err := p.Step(); !errors.Is(err, ErrCleaningAborted) {
			t.Errorf("a step after the last: %v", err)
		}
	}
}

// What cuts a log breaks its pass off, whatever phase it is in: the copy goes,
// the log is what the cut makes of it, and another pass goes through.
func TestPassesAreBrokenOff(t *testing.T) {
	for _, next := range phases {
		for name, cut := range map[string]func(l *Log) error{
			"truncation into a closed segment": func(l *Log) error { return l.TruncateTo(3) },
			"truncation to nothing":            func(l *Log) error { return l.TruncateFullyAndStartAt(2) },
		} {
			f, p := passTo(t, next)
			if err := cut(f.log); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Step(); !errors.Is(err, ErrCleaningAborted) {
				t.Errorf("%s before %s: the pass goes on: %v", name, next, err)
			}
			if got := f.suffixed(cleanedSuffix); len(got) > 0 {
				t.Errorf("%s before %s leaves %v", name, next, got)
			}
			end := f.log.LogEndOffset()
			f.keyed("a", []byte("after"))
			f.roll()
			f.clean(NoOffset)
			if got := f.log.LogEndOffset(); got != end+1 || !strings.HasSuffix(f.contents(), "a=after") {
				t.Errorf("%s before %s: the log ends at %d and holds %s", name, next, got, f.contents())
			}
		}
	}
}

// A cut of the active segment alone is none of the cleaner's business, and
// neither is an append; retention waits for the pass (LogCleanerManager).
func TestPassesGoOn(t *testing.T) {
	for _, next := range phases {
		f, p := passTo(t, next)
		f.keyed("b", []byte("newest"))
		if err := f.log.TruncateTo(5); err != nil {
			t.Fatal(err)
		}
		config := f.log.Config()
		config.Delete, config.RetentionBytes = true, 0
		f.log.SetConfig(config)
		if n, err := f.log.DeleteOldSegments(); n != 0 || err != nil {
			t.Errorf("before %s retention deletes %d segments, %v", next, n, err)
		}
		for done, err := false, error(nil); !done; done, err = p.Step() {
			if err != nil {
				t.Fatalf("from %s: %v", next, err)
			}
		}
		if got := f.contents(); got != "2 a=new, 3 b=new, 4 a=newest" {
			t.Errorf("from %s the log holds %s", next, got)
		}
	}
}

// A log that is closed leaves the copy on disk for the next start to remove; one
// that is deleted takes it along.
func TestPassesEndWithTheLog(t *testing.T) {
	for _, next := range phases {
		f, p := passTo(t, next)
		if err := f.log.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Step(); !errors.Is(err, ErrCleaningAborted) {
			t.Errorf("closed before %s, the pass goes on: %v", next, err)
		}
		want := f.contentsAfter(next)
		f.opts.CleanShutdown = true
		f.open()
		if got := f.suffixed(cleanedSuffix); len(got) > 0 {
			t.Errorf("closed before %s: the start leaves %v", next, got)
		}
		if got := f.contents(); got != want {
			t.Errorf("closed before %s and opened again the log holds %s, want %s", next, got, want)
		}
	}
	f, _ := passTo(t, PhaseSwap)
	dir, err := f.log.MarkDeleted(strings.Repeat("0", 32))
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, f.disk, dir); slices.ContainsFunc(sortedNames(got), func(n string) bool { return strings.HasSuffix(n, cleanedSuffix) }) {
		t.Errorf("a deleted log keeps the copy: %v", sortedNames(got))
	}
}

func (f *fixture) contentsAfter(next Phase) string {
	if next == PhaseEnd {
		return "2 a=new, 3 b=new, 4 a=newest"
	}
	return "0 a=old, 1 b=old, 2 a=new, 3 b=new, 4 a=newest"
}

// A disk that fails under a pass is a disk that fails: the log directory goes
// offline. What cannot be read as batches is not the disk's fault.
func TestDiskFailsUnderAPass(t *testing.T) {
	for name, c := range map[string]struct {
		next   Phase
		faults disk.Faults
	}{
		"reading the map": {PhaseMap, disk.Faults{FailReads: true}}, "full while copying": {PhaseCopy, disk.Full()},
		"no sync of the copy": {PhaseCopy, disk.Faults{FailSyncs: true}}, "read-only while swapping": {PhaseSwap, disk.Faults{ReadOnly: true}},
	} {
		f, p := passTo(t, c.next)
		f.disk.SetFaults(c.faults)
		_, err := p.Step()
		var kerr *kerror.Error
		if !errors.As(err, &kerr) || kerr.Code != kerror.KafkaStorageError {
			t.Errorf("%s: %v, want KAFKA_STORAGE_ERROR", name, err)
		}
		if !slices.ContainsFunc(f.events, func(b trace.Body) bool { _, ok := b.(trace.LogFailed); return ok }) {
			t.Errorf("%s: the log did not fail", name)
		}
	}
	f, p := passTo(t, PhaseMap)
	if err := f.disk.Flip("t-0/"+FileName(0, logSuffix), 12+4, 0x70); err != nil { // the magic byte
		t.Fatal(err)
	}
	var kerr *kerror.Error
	if _, err := p.Step(); err == nil || errors.As(err, &kerr) {
		t.Errorf("a batch of another format: %v, want a damaged file", err)
	}
	if f.log.broken != nil {
		t.Errorf("a damaged batch breaks the log: %v", f.log.broken)
	}
}
