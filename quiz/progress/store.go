package progress

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/spf13/afero"
)

// Store holds the learner's progress while a lab runs. Its methods may be called
// while a Save is under way in another goroutine; what comes in meanwhile is for
// the next one.
type Store struct {
	file   file
	course string
	now    func() time.Time

	mu      sync.Mutex // guards what follows; never held while the disk works
	p       *Progress
	changed bool
	saving  bool

	disk sync.Mutex // one Save at a time
}

// Open reads the progress file, on the operating system's file system
// (afero.NewOsFs) or any other. It always gives a working store: what keeps it
// from saving, and what became of a file that could not be read, is in the
// message. CourseVersion is noted in the file; now gives the learner's time.
func Open(fsys afero.Fs, path, courseVersion string, now func() time.Time) (*Store, Message) {
	s := &Store{file: newFile(fsys, path), course: courseVersion, now: now, p: fresh(courseVersion), saving: true}
	unlock, err := s.file.lock()
	if err == nil {
		defer unlock()
		s.file.sweep()
		err = s.file.probe()
	}
	s.saving = err == nil || errors.Is(err, errBusy) // who is busy saves, so it can be done
	message := s.load()
	if message == "" && !s.saving {
		message = Message(fmt.Sprintf("Progress cannot be saved in %s (%v). The lab works, but forgets when it ends.", path, err))
	}
	return s, message
}

// load reads the file into the fresh store.
func (s *Store) load() Message {
	p, err := s.file.read()
	if err == nil {
		s.p = merge(p, s.p)
		return ""
	}
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return s.unreadable(err)
}

// unreadable deals with a file that is there and cannot be used: it is never
// written over.
func (s *Store) unreadable(err error) Message {
	var newer newerError
	var corrupt corruptError
	switch {
	case errors.As(err, &newer):
		s.stop()
		return Message(fmt.Sprintf("%s is of a newer kafkalab: %v. It is left alone, and the lab runs without saving.", s.file.path, newer))
	case errors.As(err, &corrupt):
		kept, asideErr := s.file.setAside(s.now())
		if asideErr == nil {
			return Message(fmt.Sprintf("%s could not be read (%v). It is kept as %s, and a new one is started.", s.file.path, corrupt, kept))
		}
		err = fmt.Errorf("%w; and it cannot be renamed: %w", err, asideErr)
	}
	s.stop()
	return Message(fmt.Sprintf("%s could not be read (%v). It is left alone, and the lab runs without saving.", s.file.path, err))
}

func (s *Store) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saving = false
}

// Saving tells whether Save writes anything.
func (s *Store) Saving() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saving
}

// Save writes what is new since the last one. It takes the lock, reads what
// another lab may have saved, merges, and replaces the file. On an error, a
// Message for the learner, everything stays in memory and the next Save tries
// again; a store that does not save gives none.
func (s *Store) Save() error {
	s.disk.Lock()
	defer s.disk.Unlock()
	mine, due := s.takeChanged()
	if !due {
		return nil
	}
	merged, message, err := s.exchange(mine)
	if err != nil {
		s.keepChanged()
		failed := fmt.Sprintf("Progress could not be saved in %s (%v). It is tried again with the next answer.", s.file.path, err)
		return Message(strings.TrimSpace(string(message) + " " + failed))
	}
	if merged != nil {
		s.mu.Lock()
		s.p = merge(merged, s.p)
		s.mu.Unlock()
	}
	if message != "" {
		return message
	}
	return nil
}

// takeChanged is a copy of what has to be saved, if anything has.
func (s *Store) takeChanged() (*Progress, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.saving || !s.changed {
		return nil, false
	}
	s.changed = false
	return s.copy(), true
}

func (s *Store) keepChanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = true
}

// exchange merges mine with the file, under the lock. It gives what both hold
// now; nil, with a message, when the file may not be written any more.
func (s *Store) exchange(mine *Progress) (*Progress, Message, error) {
	unlock, err := s.file.lock()
	if err != nil {
		return nil, "", err
	}
	defer unlock()
	var message Message
	switch disk, err := s.file.read(); {
	case err == nil:
		mine = merge(disk, mine)
	case errors.As(err, new(newerError)), errors.As(err, new(corruptError)):
		if message = s.unreadable(err); !s.Saving() {
			return nil, message, nil
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, "", err
	}
	return mine, message, s.file.write(mine)
}

// copy is a deep copy; the caller holds mu.
func (s *Store) copy() *Progress { return merge(fresh(s.course), s.p) }

// Snapshot is the progress at this moment, a copy.
func (s *Store) Snapshot() *Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copy()
}

// ExportCSV writes everything as comma-separated values.
func (s *Store) ExportCSV(w io.Writer) error { return s.Snapshot().ExportCSV(w) }
