package metadata

// RegisterBroker (key 0) brings a broker in, fenced.
type RegisterBroker struct {
	BrokerID      int32
	IncarnationID [16]byte
	BrokerEpoch   int64 // the offset of this very record
	EndPoints     []EndPoint
	Features      []Feature
	Rack          *string
	Fenced        bool
	LogDirs       [][16]byte
}

// EndPoint is where a listener of a broker is reached.
type EndPoint struct {
	Name, Host string
	Port       uint16
}

// Feature is a range of versions that a broker supports.
type Feature struct {
	Name     string
	Min, Max int16
}

func (*RegisterBroker) apiKey() uint64  { return 0 }
func (*RegisterBroker) version() uint64 { return 4 }

func (b *RegisterBroker) encode(w *writer) {
	w.i32(b.BrokerID)
	w.bool(false) // IsMigratingZkBroker, of a past long gone
	w.uuid(b.IncarnationID)
	w.i64(b.BrokerEpoch)
	w.count(len(b.EndPoints))
	for _, e := range b.EndPoints {
		w.str(e.Name)
		w.str(e.Host)
		w.u16(e.Port)
		w.i16(0) // PLAINTEXT
		w.tags()
	}
	w.count(len(b.Features))
	for _, f := range b.Features {
		w.str(f.Name)
		w.i16(f.Min)
		w.i16(f.Max)
		w.tags()
	}
	w.nullable(b.Rack)
	w.bool(b.Fenced)
	w.bool(false) // InControlledShutdown
	if len(b.LogDirs) == 0 {
		w.tags()
		return
	}
	w.tags(tag{0, func(w *writer) { w.uuids(b.LogDirs) }})
}

func (b *RegisterBroker) decode(version uint64, r *reader) {
	b.BrokerID = r.i32()
	r.bool()
	b.IncarnationID = r.uuid()
	b.BrokerEpoch = r.i64()
	for range max(r.count(), 0) {
		e := EndPoint{Name: r.str(), Host: r.str(), Port: r.u16()}
		r.i16()
		r.tags(nil)
		b.EndPoints = append(b.EndPoints, e)
		if r.err != nil {
			return
		}
	}
	for range max(r.count(), 0) {
		f := Feature{Name: r.str(), Min: r.i16(), Max: r.i16()}
		r.tags(nil)
		b.Features = append(b.Features, f)
		if r.err != nil {
			return
		}
	}
	b.Rack = r.nullable()
	b.Fenced = r.bool()
	r.bool()
	r.tags(func(n uint64, r *reader) {
		if n == 0 {
			b.LogDirs = r.uuids()
		}
	})
}

// BrokerRegistrationChange (key 17) fences or unfences a broker.
type BrokerRegistrationChange struct {
	BrokerID    int32
	BrokerEpoch int64
	Fenced      int8 // 1 fences, -1 unfences, 0 leaves it
	Leaving     bool // it is in controlled shutdown from now on
}

func (*BrokerRegistrationChange) apiKey() uint64 { return 17 }

// version is the oldest that holds the fields, as ReplicationControlManager
// writes it: inControlledShutdown came with version 1.
func (c *BrokerRegistrationChange) version() uint64 {
	if c.Leaving {
		return 1
	}
	return 0
}

func (c *BrokerRegistrationChange) encode(w *writer) {
	w.i32(c.BrokerID)
	w.i64(c.BrokerEpoch)
	var tags []tag
	if c.Fenced != 0 {
		tags = append(tags, tag{0, func(w *writer) { w.i8(c.Fenced) }})
	}
	if c.Leaving {
		tags = append(tags, tag{1, func(w *writer) { w.i8(1) }})
	}
	w.tags(tags...)
}

func (c *BrokerRegistrationChange) decode(version uint64, r *reader) {
	c.BrokerID = r.i32()
	c.BrokerEpoch = r.i64()
	r.tags(func(n uint64, r *reader) {
		switch n {
		case 0:
			c.Fenced = r.i8()
		case 1:
			c.Leaving = r.i8() > 0
		}
	})
}

// FeatureLevel (key 12) finalizes the level of a feature.
type FeatureLevel struct {
	Name  string
	Level int16
}

func (*FeatureLevel) apiKey() uint64  { return 12 }
func (*FeatureLevel) version() uint64 { return 0 }
func (f *FeatureLevel) encode(w *writer) {
	w.str(f.Name)
	w.i16(f.Level)
	w.tags()
}
func (f *FeatureLevel) decode(version uint64, r *reader) {
	f.Name = r.str()
	f.Level = r.i16()
	r.tags(nil)
}

// Types of resources in Config.
const (
	ResourceTopic  int8 = 2
	ResourceBroker int8 = 4
)

// Config (key 4) sets a config of a topic or a broker; a nil value deletes it.
// The broker resource "" stands for all brokers.
type Config struct {
	ResourceType int8
	ResourceName string
	Name         string
	Value        *string
}

func (*Config) apiKey() uint64  { return 4 }
func (*Config) version() uint64 { return 0 }
func (c *Config) encode(w *writer) {
	w.i8(c.ResourceType)
	w.str(c.ResourceName)
	w.str(c.Name)
	w.nullable(c.Value)
	w.tags()
}
func (c *Config) decode(version uint64, r *reader) {
	c.ResourceType = r.i8()
	c.ResourceName = r.str()
	c.Name = r.str()
	c.Value = r.nullable()
	r.tags(nil)
}

// ProducerIDs (key 15) gives a broker a block of producer ids: those from
// where the last block ended up to NextProducerID.
type ProducerIDs struct {
	BrokerID       int32
	BrokerEpoch    int64
	NextProducerID int64
}

func (*ProducerIDs) apiKey() uint64  { return 15 }
func (*ProducerIDs) version() uint64 { return 0 }
func (p *ProducerIDs) encode(w *writer) {
	w.i32(p.BrokerID)
	w.i64(p.BrokerEpoch)
	w.i64(p.NextProducerID)
	w.tags()
}
func (p *ProducerIDs) decode(version uint64, r *reader) {
	p.BrokerID = r.i32()
	p.BrokerEpoch = r.i64()
	p.NextProducerID = r.i64()
	r.tags(nil)
}

// NoOp (key 20) is what an idle controller writes now and then.
type NoOp struct{}

func (*NoOp) apiKey() uint64             { return 20 }
func (*NoOp) version() uint64            { return 0 }
func (*NoOp) encode(w *writer)           { w.tags() }
func (*NoOp) decode(_ uint64, r *reader) { r.tags(nil) }

// BeginTransaction (key 23) and EndTransaction (key 24) bracket records that
// take effect together, such as those of a cluster's first moment.
type BeginTransaction struct{ Name *string }

func (*BeginTransaction) apiKey() uint64  { return 23 }
func (*BeginTransaction) version() uint64 { return 0 }
func (b *BeginTransaction) encode(w *writer) {
	if b.Name == nil {
		w.tags()
		return
	}
	w.tags(tag{0, func(w *writer) { w.str(*b.Name) }})
}
func (b *BeginTransaction) decode(version uint64, r *reader) {
	r.tags(func(n uint64, r *reader) {
		if n == 0 {
			b.Name = r.nullable()
		}
	})
}

// EndTransaction ends what BeginTransaction began.
type EndTransaction struct{}

func (*EndTransaction) apiKey() uint64             { return 24 }
func (*EndTransaction) version() uint64            { return 0 }
func (*EndTransaction) encode(w *writer)           { w.tags() }
func (*EndTransaction) decode(_ uint64, r *reader) { r.tags(nil) }
