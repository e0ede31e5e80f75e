package record

import "encoding/binary"

// AppendTo implements KRaftControl.
func (m LeaderChangeMessage) AppendTo(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(m.Version))
	dst = binary.BigEndian.AppendUint32(dst, uint32(m.LeaderID))
	for _, voters := range [][]LeaderChangeVoter{m.Voters, m.GrantingVoters} {
		dst = appendLength(dst, len(voters))
		for _, v := range voters {
			dst = binary.BigEndian.AppendUint32(dst, uint32(v.ID))
			if m.Version >= 1 {
				dst = append(dst, v.DirectoryID[:]...)
			}
			dst = appendTags(dst)
		}
	}
	return appendTags(dst)
}

// AppendTo implements KRaftControl.
func (m SnapshotHeaderRecord) AppendTo(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(m.Version))
	return appendTags(binary.BigEndian.AppendUint64(dst, uint64(m.LastContainedLogTimestamp)))
}

// AppendTo implements KRaftControl.
func (m SnapshotFooterRecord) AppendTo(dst []byte) []byte {
	return appendTags(binary.BigEndian.AppendUint16(dst, uint16(m.Version)))
}

// AppendTo implements KRaftControl.
func (m KRaftVersionRecord) AppendTo(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(m.Version))
	return appendTags(binary.BigEndian.AppendUint16(dst, uint16(m.KRaftVersion)))
}

// AppendTo implements KRaftControl.
func (m KRaftVotersRecord) AppendTo(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(m.Version))
	dst = appendLength(dst, len(m.Voters))
	for _, v := range m.Voters {
		dst = binary.BigEndian.AppendUint32(dst, uint32(v.ID))
		dst = append(dst, v.DirectoryID[:]...)
		dst = appendLength(dst, len(v.Endpoints))
		for _, e := range v.Endpoints {
			dst = appendString(appendString(dst, e.Name), e.Host)
			dst = appendTags(binary.BigEndian.AppendUint16(dst, e.Port))
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(v.MinKRaftVersion))
		dst = appendTags(binary.BigEndian.AppendUint16(dst, uint16(v.MaxKRaftVersion)))
		dst = appendTags(dst)
	}
	return appendTags(dst)
}
