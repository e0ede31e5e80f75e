package quiz

import (
	"cmp"
	"hash/fnv"
	"slices"
)

// Turn is a check that is to be asked, with the day from which on it is due.
type Turn struct {
	*Question
	Due string // such as 2026-03-02
}

// Mix puts the checks of a review in the order in which they are asked. Lessons
// take turns, so that nobody goes on in the vein of the question before; two
// checks that are alike and not the same (retention and compaction, the high
// watermark and the last stable offset) come one right after the other, for
// there they have to be told apart. What is due for longest comes first; what is
// due for equally long is in the order of the day's draw: another one each day,
// the same all day.
func Mix(turns []Turn, alike func(a, b *Question) bool, day string) []*Question {
	rest := slices.Clone(turns)
	slices.SortFunc(rest, func(a, b Turn) int {
		return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(draw(day, a.ID), draw(day, b.ID)), cmp.Compare(a.ID, b.ID))
	})
	var mixed []*Question
	paired := false
	for len(rest) > 0 {
		at, twin := next(rest, mixed, !paired, alike)
		mixed = append(mixed, rest[at].Question)
		rest = slices.Delete(rest, at, at+1)
		paired = twin
	}
	return mixed
}

// next is the turn to take: after one that has no look-alike beside it yet, a
// look-alike; else the first of another lesson. A lesson that has more left than
// all others together goes first, or it would stand alone at the end. twin tells
// that it is the look-alike of the one before.
func next(rest []Turn, mixed []*Question, pair bool, alike func(a, b *Question) bool) (at int, twin bool) {
	if len(mixed) == 0 {
		return max(crowded(rest, ""), 0), false
	}
	last := mixed[len(mixed)-1]
	if i := crowded(rest, last.Lesson); i >= 0 {
		return i, pair && alike(last, rest[i].Question)
	}
	other := -1
	for i, t := range rest {
		if t.Lesson == last.Lesson {
			continue
		}
		if pair && alike(last, t.Question) {
			return i, true
		}
		if other < 0 {
			other = i
		}
	}
	return max(other, 0), false
}

// crowded is the first turn of the lesson that has more than half of what is
// left, if there is one and it was not the last to be asked; -1 if not.
func crowded(rest []Turn, last string) int {
	left := map[string]int{}
	for _, t := range rest {
		left[t.Lesson]++
	}
	return slices.IndexFunc(rest, func(t Turn) bool { return t.Lesson != last && 2*left[t.Lesson] > len(rest) })
}

// draw is a check's place in the draw of a day.
func draw(day, id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(day + "\x00" + id))
	return h.Sum64()
}
