package source

import (
	"slices"
	"strings"

	"kafkalab/engine/config"
)

// Known tells whether a word is one of the known ones; if not, what to say
// about it: `unknown WHAT "word", did you mean "known"? (allowed: a, b)`.
func Known(what, word string, known []string) (complaint string, ok bool) {
	if slices.Contains(known, word) {
		return "", true
	}
	return Unknown(what, word, known) + " (allowed: " + strings.Join(known, ", ") + ")", false
}

// Unknown says that a word is none of the known ones, and which of them was
// most likely meant.
func Unknown(what, word string, known []string) string {
	complaint := "unknown " + what + ` "` + word + `"`
	if near := config.Nearest(word, known); near != "" {
		complaint += `, did you mean "` + near + `"?`
	}
	return complaint
}
