package panel

import (
	"fmt"
	"sort"

	"kafkalab/engine"
	"kafkalab/engine/record"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// fakeBatch is a batch of a fake log.
type fakeBatch struct{ base, last int64 }

// fakeLog is a log of batches, cut into segments, with an index entry for each
// so many bytes.
type fakeLog struct {
	segments []int64 // bases
	batches  []fakeBatch
	size     int32 // of each batch
	interval int32
	start    int64
	hw, leo  int64
}

// fake is a Reader with made-up data; it counts the batches it was asked for.
type fake struct {
	log    fakeLog
	view   engine.View
	events []trace.Event
	made   []engine.ProducerView
	clean  *engine.CleanerView
	looks  int // at the log as the cleaner sees it
	asked  int
}

// newFake is a log of n batches of 10 records and 1101 bytes, 100 a segment, as
// in the lesson on seeks, with three replicas of which the last is behind.
func newFake(n int) *fake {
	f := &fake{log: fakeLog{size: 1101, interval: 4096}}
	for i := range n {
		if i%100 == 0 {
			f.log.segments = append(f.log.segments, int64(i)*10)
		}
		f.log.batches = append(f.log.batches, fakeBatch{int64(i) * 10, int64(i)*10 + 9})
	}
	if n == 0 {
		f.log.segments = []int64{0}
	}
	f.log.leo = int64(n) * 10
	f.log.hw = max(0, f.log.leo-50)
	f.view = engine.View{
		TimeMs: 41_250,
		Brokers: []engine.BrokerView{
			{ID: 1, Name: "broker-1", State: "running"}, {ID: 2, Name: "broker-2", State: "running"}, {ID: 3, Name: "broker-3", State: "running"},
		},
	}
	f.sync()
	return f
}

// sync puts the log into the view.
func (f *fake) sync() {
	l := f.log
	p := engine.PartitionView{
		Leader: 1, Epoch: 3, Replicas: []int32{1, 2, 3}, ISR: []int32{1, 2}, MinISR: 2, HW: l.hw, LEO: l.leo, LSO: l.hw, Start: l.start,
		Logs: []engine.ReplicaView{
			{Broker: 1, State: "leader", LEO: l.leo, HW: l.hw, Start: l.start, BehindMs: -1},
			{Broker: 2, State: "follower", LEO: l.leo, HW: l.hw, Start: l.start},
			{Broker: 3, State: "offline", LEO: -1, HW: -1, Start: -1, BehindMs: -1},
		},
	}
	f.view.Topics = []engine.TopicView{
		{Name: "__consumer_offsets", Partitions: []engine.PartitionView{p}},
		{Name: "orders", Partitions: []engine.PartitionView{p}},
	}
	f.view.LastEvent = 0
	if n := len(f.events); n > 0 {
		f.view.LastEvent = f.events[n-1].ID
	}
}

func (f *fake) View() engine.View { return f.view }

func (f *fake) ProducerViews() []engine.ProducerView { return f.made }

// CleanerView is that of a log of which a half is clean, unless a test has another.
func (f *fake) CleanerView(topic string, partition, broker int32) (engine.CleanerView, bool) {
	f.looks++
	r := engine.ReplicaName{Topic: topic, Partition: partition, Broker: broker}
	if f.clean != nil || !f.here(r) || partition != 0 {
		if f.clean == nil || broker > 2 {
			return engine.CleanerView{}, false
		}
		v := *f.clean
		v.Broker = broker
		return v, true
	}
	v := engine.CleanerView{
		Partition: "orders/0", Broker: broker, Policy: "compact", TimeMs: f.view.TimeMs, MinRatio: 0.5, Ratio: 0.25, Refusal: "ratio", Why: "ratio 0.25 below 0.5",
		NextWakingMs: -1, NextCheckMs: -1, RetentionMs: -1, RetentionB: -1, Start: f.log.start,
	}
	for _, s := range f.Segments(r) {
		v.Segments = append(v.Segments, engine.CleanerSegment{Base: s.Base, Next: s.Next, Bytes: s.Bytes, Active: s.Active, LargestMs: s.LargestTimestamp})
		v.Bytes += int64(s.Bytes)
	}
	v.FirstUncleanable = v.Segments[len(v.Segments)-1].Base
	v.FirstDirty = v.FirstUncleanable / 2
	return v, true
}

func (f *fake) here(r engine.ReplicaName) bool { return r.Topic == "orders" && r.Broker < 3 }

func (f *fake) of(base int64) (list []fakeBatch) {
	next := f.next(base)
	for _, b := range f.log.batches {
		if b.base >= base && b.base < next {
			list = append(list, b)
		}
	}
	return list
}

func (f *fake) next(base int64) int64 {
	for _, s := range f.log.segments {
		if s > base {
			return s
		}
	}
	return f.log.leo
}

func (f *fake) segment(offset int64) int64 {
	i := sort.Search(len(f.log.segments), func(i int) bool { return f.log.segments[i] > offset })
	return f.log.segments[max(0, i-1)]
}

func (f *fake) Segments(r engine.ReplicaName) (out []storage.SegmentInfo) {
	if !f.here(r) {
		return nil
	}
	for i, base := range f.log.segments {
		next := f.next(base)
		out = append(out, storage.SegmentInfo{
			Base: base, Next: next, Bytes: int32((next-base)/10) * f.log.size, Active: i == len(f.log.segments)-1,
			IndexEntries: len(f.IndexEntries(r, base)), TimeIndexEntries: len(f.TimeIndexEntries(r, base)),
			FirstTimestamp: engine.Epoch + int64(i)*600_000, LargestTimestamp: engine.Epoch + int64(i)*600_000 + 30,
		})
		if next == base {
			out[i].FirstTimestamp, out[i].LargestTimestamp = record.NoTimestamp, record.NoTimestamp
		}
	}
	return out
}

func (f *fake) IndexEntries(r engine.ReplicaName, base int64) (out []storage.IndexEntry) {
	if !f.here(r) {
		return nil
	}
	pos, since := int32(0), int32(0)
	for _, b := range f.of(base) {
		if since > f.log.interval {
			out = append(out, storage.IndexEntry{Relative: int32(b.last - base), Position: pos})
			since = 0
		}
		pos += f.log.size
		since += f.log.size
	}
	return out
}

func (f *fake) TimeIndexEntries(r engine.ReplicaName, base int64) []storage.TimeIndexEntry {
	if !f.here(r) || len(f.of(base)) == 0 {
		return nil
	}
	return []storage.TimeIndexEntry{{Timestamp: engine.Epoch + base*60, Relative: 9}}
}

func (f *fake) Batches(r engine.ReplicaName, from int64, n int) (out []storage.BatchInfo) {
	f.asked += n
	if !f.here(r) {
		return nil
	}
	i := sort.Search(len(f.log.batches), func(i int) bool { return f.log.batches[i].last >= from })
	for _, b := range f.log.batches[i:] {
		if len(out) >= n {
			break
		}
		seg := f.segment(b.base)
		first := sort.Search(len(f.log.batches), func(i int) bool { return f.log.batches[i].base >= seg })
		at := sort.Search(len(f.log.batches), func(i int) bool { return f.log.batches[i].base >= b.base })
		out = append(out, storage.BatchInfo{
			Base: b.base, Last: b.last, Segment: seg, Position: int32(at-first) * f.log.size, Size: f.log.size, Count: int32(b.last - b.base + 1), Epoch: 3,
		})
	}
	return out
}

func (f *fake) BatchBytes(r engine.ReplicaName, offset int64) (record.Batch, int64, bool) {
	list := f.Batches(r, offset, 1)
	if len(list) == 0 || list[0].Base > offset {
		return nil, 0, false
	}
	opts := record.Defaults()
	opts.BaseOffset, opts.LeaderEpoch = list[0].Base, 3
	b := record.NewBuilder(opts)
	for o := list[0].Base; o <= list[0].Last; o++ {
		headers := []record.Header{{Key: "source", Value: []byte("web")}}[:o%2]
		if err := b.AppendAt(o, engine.Epoch+o, []byte(fmt.Sprintf("k%d", o)), []byte("some value of a record"), headers); err != nil {
			panic(err)
		}
	}
	return b.Build(), int64(list[0].Position), true
}

func (f *fake) Lookup(r engine.ReplicaName, offset int64) (storage.Lookup, bool) {
	if !f.here(r) || offset < f.log.start || offset > f.log.leo {
		return storage.Lookup{}, false
	}
	base := f.segment(offset)
	entries := f.IndexEntries(r, base)
	l := storage.Lookup{Target: offset, Segments: []int64{base}, SegmentBase: base, Relative: int32(offset - base), Entries: len(entries), Slot: -1}
	f.probe(&l, entries)
	pos := int32(0)
	for _, b := range f.of(base) {
		if pos >= l.Start {
			l.Scanned = append(l.Scanned, storage.ScannedBatch{Base: b.base, Last: b.last, Position: pos, Size: f.log.size})
			if b.last >= offset {
				l.Found, l.Base, l.Last, l.Position, l.Size = true, b.base, b.last, pos, f.log.size
				break
			}
		}
		pos += f.log.size
	}
	return l, true
}

// probe is a binary search that begins at the first entry, as Kafka's does in a
// small index.
func (f *fake) probe(l *storage.Lookup, entries []storage.IndexEntry) {
	look := func(i int) int64 {
		d := int64(entries[i].Relative) - int64(l.Relative)
		v := storage.EntryEqual
		if d < 0 {
			v = storage.EntryBelow
		} else if d > 0 {
			v = storage.EntryAbove
		}
		l.Probes = append(l.Probes, storage.Probe{Slot: i, Relative: entries[i].Relative, Position: entries[i].Position, Verdict: v})
		return d
	}
	if len(entries) == 0 || look(0) > 0 {
		return
	}
	lo, hi := 0, len(entries)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		switch d := look(mid); {
		case d > 0:
			hi = mid - 1
		case d < 0:
			lo = mid
		default:
			lo, hi = mid, mid
		}
	}
	l.HasEntry, l.Slot, l.Entry, l.Start = true, lo, entries[lo], entries[lo].Position
}

