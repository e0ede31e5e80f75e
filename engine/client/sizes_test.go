package client

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine/record"
)

// A record takes in a batch what it is reckoned to take, and never more than
// the bound that max.request.size is held against.
func TestRecordSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := record.NewBuilder(record.Defaults())
		var first int64
		for n := range rapid.IntRange(1, 200).Draw(t, "records") {
			content := func(name string) []byte {
				if size := rapid.IntRange(-1, 300).Draw(t, name); size >= 0 {
					return bytes.Repeat([]byte{'x'}, size)
				}
				return nil
			}
			key, value := content("key"), content("value")
			var headers []record.Header
			for range rapid.IntRange(0, 2).Draw(t, "headers") {
				headers = append(headers, record.Header{Key: "name", Value: content("header")})
			}
			at := rapid.Int64Range(0, 1<<40).Draw(t, "time")
			if n == 0 {
				first = at
			}
			before := b.Size()
			if _, err := b.Append(at, key, value, headers...); err != nil {
				t.Fatal(err)
			}
			size := recordSize(n, at-first, key, value, headers)
			if got := b.Size() - before; got != size {
				t.Fatalf("record %d takes %d bytes, was reckoned to take %d", n, got, size)
			}
			if bound := serializedSize(key, value, headers); record.HeaderSize+size > bound {
				t.Fatalf("%d bytes, the bound is %d", size, bound)
			}
		}
	})
}

// Estimates of compression fall slowly and rise at once
// (CompressionRatioEstimator).
func TestRatios(t *testing.T) {
	r, k := ratios{}, ratioKey{"t", record.Codec(1)}
	if r.estimate(k) != 1 || r.estimate(ratioKey{"t", 0}) != 0 {
		t.Error("nothing is known at first")
	}
	r.observe(k, 0.2)
	if got := r.estimate(k); got != 0.995 {
		t.Errorf("after a good batch %v", got)
	}
	r.observe(k, 1)
	if got := r.estimate(k); got < 1.04 || got > 1.05 {
		t.Errorf("after a bad batch %v", got)
	}
}

// Waits grow twofold up to the bound; what is drawn stays within a fifth.
func TestBackoff(t *testing.T) {
	b := backoff{first: 100, most: 1000}
	for n, want := range []int64{100, 200, 400, 800, 1000, 1000} {
		if got := b.after(n, nil); got != want {
			t.Errorf("after %d failures %d ms, want %d", n, got, want)
		}
	}
	if got := (backoff{first: 500, most: 100}).after(3, nil); got != 100 {
		t.Errorf("the bound is smaller than the first wait: %d", got)
	}
	r := testRand()
	for range 1000 {
		if got := (backoff{50, 1000, jitter}).after(1, r); got < 80 || got > 120 {
			t.Fatalf("drawn %d ms of 100", got)
		}
	}
}
func testRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
