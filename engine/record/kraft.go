package record

import "fmt"

// KRaftControl is the value of a control record of the metadata log.
type KRaftControl interface {
	// ControlType is the type in the record's key.
	ControlType() ControlType
	// AppendTo appends the value's bytes.
	AppendTo(dst []byte) []byte
}

// LeaderChangeMessage is the first record of every leader of the quorum. Version
// 1 has the voters' directory ids; Kafka 4.4 writes and reads version 0, whatever
// the level of kraft.version.
type LeaderChangeMessage struct {
	Version        int16
	LeaderID       int32
	Voters         []LeaderChangeVoter
	GrantingVoters []LeaderChangeVoter // those who voted for it
}

// LeaderChangeVoter is a member of the quorum.
type LeaderChangeVoter struct {
	ID          int32
	DirectoryID [16]byte // since version 1
}

// SnapshotHeaderRecord begins a snapshot.
type SnapshotHeaderRecord struct {
	Version                   int16
	LastContainedLogTimestamp int64 // ms
}

// SnapshotFooterRecord ends a snapshot.
type SnapshotFooterRecord struct{ Version int16 }

// KRaftVersionRecord is the level of the feature kraft.version.
type KRaftVersionRecord struct {
	Version      int16
	KRaftVersion int16
}

// KRaftVotersRecord is the whole set of voters (KIP-853, Kafka: VotersRecord).
type KRaftVotersRecord struct {
	Version int16
	Voters  []Voter
}

// Voter is a member of the quorum, where it listens, and the levels of
// kraft.version it can take.
type Voter struct {
	ID              int32
	DirectoryID     [16]byte
	Endpoints       []VoterEndpoint
	MinKRaftVersion int16
	MaxKRaftVersion int16
}

// VoterEndpoint is one listener of a voter.
type VoterEndpoint struct {
	Name string
	Host string
	Port uint16
}

// ControlType implements KRaftControl.
func (LeaderChangeMessage) ControlType() ControlType { return LeaderChange }

// ControlType implements KRaftControl.
func (SnapshotHeaderRecord) ControlType() ControlType { return SnapshotHeader }

// ControlType implements KRaftControl.
func (SnapshotFooterRecord) ControlType() ControlType { return SnapshotFooter }

// ControlType implements KRaftControl.
func (KRaftVersionRecord) ControlType() ControlType { return KRaftVersion }

// ControlType implements KRaftControl.
func (KRaftVotersRecord) ControlType() ControlType { return KRaftVoters }

// ParseKRaftControl reads the value of a control record of the metadata log.
// Types and versions that Kafka 4.4 does not have are errors; bytes behind the
// value are let be, as Kafka does.
func ParseKRaftControl(t ControlType, value []byte) (KRaftControl, error) {
	r := &flexReader{rest: value}
	version := r.int16("version")
	most := int16(0)
	if t == LeaderChange {
		most = 1
	}
	if r.err == nil && (version < 0 || version > most) {
		return nil, fmt.Errorf("%w: %v version %d, 0 to %d are known", ErrInvalid, t, version, most)
	}
	var c KRaftControl
	switch t {
	case LeaderChange:
		c = readLeaderChange(r, version)
	case SnapshotHeader:
		c = SnapshotHeaderRecord{version, r.int64("last contained log timestamp")}
	case SnapshotFooter:
		c = SnapshotFooterRecord{version}
	case KRaftVersion:
		c = KRaftVersionRecord{version, r.int16("kraft.version")}
	case KRaftVoters:
		c = readVoters(r, version)
	default:
		return nil, fmt.Errorf("%w: control record type %d is none of the metadata log", ErrInvalid, int16(t))
	}
	r.tags()
	if r.err != nil {
		return nil, r.err
	}
	return c, nil
}

func readLeaderChange(r *flexReader, version int16) LeaderChangeMessage {
	m := LeaderChangeMessage{Version: version, LeaderID: r.int32("leader id")}
	m.Voters = readLeaderChangeVoters(r, version, "voters")
	m.GrantingVoters = readLeaderChangeVoters(r, version, "granting voters")
	return m
}

func readLeaderChangeVoters(r *flexReader, version int16, what string) []LeaderChangeVoter {
	var voters []LeaderChangeVoter
	for n := r.length(what); n > 0 && r.err == nil; n-- {
		v := LeaderChangeVoter{ID: r.int32("voter id")}
		if version >= 1 {
			v.DirectoryID = r.uuid("voter directory id")
		}
		r.tags()
		voters = append(voters, v)
	}
	return voters
}

func readVoters(r *flexReader, version int16) KRaftVotersRecord {
	m := KRaftVotersRecord{Version: version}
	for n := r.length("voters"); n > 0 && r.err == nil; n-- {
		v := Voter{ID: r.int32("voter id"), DirectoryID: r.uuid("voter directory id")}
		for e := r.length("endpoints"); e > 0 && r.err == nil; e-- {
			v.Endpoints = append(v.Endpoints, VoterEndpoint{
				r.string("endpoint name"), r.string("endpoint host"), uint16(r.int16("endpoint port")),
			})
			r.tags()
		}
		v.MinKRaftVersion, v.MaxKRaftVersion = r.int16("least kraft.version"), r.int16("most kraft.version")
		r.tags() // of the feature
		r.tags() // of the voter
		m.Voters = append(m.Voters, v)
	}
	return m
}

// KRaftControlBatch is a batch of control records as the quorum's leader writes
// them: one time in ms for all, no producer. Without records it is nil.
func KRaftControlBatch(offset, timestamp int64, leaderEpoch int32, values ...KRaftControl) Batch {
	opts := Defaults()
	opts.BaseOffset, opts.LeaderEpoch, opts.Control = offset, leaderEpoch, true
	b := NewBuilder(opts)
	for _, v := range values {
		key := AppendControlKey(nil, v.ControlType())
		if _, err := b.Append(max(timestamp, NoTimestamp), key, v.AppendTo(nil)); err != nil {
			return nil // a batch of two gigabytes
		}
	}
	return b.Build()
}
