package storage

import "testing"

// A transaction that is decided, but whose marker is not below the high
// watermark, holds readers back after a truncation behind the marker too, even
// if its producer has been forgotten meanwhile.
func TestTruncateBehindAMarker(t *testing.T) {
	f := newFixture(t)
	f.append(transactional(t, 1, 0, 0, r(1000, "k", "v")))
	f.mustMarker(1, 0, false)
	for range 2 {
		if _, kerr := f.log.AppendAsLeader(plain(t, r(1000, "k", "v")), 0, Client); kerr != nil {
			t.Fatal(kerr)
		}
	}
	f.log.UpdateHighWatermark(1)
	f.now += 2 * 24 * 3600 * 1000
	if f.log.ExpireProducers() != 1 || len(f.log.Producers()) != 0 {
		t.Fatalf("producers left: %v", f.log.Producers())
	}
	if err := f.log.TruncateTo(3); err != nil {
		t.Fatal(err)
	}
	if end, lso := f.log.LogEndOffset(), f.log.LastStableOffset(); end != 3 || lso != 0 {
		t.Errorf("log end %d, last stable offset %d; want 3 and 0", end, lso)
	}
	f.log.UpdateHighWatermark(3)
	if lso := f.log.LastStableOffset(); lso != 3 {
		t.Errorf("the marker is replicated: last stable offset %d, want 3", lso)
	}
}
