package panel

import (
	"sort"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/trace"
)

// timeline is the place of a learner in what happened. It follows the end as
// long as the newest is selected; once the learner has gone back, what happens
// later moves nothing.
type timeline struct {
	at     trace.ID // the selected event; 0: the newest, whichever that is
	bottom trace.ID // the last one that was seen while at is not 0
	rows   int      // seen in the last frame
	pin    int      // the row that the selected one is to stand in in the next frame, from 1; 0 for any
}

// sifted are the events that are kept of those since some moment, oldest first.
type sifted struct {
	all  []trace.Event
	keep func(trace.Event) bool
}

// index is the place in all of the first event with an id or a later one.
func (s sifted) index(id trace.ID) int {
	return sort.Search(len(s.all), func(i int) bool { return s.all[i].ID >= id })
}

// back is the last kept event before index i, -1 for none.
func (s sifted) back(i int) int {
	for i--; i >= 0; i-- {
		if s.keep(s.all[i]) {
			return i
		}
	}
	return -1
}

// forth is the first kept event after index i, -1 for none.
func (s sifted) forth(i int) int {
	for i++; i < len(s.all); i++ {
		if s.keep(s.all[i]) {
			return i
		}
	}
	return -1
}

// selected is the index of the selected event, -1 if there is none at all.
func (t *timeline) selected(s sifted) int {
	newest := s.back(len(s.all))
	if t.at == 0 || newest < 0 || t.at >= s.all[newest].ID {
		return newest
	}
	i := s.index(t.at)
	if i < len(s.all) && s.keep(s.all[i]) {
		return i
	}
	if before := s.back(i); before >= 0 {
		return before
	}
	return s.forth(i)
}

// window gives the indexes of the events that are seen in a number of rows, the
// selected one among them.
func (t *timeline) window(s sifted, rows int) (seen []int, selected int) {
	t.rows = rows
	selected = t.selected(s)
	if selected < 0 || rows <= 0 {
		return nil, selected
	}
	newest := s.back(len(s.all))
	if selected == newest {
		t.at, t.bottom = 0, 0
		return s.upTo(newest, rows), selected
	}
	bottom := s.index(t.bottom)
	if t.bottom == 0 {
		bottom = newest
	}
	bottom = min(bottom, len(s.all)-1)
	if !s.keep(s.all[bottom]) {
		bottom = s.back(bottom)
	}
	bottom = max(bottom, selected)
	if t.pin > 0 {
		bottom, t.pin = s.ahead(selected, max(0, rows-t.pin)), 0
	}
	seen = s.upTo(bottom, rows)
	if seen[0] > selected {
		seen = s.upTo(s.ahead(selected, rows-1), rows)
	}
	if len(seen) < rows {
		seen = s.upTo(s.ahead(seen[len(seen)-1], rows-len(seen)), rows)
	}
	t.bottom = s.all[seen[len(seen)-1]].ID
	return seen, selected
}

// upTo is as many kept events as there are rows, the last one being at index i.
func (s sifted) upTo(i, rows int) []int {
	seen := make([]int, 0, rows)
	for ; i >= 0 && len(seen) < rows; i = s.back(i) {
		seen = append(seen, i)
	}
	for a, b := 0, len(seen)-1; a < b; a, b = a+1, b-1 {
		seen[a], seen[b] = seen[b], seen[a]
	}
	return seen
}

// count is the number of kept events, as far as it is below a limit.
func (s sifted) count(limit int) int { return len(s.upTo(s.back(len(s.all)), limit)) }

// ahead is the event n kept ones after index i, or the last one.
func (s sifted) ahead(i, n int) int {
	for ; n > 0; n-- {
		next := s.forth(i)
		if next < 0 {
			break
		}
		i = next
	}
	return i
}

// key moves the selection by the keys that move everywhere.
func (t *timeline) key(msg tea.KeyMsg, s sifted) bool {
	at := t.selected(s)
	page := max(1, t.rows-1)
	switch msg.String() {
	case "up", "k":
		t.move(s, at, -1)
	case "down", "j":
		t.move(s, at, 1)
	case "pgup":
		t.move(s, at, -page)
	case "pgdown":
		t.move(s, at, page)
	case "home":
		if first := s.forth(-1); first >= 0 {
			t.at = s.all[first].ID
		}
	case "end":
		t.at = 0
	default:
		return false
	}
	return true
}

// move selects the event n kept ones away from index at.
func (t *timeline) move(s sifted, at, n int) {
	if at < 0 {
		return
	}
	for ; n < 0; n++ {
		before := s.back(at)
		if before < 0 {
			break
		}
		at = before
	}
	t.choose(s, s.ahead(at, n))
}

// choose selects the event at an index.
func (t *timeline) choose(s sifted, i int) {
	if t.at == 0 {
		t.bottom = 0
	}
	if t.at = s.all[i].ID; s.forth(i) < 0 {
		t.at = 0
	}
}

// settle keeps t's place when what was seen last is of another past: an id that
// is newer than the newest event is none.
func (t *timeline) settle(last trace.ID) {
	if t.at > last {
		t.at = 0
	}
	if t.bottom > last {
		t.bottom = 0
	}
}