func (f *fake) EventsSince(id trace.ID) []trace.Event {
	i := sort.Search(len(f.events), func(i int) bool { return f.events[i].ID > id })
	return f.events[i:]
}

func (f *fake) Event(id trace.ID) (trace.Event, bool) {
	if id == 0 || int(id) > len(f.events) {
		return trace.Event{}, false
	}
	return f.events[id-1], true
}

// emit adds an event to what happened.
func (f *fake) emit(ms int64, node string, b trace.Body) trace.ID {
	id := trace.ID(len(f.events) + 1)
	f.events = append(f.events, trace.Event{ID: id, Cause: id - 1, Time: ms, Node: node, Body: b})
	f.view.LastEvent = id
	return id
}

// send adds a message, and its arrival a millisecond later unless it is lost.
func (f *fake) send(ms int64, from, to, api string, corr int32, response, arrives bool) {
	m := trace.Message{From: from, To: to, API: api, Version: 13, Correlation: corr, Response: response, Bytes: 126, Conn: "client", Payload: []byte{0, 0, 0, 13, 1, 2, 3}}
	id := f.emit(ms, from, trace.MessageSent{Message: m})
	if arrives {
		f.emit(ms+1, to, trace.MessageReceived{Message: m, Sent: id})
	}
}

// story is a produce with acks=all to three replicas.
func (f *fake) story() {
	f.emit(41_000, "app", trace.CommandGiven{Text: "produce orders acks=all count=1000"})
	f.send(41_000, "app", "broker-1", "Produce", 7, false, true)
	f.emit(41_001, "broker-1", trace.RecordsAppended{Partition: "orders/0", Base: 1000, Last: 1009, Count: 10, Segment: 1000, Position: 0, Bytes: 1101, Epoch: 3})
	f.send(41_001, "broker-2", "broker-1", "Fetch", 90, false, true)
	f.send(41_002, "broker-1", "broker-2", "Fetch", 90, true, true)
	f.emit(41_003, "broker-1", trace.HighWatermarkMoved{Partition: "orders/0", From: 1000, To: 1010})
	f.send(41_003, "broker-1", "app", "Produce", 7, true, true)
	f.send(41_200, "broker-3", "broker-1", "Fetch", 12, false, false)
}

