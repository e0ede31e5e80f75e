package console

import (
	"encoding/json"
	"testing"
)

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{
		"Base": "base", "MinISR": "min_isr", "ISR": "isr", "LargestTimestamp": "largest_timestamp", "KnownLEO": "known_leo",
		"HWNow": "hw_now", "ID": "id", "TimeMs": "time_ms",
	} {
		if got := snake(name); got != want {
			t.Errorf("%s becomes %s, not %s", name, got, want)
		}
	}
}

// A view goes into JSON under the names of the language; lists that are empty
// are lists, bytes are bytes, and what has names of its own keeps them.
func TestSnaked(t *testing.T) {
	type tagged struct {
		A int `json:"named"`
	}
	type inner struct{ LastOffset int64 }
	type view struct {
		MinISR int
		Empty  []int32
		Bytes  []byte
		Inner  []inner
		Own    tagged
		hidden int
	}
	out, err := json.Marshal(snaked(view{MinISR: 2, Bytes: []byte{1}, Inner: []inner{{7}}, Own: tagged{3}, hidden: 1}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"bytes":"AQ==","empty":[],"inner":[{"last_offset":7}],"min_isr":2,"own":{"named":3}}`
	if string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
	if snaked(nil) != nil {
		t.Error("nothing is something")
	}
}
