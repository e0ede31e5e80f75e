package dump

import (
	"strings"
	"unicode/utf8"
)

// Kafka's tool makes text of keys, values and header keys with Java's UTF-8
// decoder, which puts U+FFFD in the place of what is not UTF-8: one for each
// longest beginning of a character, or for a byte that begins none. Go puts one
// for each byte.

// javaString is what Java reads bytes as.
func javaString(p []byte) string {
	if utf8.Valid(p) {
		return string(p)
	}
	var s strings.Builder
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		if r == utf8.RuneError && n == 1 {
			n = malformed(p)
		}
		s.WriteRune(r)
		p = p[n:]
	}
	return s.String()
}

// malformed is how many bytes at the start of p one U+FFFD stands for.
func malformed(p []byte) int {
	switch lead := p[0]; {
	case lead >= 0xe0 && lead <= 0xef:
		return malformed3(p)
	case lead >= 0xf0 && lead <= 0xf4:
		return malformed4(p)
	}
	return 1
}

// malformed3 is for the beginning of a character of three bytes. A surrogate,
// which UTF-8 does not have, is taken as a whole.
func malformed3(p []byte) int {
	if len(p) == 1 {
		return 1
	}
	if !continues(p[1]) || p[0] == 0xe0 && p[1] < 0xa0 {
		return 1
	}
	if len(p) == 2 || !continues(p[2]) {
		return 2
	}
	return 3
}

// malformed4 is for the beginning of a character of four bytes.
func malformed4(p []byte) int {
	if len(p) == 1 {
		return 1
	}
	if !continues(p[1]) || p[0] == 0xf0 && p[1] < 0x90 || p[0] == 0xf4 && p[1] > 0x8f {
		return 1
	}
	if len(p) == 2 || !continues(p[2]) {
		return 2
	}
	return 3
}

func continues(b byte) bool { return b&0xc0 == 0x80 }
