package engine

import (
	"strings"
	"testing"
)

// What a path may ask of a pass, and what the message says of what it may not.
func TestPassPaths(t *testing.T) {
	for path, want := range map[string]string{
		"t/0@1.pass(map)":          "",
		"t/0@1.pass(kept).keys":    "",
		"t/0@1.pass(left_out)":     "",
		"t/0@1.pass(map).count":    "",
		"t/0@1.pass(next)":         "",
		"t/0@1.files(.log)":        "",
		"t/0@1.pass(dropped)":      "pass has (map) (kept) (left_out) (next)",
		"t/0@1.pass(kept).offset":  "did you mean offsets?",
		"t/0@1.pass(next).keys":    "have .keys .offsets .count",
		"t/0@1.pass":               "did you mean pass?",
		"t/0@1.files(.log).number": "nothing can follow .files",
		"t/0.pass(map)":            "has no",
	} {
		_, err := ParsePath(path)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", path, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
