package widget

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

// Group is some keys that belong together.
type Group struct {
	Title string
	Keys  []key.Binding
}

// Help is the sheet of all keys that work on a screen, in columns, in as many
// pages as the room asks for.
type Help []Group

const helpGap = 4 // cells between columns

// entry is one row of a column: a title, a key, or an empty row.
type entry struct {
	title string
	key.Help
}

// sheet is a help laid out for a size.
type sheet struct {
	columns         [][]entry
	across          int // columns on one page
	keyCol, descCol int // widths
}

// Pages is the number of pages the sheet has in w x h cells, at least 1.
func (h Help) Pages(w, height int) int { return h.lay(w, height).pages() }

// Height is the least height, at most most, in which the sheet has no more
// pages than it needs at that height and no group is divided.
func (h Help) Height(w, most int) int {
	pages := h.Pages(w, most)
	height := 1
	for _, g := range h {
		height = max(height, len(g.entries()))
	}
	for height < most && h.Pages(w, height) > pages {
		height++
	}
	return min(height, most)
}

// Draw draws one page, counted from 0, into a region.
func (h Help) Draw(r canvas.Region, page int) {
	s := h.lay(r.W(), r.H())
	page = max(0, min(page, s.pages()-1))
	from := page * s.across
	for i, column := range s.columns[from:min(from+s.across, len(s.columns))] {
		part := r.Sub(geom.Rect{X: i * (s.keyCol + 2 + s.descCol + helpGap), W: s.keyCol + 2 + s.descCol, H: r.H()})
		for y, e := range column {
			part.Put(0, y, cell.Truncate(e.title, part.W()), theme.Name)
			part.Put(0, y, cell.Truncate(e.Key, s.keyCol), theme.Key)
			part.Put(s.keyCol+2, y, cell.Truncate(e.Desc, s.descCol), theme.Text)
		}
	}
	if s.pages() > 1 {
		r.Put(0, r.H()-1, fmt.Sprintf("page %d of %d", page+1, s.pages()), theme.Label)
	}
}

func (s sheet) pages() int { return max(1, (len(s.columns)+s.across-1)/s.across) }

// lay chooses the columns. A row for the page number is kept free only if
// there is more than one page.
func (h Help) lay(w, height int) sheet {
	s := sheet{}
	for _, g := range h {
		s.descCol = max(s.descCol, cell.Width(g.Title)-2)
		for _, b := range g.Keys {
			if b.Enabled() {
				s.keyCol = max(s.keyCol, cell.Width(b.Help().Key))
				s.descCol = max(s.descCol, cell.Width(b.Help().Desc))
			}
		}
	}
	s.keyCol = min(s.keyCol, max(1, w/2))
	s.descCol = max(1, min(s.descCol, w-s.keyCol-2))
	s.across = max(1, (w+helpGap)/(s.keyCol+2+s.descCol+helpGap))
	s.columns = h.flow(height)
	if len(s.columns) > s.across {
		s.columns = h.flow(height - 2)
	}
	return s
}

// flow fills columns of height rows. A group stays together if a column can
// hold it.
func (h Help) flow(height int) [][]entry {
	height = max(height, 1)
	var columns [][]entry
	var column []entry
	for _, g := range h {
		rows := g.entries()
		if len(rows) == 0 {
			continue
		}
		if len(column) > 0 {
			if len(column)+1+len(rows) > height {
				columns, column = append(columns, column), nil
			} else {
				column = append(column, entry{})
			}
		}
		for _, e := range rows {
			if len(column) == height {
				columns, column = append(columns, column), nil
			}
			column = append(column, e)
		}
	}
	if len(column) > 0 {
		columns = append(columns, column)
	}
	return columns
}

// entries are the rows of a group: none if none of its keys works.
func (g Group) entries() []entry {
	rows := []entry{{title: g.Title}}
	for _, b := range g.Keys {
		if b.Enabled() && b.Help().Key != "" {
			rows = append(rows, entry{Help: b.Help()})
		}
	}
	if len(rows) == 1 {
		return nil
	}
	return rows
}
