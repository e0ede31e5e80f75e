package disk

// change is one thing done to names or lengths since the last sync, kept so
// that a crash can take it back. A sync of any file or folder makes all of
// them durable, as the journals of ext4 and XFS do: they write their changes
// in order, and a sync waits for its own.
type change struct {
	dir  *node // folder in which name was set
	name string
	old  *node // what name stood for before, nil for nothing
	new  *node // what it stands for since, nil for nothing

	cut  *content // or: a file was cut
	size int64    // to this length
}

// set makes name stand for n in dir and notes it; a nil n removes the name.
func (m *Mem) set(dir *node, name string, n *node) {
	m.journal = append(m.journal, change{dir: dir, name: name, old: dir.dir[name], new: n})
	put(dir, name, n)
	dir.mtime = m.clock()
}

func put(dir *node, name string, n *node) {
	if n == nil {
		delete(dir.dir, name)
		return
	}
	dir.dir[name] = n
}

// cut notes that a file lost bytes that were synced.
func (m *Mem) cut(c *content, size int64) {
	if size < c.syncedSize {
		m.journal = append(m.journal, change{cut: c, size: size})
	}
}

// commit makes every change so far durable.
func (m *Mem) commit() {
	m.keepChanges(m.journal)
	clear(m.journal)
	m.journal = m.journal[:0]
}

func (m *Mem) keepChanges(list []change) {
	for _, c := range list {
		if c.cut != nil {
			c.cut.commitCut(c.size)
		}
	}
}

// undo takes back the changes, newest first.
func undo(list []change) {
	for i := len(list) - 1; i >= 0; i-- {
		if c := list[i]; c.dir != nil {
			put(c.dir, c.name, c.old)
		}
	}
}

// Crash keeps, of the names and lengths changed since the last sync, the
// oldest keep.Ops, and of each file what was synced and keep.Tail more bytes.
// A file that was changed below its synced end is either as it was synced, or
// as it was written up to the end of the tail kept.
func (m *Mem) Crash(keep Keep) error {
	n := 0
	for i := range m.journal { // a rename is two changes: both or none
		if m.journal[i].new != nil || m.journal[i].cut != nil || !m.renamed(i) {
			n++
		}
	}
	kept := m.prefix(keep.ops(n))
	m.keepChanges(m.journal[:kept])
	undo(m.journal[kept:])
	clear(m.journal)
	m.journal = m.journal[:0]
	m.walk(func(name string, f *node) {
		f.content.crash(keep.tail(name, f.content.unsynced()))
	})
	m.crashes++
	return nil
}

// renamed tells whether change i, a removal, is the first half of a rename.
func (m *Mem) renamed(i int) bool {
	return i+1 < len(m.journal) && m.journal[i].new == nil && m.journal[i].cut == nil &&
		m.journal[i+1].new != nil && m.journal[i+1].new == m.journal[i].old
}

// prefix is how many changes the first n operations are.
func (m *Mem) prefix(n int) int {
	i := 0
	for ; n > 0 && i < len(m.journal); n-- {
		if m.renamed(i) {
			i++
		}
		i++
	}
	return i
}
