package record

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKRaftControlRoundTrip(t *testing.T) {
	dir := [16]byte{1, 2, 3, 15: 16}
	values := []KRaftControl{
		LeaderChangeMessage{LeaderID: 2, Voters: []LeaderChangeVoter{{ID: 1}, {ID: 2}}, GrantingVoters: []LeaderChangeVoter{{ID: 2}}},
		LeaderChangeMessage{Version: 1, LeaderID: 2, Voters: []LeaderChangeVoter{{2, dir}}},
		SnapshotHeaderRecord{LastContainedLogTimestamp: epoch2023},
		SnapshotFooterRecord{},
		KRaftVersionRecord{KRaftVersion: 1},
		KRaftVotersRecord{Voters: []Voter{
			{3, dir, []VoterEndpoint{{"CONTROLLER", "127.0.0.1", 65535}, {"", "h", 1}}, 0, 1},
			{ID: 4},
		}},
	}
	batch := KRaftControlBatch(7, epoch2023, 5, values...)
	if err := batch.Valid(); err != nil {
		t.Fatal(err)
	}
	if !batch.IsControl() || batch.IsTransactional() || batch.PartitionLeaderEpoch() != 5 || batch.BaseOffset() != 7 {
		t.Errorf("header %x", []byte(batch[:HeaderSize]))
	}
	it := batch.Iterator()
	for _, want := range values {
		if !it.Next() {
			t.Fatal(it.Err())
		}
		v := it.Record()
		_, kind, err := ParseControlKey(v.Key)
		if err != nil || kind != want.ControlType() {
			t.Fatalf("type %v, %v; want %v", kind, err, want.ControlType())
		}
		got, err := ParseKRaftControl(kind, v.Value)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: %s", kind, diff)
		}
		for n := range v.Value {
			if _, err := ParseKRaftControl(kind, v.Value[:n]); !errors.Is(err, ErrInvalid) {
				t.Errorf("%v cut to %d of %d bytes: %v", kind, n, len(v.Value), err)
			}
		}
	}
}

func TestKRaftControlTags(t *testing.T) {
	// version 0, kraft.version 1, one tagged field: tag 20000, 2 bytes
	value, err := hex.DecodeString("0000" + "0001" + "01" + "a09c01" + "02" + "ffff")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := ParseKRaftControl(KRaftVersion, value); err != nil || c != (KRaftVersionRecord{KRaftVersion: 1}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestKRaftControlRefuses(t *testing.T) {
	// order: each is tested alone
	for name, c := range map[string]struct {
		kind  ControlType
		value string
	}{
		"version":        {SnapshotHeader, "0001" + "0000000000000000" + "00"},
		"type":           {Commit, "0000" + "00000000"},
		"unknown type":   {7, "0000" + "00"},
		"null voters":    {LeaderChange, "0000" + "00000002" + "00" + "01" + "00"},
		"endless voters": {KRaftVoters, "0000" + "ffffffff0f" + "00"},
		"endless tags":   {SnapshotFooter, "0000" + "ffffffff0f" + "00"},
	} {
		value, err := hex.DecodeString(c.value)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseKRaftControl(c.kind, value); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestControlKeys(t *testing.T) {
	if v, kind, err := ParseControlKey([]byte{0, 3, 0, 9, 77}); v != 3 || kind != 9 || err != nil {
		t.Errorf("a later version: %d, %d, %v", v, kind, err)
	}
	if kind := ControlType(9); kind.Known() || kind.String() != "UNKNOWN" {
		t.Errorf("type 9 is %v", kind)
	}
	for _, key := range [][]byte{nil, {0, 0, 0}, {0xff, 0xff, 0, 0}} {
		if _, _, err := ParseControlKey(key); !errors.Is(err, ErrInvalid) {
			t.Errorf("key %x: %v", key, err)
		}
	}
	commit := AppendControlKey(nil, Commit)
	for _, value := range [][]byte{nil, {0, 0, 0, 0, 0}, {0xff, 0xff, 0, 0, 0, 0}} {
		if _, err := ParseEndTxnMarker(commit, value); !errors.Is(err, ErrInvalid) {
			t.Errorf("marker %x: %v", value, err)
		}
	}
	if _, err := ParseEndTxnMarker(AppendControlKey(nil, LeaderChange), make([]byte, 6)); !errors.Is(err, ErrInvalid) {
		t.Errorf("leader change as a marker: %v", err)
	}
	if _, err := EmptyBatch(MarkerBatch(0, 0, 0, 1, 1, EndTxnMarker{Type: Abort})).Marker(); !errors.Is(err, ErrInvalid) {
		t.Errorf("emptied marker batch: %v", err)
	}
}
