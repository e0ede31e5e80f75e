// Package kittest holds what tests of screens share: a frame is exact, and it
// is what it was.
package kittest

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Exact checks a written frame: h lines, each w cells wide as bubbletea's
// renderer measures them and ending in the plain style, with no tab, no
// control character and no escape sequence but colours and attributes. It
// returns what is wrong, or nil.
func Exact(frame string, w, h int) error {
	lines := strings.Split(frame, "\n")
	if h == 0 && frame == "" {
		return nil
	}
	if len(lines) != h {
		return fmt.Errorf("%d lines, want %d", len(lines), h)
	}
	for y, line := range lines {
		text, err := strip(line)
		if err != nil {
			return fmt.Errorf("line %d: %w in %q", y, err, line)
		}
		for what, got := range map[string]int{"bubbletea": ansi.StringWidth(line), "wcwidth": ansi.StringWidthWc(text)} {
			if got != w {
				return fmt.Errorf("line %d: %d cells to %s, want %d: %q", y, got, what, w, line)
			}
		}
	}
	return nil
}

// strip takes the SGR sequences out of a line and finds what must not be there.
func strip(line string) (string, error) {
	var b strings.Builder
	plain := true
	for i := 0; i < len(line); {
		if strings.HasPrefix(line[i:], "\x1b[") {
			n := strings.IndexFunc(line[i+2:], func(r rune) bool { return (r < '0' || r > '9') && r != ';' })
			if n < 0 || line[i+2+n] != 'm' {
				return "", fmt.Errorf("an escape sequence that is no style at byte %d", i)
			}
			params := line[i+2 : i+2+n]
			plain = params == "" || params == "0"
			i += 2 + n + 1
			continue
		}
		if c := line[i]; c < ' ' || c == 0x7F {
			return "", fmt.Errorf("control character %#02x at byte %d", c, i)
		}
		b.WriteByte(line[i])
		i++
	}
	if !plain {
		return "", fmt.Errorf("no return to the plain style at the end")
	}
	return b.String(), nil
}
