package disk

import (
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// node is a file or a folder of Mem.
type node struct {
	dir     map[string]*node // nil for a file
	content content
	mode    os.FileMode
	mtime   time.Time
}

func newDir(mode os.FileMode, now time.Time) *node {
	return &node{dir: map[string]*node{}, mode: mode | os.ModeDir, mtime: now}
}

// names lists a folder, sorted: an order of their own is the one thing that
// real file systems give, and the one thing that may not be seen here.
func (n *node) names() []string {
	names := make([]string, 0, len(n.dir))
	// order: sorted below
	for name := range n.dir {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (n *node) info(name string) os.FileInfo {
	return fileInfo{name: name, size: n.content.size, mode: n.mode, mtime: n.mtime}
}

// fileInfo is what Stat tells.
type fileInfo struct {
	name  string
	size  int64
	mode  os.FileMode
	mtime time.Time
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() os.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return i.mtime }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }

// find gives the node of a cleaned name, or nil.
func (m *Mem) find(name string) *node {
	n := m.root
	for part := range strings.SplitSeq(strings.TrimPrefix(name, "/"), "/") {
		if part == "" {
			continue
		}
		if n = n.dir[part]; n == nil {
			return nil
		}
	}
	return n
}

// parent gives the folder that holds a cleaned name.
func (m *Mem) parent(op, name string) (*node, string, error) {
	dir := m.find(path.Dir(name))
	switch {
	case dir == nil:
		return nil, "", &os.PathError{Op: op, Path: name, Err: os.ErrNotExist}
	case dir.dir == nil:
		return nil, "", &os.PathError{Op: op, Path: name, Err: errNotDir}
	}
	return dir, path.Base(name), nil
}

// walk visits all files in the order of their names.
func (m *Mem) walk(visit func(name string, n *node)) { walk("", m.root, visit) }

func walk(name string, n *node, visit func(string, *node)) {
	if n.dir == nil {
		visit(name, n)
		return
	}
	for _, child := range n.names() {
		walk(name+"/"+child, n.dir[child], visit)
	}
}
