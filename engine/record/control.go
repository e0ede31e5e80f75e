package record

import (
	"encoding/binary"
	"fmt"
)

// ControlType is the kind of a control record: the second half of its key
// (Kafka: ControlRecordType).
type ControlType int16

// The control records. Markers end transactions; the others occur in the log of
// the KRaft quorum only.
const (
	Abort          ControlType = 0
	Commit         ControlType = 1
	LeaderChange   ControlType = 2
	SnapshotHeader ControlType = 3
	SnapshotFooter ControlType = 4
	KRaftVersion   ControlType = 5
	KRaftVoters    ControlType = 6
)

var controlNames = [...]string{
	"ABORT", "COMMIT", "LEADER_CHANGE", "SNAPSHOT_HEADER", "SNAPSHOT_FOOTER", "KRAFT_VERSION", "KRAFT_VOTERS",
}

// String is Kafka's name; consumers skip types they do not know.
func (t ControlType) String() string {
	if t.Known() {
		return controlNames[t]
	}
	return "UNKNOWN"
}

// Known tells whether Kafka has a control record of this number.
func (t ControlType) Known() bool { return t >= Abort && t <= KRaftVoters }

// ParseControlKey reads the key of a control record: version and type. A later
// version than 0 may have more bytes behind.
func ParseControlKey(key []byte) (version int16, t ControlType, err error) {
	if len(key) < 4 {
		return 0, 0, fmt.Errorf("%w: control record key of %d bytes, at least 4 are needed", ErrInvalid, len(key))
	}
	version = int16(binary.BigEndian.Uint16(key))
	if version < 0 {
		return 0, 0, fmt.Errorf("%w: control record key version %d", ErrInvalid, version)
	}
	return version, ControlType(binary.BigEndian.Uint16(key[2:])), nil
}

// AppendControlKey appends the key of a control record, version 0.
func AppendControlKey(dst []byte, t ControlType) []byte {
	dst = binary.BigEndian.AppendUint16(dst, 0)
	return binary.BigEndian.AppendUint16(dst, uint16(t))
}
