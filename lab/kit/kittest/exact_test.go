package kittest_test

import (
	"testing"

	"kafkalab/lab/kit/kittest"
)

func TestExact(t *testing.T) {
	for _, c := range []struct {
		name, frame string
		w, h        int
		ok          bool
	}{
		{"plain", "ab\ncd", 2, 2, true},
		{"styled", "\x1b[1;38;5;2ma\x1b[m日\n   ", 3, 2, true},
		{"reset by 0", "\x1b[1ma\x1b[0m", 1, 1, true},
		{"nothing", "", 4, 0, true},
		{"empty line", "", 0, 1, true},
		{"too few lines", "ab", 2, 2, false},
		{"too many lines", "ab\ncd\n", 2, 2, false},
		{"too wide", "abc\ncd", 2, 2, false},
		{"too narrow", "a", 2, 1, false},
		{"tab", "a\t", 2, 1, false},
		{"carriage return", "ab\r", 2, 1, false},
		{"cursor movement", "\x1b[2Jab", 2, 1, false},
		{"title", "\x1b]0;x\x07ab", 2, 1, false},
		{"style left on", "\x1b[1mab", 2, 1, false},
		{"cut sequence", "ab\x1b[1", 2, 1, false},
	} {
		if err := kittest.Exact(c.frame, c.w, c.h); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
