package dump

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"kafkalab/engine/record"
)

// Control is a control record as it is told.
type Control struct {
	Type string `json:"type"` // by Kafka's name
	// Text is how kafka-dump-log tells it, such as
	// "endTxnMarker: COMMIT coordinatorEpoch: 0".
	Text string `json:"text"`
}

// newControl reads the key and the value of a control record. A type that Kafka
// 4.4 does not have is told by its number.
func newControl(key, value []byte) (Control, error) {
	_, t, err := record.ParseControlKey(key)
	if err != nil {
		return Control{}, err
	}
	if !t.Known() {
		return Control{t.String(), fmt.Sprintf("controlType: %v(%d)", t, int16(t))}, nil
	}
	if t == record.Abort || t == record.Commit {
		m, err := record.ParseEndTxnMarker(key, value)
		return Control{t.String(), fmt.Sprintf("endTxnMarker: %v coordinatorEpoch: %d", m.Type, m.CoordinatorEpoch)}, err
	}
	c, err := record.ParseKRaftControl(t, value)
	if err != nil {
		return Control{}, err
	}
	return Control{t.String(), kraftText(c)}, nil
}

// kraftText is a control record of the metadata log, in the JSON of Kafka's own
// converters.
func kraftText(c record.KRaftControl) string {
	switch c := c.(type) {
	case record.LeaderChangeMessage:
		return "LeaderChange: " + compactJSON(leaderChange{
			c.Version, c.LeaderID, changeVoters(c.Version, c.Voters), changeVoters(c.Version, c.GrantingVoters),
		})
	case record.SnapshotHeaderRecord:
		return "SnapshotHeader " + compactJSON(snapshotHeader{c.Version, c.LastContainedLogTimestamp})
	case record.SnapshotFooterRecord:
		return "SnapshotFooter " + compactJSON(snapshotFooter{c.Version})
	case record.KRaftVersionRecord:
		return "KRaftVersion " + compactJSON(kraftVersion{c.Version, c.KRaftVersion})
	case record.KRaftVotersRecord:
		return "KRaftVoters " + compactJSON(kraftVoters{c.Version, voters(c.Voters)})
	}
	return ""
}

type leaderChange struct {
	Version        int16         `json:"version"`
	LeaderID       int32         `json:"leaderId"`
	Voters         []changeVoter `json:"voters"`
	GrantingVoters []changeVoter `json:"grantingVoters"`
}

type changeVoter struct {
	ID          int32  `json:"voterId"`
	DirectoryID string `json:"voterDirectoryId,omitempty"`
}

type snapshotHeader struct {
	Version   int16 `json:"version"`
	Timestamp int64 `json:"lastContainedLogTimestamp"`
}

type snapshotFooter struct {
	Version int16 `json:"version"`
}

type kraftVersion struct {
	Version int16 `json:"version"`
	Level   int16 `json:"kRaftVersion"`
}

type kraftVoters struct {
	Version int16        `json:"version"`
	Voters  []kraftVoter `json:"voters"`
}

type kraftVoter struct {
	ID          int32           `json:"voterId"`
	DirectoryID string          `json:"voterDirectoryId"`
	Endpoints   []kraftEndpoint `json:"endpoints"`
	Levels      kraftLevels     `json:"kRaftVersionFeature"`
}

type kraftEndpoint struct {
	Name string `json:"name"`
	Host string `json:"host"`
	Port uint16 `json:"port"`
}

type kraftLevels struct {
	Min int16 `json:"minSupportedVersion"`
	Max int16 `json:"maxSupportedVersion"`
}

func changeVoters(version int16, from []record.LeaderChangeVoter) []changeVoter {
	to := make([]changeVoter, 0, len(from))
	for _, v := range from {
		t := changeVoter{ID: v.ID}
		if version >= 1 {
			t.DirectoryID = uuid(v.DirectoryID)
		}
		to = append(to, t)
	}
	return to
}

func voters(from []record.Voter) []kraftVoter {
	to := make([]kraftVoter, 0, len(from))
	for _, v := range from {
		t := kraftVoter{v.ID, uuid(v.DirectoryID), []kraftEndpoint{}, kraftLevels{v.MinKRaftVersion, v.MaxKRaftVersion}}
		for _, e := range v.Endpoints {
			t.Endpoints = append(t.Endpoints, kraftEndpoint{javaString([]byte(e.Name)), javaString([]byte(e.Host)), e.Port})
		}
		to = append(to, t)
	}
	return to
}

// uuid is an id as Kafka prints it: 22 characters of base 64.
func uuid(id [16]byte) string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// compactJSON is v without blanks, and without the escapes that are for HTML.
func compactJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprintf("{%q:%q}", "error", err) // the types here have none
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
