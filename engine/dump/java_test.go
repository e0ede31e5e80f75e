package dump

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestJavaString compares with what Java 17 made of the same bytes; a line of the
// file is bytes and the UTF-8 of Java's text.
func TestJavaString(t *testing.T) {
	f, err := os.Open("testdata/utf8.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		from, to, _ := strings.Cut(s.Text(), " ")
		in, err := hex.DecodeString(from)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString([]byte(javaString(in))); got != to {
			t.Errorf("%s became %s, in Java %s", from, got, to)
		}
	}
	if n != 500 {
		t.Errorf("%d lines, want 500", n)
	}
}
