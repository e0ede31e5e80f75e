package panel

import (
	"path"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// passFile is a segment's files that are not the log's (yet, or any more): its
// .log file stands for its indexes too.
type passFile struct {
	name    string
	suffix  string // .cleaned, .swap or .deleted
	more    int    // of the same suffix, whose bytes are counted here
	bytes   int64
	indexes int64
}

// passFiles are the files of a pass by segment: the copy, and what it replaced.
func (s *cleanerSight) passFiles() []passFile {
	var list []passFile
	at := map[string]int{}
	for _, f := range s.v.Files {
		suffix := path.Ext(f.Name)
		base, kind, _ := strings.Cut(strings.TrimSuffix(f.Name, suffix), ".")
		i, ok := at[base+suffix]
		if !ok {
			i = len(list)
			at[base+suffix] = i
			list = append(list, passFile{name: f.Name, suffix: suffix})
		}
		if kind == "log" {
			list[i].name, list[i].bytes = f.Name, f.Bytes
		} else {
			list[i].indexes++
		}
	}
	return list
}

// fileRows list what stands in the folder beside the log's own files.
func (s *cleanerSight) fileRows() section {
	list := s.passFiles()
	if !s.waitsCount() {
		list = s.together(list)
	}
	c := section{name: "beside the log", hide: s.asks("files")}
	for _, f := range list {
		style, says := theme.Faint, s.unlinked(f.name)
		switch f.suffix {
		case ".cleaned":
			style, says = theme.Cleared, "the copy"
		case ".swap":
			style, says = theme.Open, "ready to be put in"
		}
		c.rows = append(c.rows, func(r canvas.Region) {
			name := f.name
			if f.more > 0 {
				name = count(int64(1+f.more), "segment") + " " + f.suffix
			}
			pen := r.Pen(2, 0).Put(cell.Truncate(name, max(0, r.W()-2)), style).Gap(2)
			more := facts{}.add("", cell.Size(f.bytes), theme.Text).add("", says, theme.Label)
			if f.indexes > 0 {
				more = more.add("and", count(f.indexes, "index file"), theme.Label)
			}
			more.draw(r, pen.X(), 0)
		})
	}
	return c
}

// together counts the files that wait to be unlinked at the same time as one.
func (s *cleanerSight) together(files []passFile) []passFile {
	var list []passFile
	for _, f := range files {
		if n := len(list); n > 0 && list[n-1].suffix == f.suffix && f.suffix == ".deleted" && s.unlinked(list[n-1].name) == s.unlinked(f.name) {
			list[n-1].more++
			list[n-1].bytes += f.bytes
			list[n-1].indexes += f.indexes
			continue
		}
		list = append(list, f)
	}
	return list
}

// unlinked says when a file with the suffix .deleted goes.
func (s *cleanerSight) unlinked(name string) string {
	for _, f := range s.v.Doomed {
		if path.Base(f.Path) == name || path.Base(f.Path)+".deleted" == name {
			return "goes in " + long(max(0, f.AtMs-s.v.TimeMs))
		}
	}
	return "to be unlinked"
}
