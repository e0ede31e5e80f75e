package storage

import "fmt"

// EntryText is the index entry that the search used, as relative:position, or
// none when it began at the segment's first byte.
func (l *Lookup) EntryText() string {
	if !l.HasEntry {
		return "none"
	}
	return fmt.Sprintf("%d:%d", l.Entry.Relative, l.Entry.Position)
}