// model is what a screen makes of a fake.
func (f *fake) model(focus Focus) Model {
	if focus.Replica.Topic == "" {
		focus.Replica.Topic = "orders"
	}
	return Model{Reader: f, View: f.View(), Focus: focus}
}

// seek is the focus of a lookup that may be shown whole.
func seek(target int64) Focus {
	f := NoFocus()
	f.Target = target
	return f
}

func (f *fake) LookupTimestamp(r engine.ReplicaName, ms int64) (storage.TimestampLookup, bool) {
	t := storage.TimestampLookup{Target: ms, Slot: -1, OffsetSlot: -1, Offset: -1}
	if !f.here(r) {
		return t, false
	}
	for _, s := range f.Segments(r) {
		t.Segments = append(t.Segments, storage.SegmentTime{Base: s.Base, LargestTimestamp: s.LargestTimestamp})
		if s.LargestTimestamp < ms {
			continue
		}
		t.HasSegment, t.SegmentBase, t.Entries, t.From = true, s.Base, 1, s.Base+9
		t.Probes = []storage.TimeProbe{{Slot: 0, Timestamp: s.FirstTimestamp, Relative: 9, Verdict: storage.EntryBelow}}
		t.HasEntry, t.Slot, t.Entry = true, 0, storage.TimeIndexEntry{Timestamp: s.FirstTimestamp, Relative: 9}
		list := f.of(s.Base)
		for i, b := range list[:min(3, len(list))] {
			t.Scanned = append(t.Scanned, storage.ScannedBatch{Base: b.base, Last: b.last, Position: int32(i) * f.log.size, Size: f.log.size})
		}
		t.Found, t.Offset, t.Timestamp = true, s.Base+24, ms
		break
	}
	return t, true
}
