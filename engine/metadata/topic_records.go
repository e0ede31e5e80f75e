package metadata

// Topic (key 2) gives a new topic its id.
type Topic struct {
	Name string
	ID   [16]byte
}

func (*Topic) apiKey() uint64  { return 2 }
func (*Topic) version() uint64 { return 0 }
func (t *Topic) encode(w *writer) {
	w.str(t.Name)
	w.uuid(t.ID)
	w.tags()
}
func (t *Topic) decode(version uint64, r *reader) {
	t.Name = r.str()
	t.ID = r.uuid()
	r.tags(nil)
}

// RemoveTopic (key 9) deletes a topic with all its partitions.
type RemoveTopic struct{ ID [16]byte }

func (*RemoveTopic) apiKey() uint64  { return 9 }
func (*RemoveTopic) version() uint64 { return 0 }
func (t *RemoveTopic) encode(w *writer) {
	w.uuid(t.ID)
	w.tags()
}
func (t *RemoveTopic) decode(version uint64, r *reader) {
	t.ID = r.uuid()
	r.tags(nil)
}

// Partition (key 3) is a partition as it begins: both epochs 0.
type Partition struct {
	PartitionID    int32
	TopicID        [16]byte
	Replicas       []int32 // in assignment order, the first preferred
	Isr            []int32
	Leader         int32
	LeaderEpoch    int32
	PartitionEpoch int32
	Directories    [][16]byte // the log directory of each replica
}

func (*Partition) apiKey() uint64  { return 3 }
func (*Partition) version() uint64 { return 2 }
func (p *Partition) encode(w *writer) {
	w.i32(p.PartitionID)
	w.uuid(p.TopicID)
	w.i32s(p.Replicas)
	w.i32s(p.Isr)
	w.i32s(nil) // RemovingReplicas
	w.i32s(nil) // AddingReplicas
	w.i32(p.Leader)
	w.i32(p.LeaderEpoch)
	w.i32(p.PartitionEpoch)
	w.uuids(p.Directories)
	w.tags()
}
func (p *Partition) decode(version uint64, r *reader) {
	p.PartitionID = r.i32()
	p.TopicID = r.uuid()
	p.Replicas = r.i32s()
	p.Isr = r.i32s()
	r.i32s()
	r.i32s()
	p.Leader = r.i32()
	p.LeaderEpoch = r.i32()
	p.PartitionEpoch = r.i32()
	if version >= 1 {
		p.Directories = r.uuids()
	}
	r.tags(nil)
}

// PartitionChange (key 5) changes what it names of a partition and raises the
// partition epoch; with a leader in it, the same one again too, it raises the
// leader epoch as well (PartitionRegistration.java#merge).
type PartitionChange struct {
	PartitionID int32
	TopicID     [16]byte
	Isr         []int32 // nil: unchanged
	Leader      *int32  // nil: unchanged, NoLeader: none
	Replicas    []int32 // nil: unchanged
	Recovery    *int8   // leader recovery state: 1 recovering, 0 recovered; nil: unchanged
}

func (*PartitionChange) apiKey() uint64  { return 5 }
func (*PartitionChange) version() uint64 { return 2 }
func (p *PartitionChange) encode(w *writer) {
	w.i32(p.PartitionID)
	w.uuid(p.TopicID)
	var tags []tag
	if p.Isr != nil {
		tags = append(tags, tag{0, func(w *writer) { w.i32s(p.Isr) }})
	}
	if p.Leader != nil {
		tags = append(tags, tag{1, func(w *writer) { w.i32(*p.Leader) }})
	}
	if p.Replicas != nil {
		tags = append(tags, tag{2, func(w *writer) { w.i32s(p.Replicas) }})
	}
	if p.Recovery != nil {
		tags = append(tags, tag{5, func(w *writer) { w.i8(*p.Recovery) }})
	}
	w.tags(tags...)
}
func (p *PartitionChange) decode(version uint64, r *reader) {
	p.PartitionID = r.i32()
	p.TopicID = r.uuid()
	r.tags(func(n uint64, r *reader) {
		switch n {
		case 0:
			p.Isr = r.i32s()
		case 1:
			leader := r.i32()
			p.Leader = &leader
		case 2:
			p.Replicas = r.i32s()
		case 5:
			state := r.i8()
			p.Recovery = &state
		}
	})
}
