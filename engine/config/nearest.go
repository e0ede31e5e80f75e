package config

import "strings"

// Nearest finds the candidate that a misspelled word most likely meant, "" when
// none is near: more than a third of the word, and more than two letters of a
// short one, would have to change. A letter missing, added, wrong or swapped
// with its neighbour is one change; case is none. Of equally near candidates
// the first by name is taken, whatever their order.
func Nearest(word string, candidates []string) string {
	lower := []rune(strings.ToLower(word))
	limit := max(2, len(lower)/3)
	best, bestDistance := "", limit+1
	for _, candidate := range candidates {
		d := distance(lower, []rune(strings.ToLower(candidate)), bestDistance)
		if d >= len(lower) { // nothing of the word is left
			continue
		}
		if d < bestDistance || d == bestDistance && best != "" && candidate < best {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the number of changes from a to b (optimal string alignment), or
// some number above limit when it is above.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	twoUp, up, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range up {
		up[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			changed := up[j]
			if a[i] != b[j] {
				changed++
			}
			row[j+1] = min(changed, up[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], twoUp[j-1]+1)
			}
		}
		twoUp, up, row = up, row, twoUp
	}
	return up[len(b)]
}
