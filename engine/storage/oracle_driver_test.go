//go:build kafka

package storage

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// driver does random things to a log and writes them down.
type driver struct {
	t       *testing.T
	rng     *rand.Rand
	disk    *disk.Mem
	log     *Log
	opts    Options
	now     int64
	seq     map[int64]int32
	epochOf map[int64]int16
	leader  int32
	dead    bool           // Kafka's start would have failed
	spoiled bool           // a base offset was damaged: Kafka may fail to append
	sound   map[int64]bool // what a leader sends is sound: the producers that were in it
	script  []string
	results []string
}

func (d *driver) pick(n int) int { return d.rng.IntN(n) }

func (d *driver) start() {
	d.now, d.seq, d.epochOf = 1000, map[int64]int32{}, map[int64]int16{}
	d.disk = disk.NewMem(func() time.Time { return time.UnixMilli(d.now).UTC() })
	c := testConfig()
	c.IndexIntervalBytes = []int32{0, 50, 100, 300}[d.pick(4)]
	c.SegmentIndexBytes = []int32{48, 100, 4096, 4096, 4096}[d.pick(5)]
	c.SegmentBytes = []int32{300, 700, 3000, 1 << 20}[d.pick(4)]
	c.SegmentMs = []int64{500, 5000, 1 << 40}[d.pick(3)]
	c.MaxMessageBytes = []int32{250, 1048588}[d.pick(2)]
	if d.pick(4) == 0 {
		c.TimestampType = record.LogAppendTime
	}
	d.opts = Options{FS: d.disk, Dir: "t-0", Topic: "t", Config: c, Now: func() int64 { return d.now }, CleanShutdown: true}
	var err error
	if d.log, err = Open(d.opts); err != nil {
		d.t.Fatal(err)
	}
	d.note(fmt.Sprintf("case index.interval.bytes=%d segment.index.bytes=%d internal.segment.bytes=%d segment.ms=%d max.message.bytes=%d message.timestamp.type=%v retention.ms=-1 cleanup.policy=delete",
		c.IndexIntervalBytes, c.SegmentIndexBytes, c.SegmentBytes, c.SegmentMs, c.MaxMessageBytes, c.TimestampType), "")
}

func (d *driver) note(line, result string) {
	d.script = append(d.script, line)
	d.results = append(d.results, strings.TrimSpace(result+" | "+d.state()))
}

func (d *driver) state() string {
	var b strings.Builder
	l := d.log
	fmt.Fprintf(&b, "leo=%d hw=%d lso=%d start=%d rp=%d", l.LogEndOffset(), l.HighWatermark(), l.LastStableOffset(), l.LogStartOffset(), l.RecoveryPoint())
	for _, s := range l.segments {
		fmt.Fprintf(&b, " [%d %dB", s.base, s.size)
		for _, e := range s.offsets.entries {
			fmt.Fprintf(&b, " %d:%d", s.base+int64(e.Relative), e.Position)
		}
		for _, e := range s.times.entries {
			fmt.Fprintf(&b, " %d@%d", e.Timestamp, s.base+int64(e.Relative))
		}
		for _, a := range s.aborted.entries {
			fmt.Fprintf(&b, " a%d/%d/%d/%d", a.ProducerID, a.FirstOffset, a.LastOffset, a.LastStableOffset)
		}
		b.WriteString("]")
	}
	for _, e := range l.Epochs() {
		fmt.Fprintf(&b, " e%d@%d", e.Epoch, e.Start)
	}
	list := l.Producers()
	slices.SortFunc(list, func(a, b ProducerState) int { return cmp.Compare(a.ID, b.ID) })
	for _, p := range list {
		fmt.Fprintf(&b, " p%d/%d/%d/%d/%d/%d", p.ID, p.Epoch, p.LastSequence(), p.LastTimestamp, p.CoordinatorEpoch, p.TxnFirstOffset)
	}
	return b.String()
}

// tiny tells that the indexes may be full after a few entries. Recovery then can
// come to more entries than there is room for, and so can an append of several
// batches; Kafka fails in both.
func (d *driver) tiny() bool { return d.opts.Config.SegmentIndexBytes < 4096 }

func (d *driver) step() {
	most := 100
	if d.tiny() {
		most = 97 // no kill
	}
	switch n := d.pick(most); {
	case n < 63 && d.spoiled:
		d.readSomething()
	case n < 45:
		d.lead()
	case n < 55:
		d.marker()
	case n < 63:
		d.follow()
	case n < 66:
		d.now += int64(d.pick(900))
		d.note(fmt.Sprint("now ", d.now), "")
	case n < 69:
		d.do("roll", d.log.Roll())
	case n < 76:
		hw := d.edge(d.log.HighWatermark())
		d.note(fmt.Sprint("hw ", hw), fmt.Sprint(d.log.UpdateHighWatermark(hw)))
	case n < 79:
		d.truncate()
	case n < 81:
		d.moveStart()
	case n < 86:
		d.readSomething()
	case n < 89:
		ts := int64(d.pick(3000))
		for _, s := range d.log.segments {
			if s.largest.timestamp < 0 {
				return // the file's time counts, which is not virtual in Kafka
			}
		}
		result := "none"
		if at, offset, epoch, ok := d.log.OffsetForTimestamp(ts); ok {
			result = fmt.Sprintf("%d at %d epoch %d", at, offset, epoch)
		}
		d.note(fmt.Sprint("ts ", ts), result)
	case n < 91:
		d.leader += int32(d.pick(3))
		d.log.AssignEpoch(d.leader, d.log.LogEndOffset())
		d.note(fmt.Sprint("epoch ", d.leader, " ", d.log.LogEndOffset()), "")
	case n < 93:
		epoch := int32(d.pick(int(d.leader)+2)) - 1
		e, offset := d.log.EndOffsetFor(epoch)
		result := fmt.Sprintf("%d@%d", e, offset)
		if e == NoEpoch {
			result = "none"
		}
		d.note(fmt.Sprint("endfor ", epoch), result)
	case n < 95:
		deleted, err := d.log.DeleteOldSegments()
		d.do("retain", err, deleted)
	case n < 97:
		d.reopen()
	default:
		d.kill()
	}
}

// do notes a step that may fail.
func (d *driver) do(line string, err error, result ...any) {
	text := fmt.Sprint(result...)
	if err != nil {
		text = codeOf(err)
	}
	d.note(line, text)
}

func codeOf(err error) string {
	if k, ok := err.(*kerror.Error); ok {
		return k.Code.String()
	}
	return kerror.UnknownServerError.String()
}

// producer draws a producer id. Some share a bucket of Kafka's hash map.
func (d *driver) producer() int64 { return []int64{0, 16, 1000, 7, 1<<32 + 3, 48}[d.pick(6)] }

// data builds a batch; now and then one that must be refused.
func (d *driver) data(base int64) record.Batch {
	o := record.Defaults()
	o.BaseOffset = base
	n := 1 + d.pick(4)
	if pid := d.producer(); d.pick(3) > 0 && !d.sound[pid] {
		o.ProducerID = pid
		o.ProducerEpoch = d.epochOf[o.ProducerID]
		o.BaseSequence = d.seq[o.ProducerID]
		if have, ok := d.log.Producer(o.ProducerID); ok {
			o.ProducerEpoch = have.Epoch
			o.BaseSequence = have.LastSequence() + 1
			o.Transactional = have.TxnFirstOffset != NoTxn
		} else {
			o.Transactional = d.pick(2) == 0
		}
		wrong := d.pick(14)
		if d.sound != nil {
			wrong = -1
			d.sound[o.ProducerID] = true
		}
		switch wrong {
		case 0:
			o.BaseSequence = max(o.BaseSequence-int32(n), 0) // perhaps a duplicate
		case 1:
			o.BaseSequence++
		case 2:
			o.ProducerEpoch++
			o.BaseSequence = int32(d.pick(2))
		case 3:
			o.Transactional = !o.Transactional
		}
		o.ProducerEpoch = max(o.ProducerEpoch, 0)
	}
	o.Codec = []record.Codec{record.None, record.None, record.None, record.Gzip}[d.pick(4)]
	if d.log.config.TimestampType == record.LogAppendTime && d.pick(10) == 0 {
		o.TimestampType, o.LogAppendTime = record.LogAppendTime, 5
	}
	b := record.NewBuilder(o)
	for range n {
		ts := d.now - 200 + int64(d.pick(400))
		if d.pick(30) == 0 {
			ts = -1
		}
		if _, err := b.Append(max(ts, -1), []byte(fmt.Sprint("k", d.pick(5))), bytes.Repeat([]byte("v"), d.pick(60))); err != nil {
			d.t.Fatal(err)
		}
	}
	batch := slices.Clone(b.Build())
	if d.pick(60) == 0 {
		batch[len(batch)-1] ^= 1 // a wrong checksum
	}
	return batch
}

func (d *driver) lead() {
	base := int64(0)
	if d.pick(60) == 0 {
		base = 3
	}
	d.leadBatch(d.data(base), Client, 0)
}

var originNames = map[Origin]string{Client: "CLIENT", Coordinator: "COORDINATOR"}

func (d *driver) leadBatch(b record.Batch, origin Origin, version int16) {
	line := fmt.Sprintf("lead %d %s %d %s", d.leader, originNames[origin], version, hex.EncodeToString(b))
	info, err := d.log.AppendWith(b, d.leader, AppendOptions{Origin: origin, TxnVersion: version})
	if err != nil {
		d.note(line, err.Code.String())
		return
	}
	d.note(line, fmt.Sprintf("%d-%d at %d", info.FirstOffset, info.LastOffset, info.LogAppendTime))
}

func (d *driver) marker() {
	pid := d.producer()
	have, _ := d.log.Producer(pid)
	version := int16(d.pick(3))
	epoch := max(have.Epoch+int16(d.pick(3))-1, 0)
	if version == 2 && d.pick(3) > 0 {
		epoch = max(have.Epoch, 0) + 1
	}
	kind := []record.ControlType{record.Abort, record.Commit}[d.pick(2)]
	m := record.EndTxnMarker{Type: kind, CoordinatorEpoch: max(have.CoordinatorEpoch+int32(d.pick(3))-1, 0)}
	d.leadBatch(record.MarkerBatch(0, d.now, -1, pid, epoch, m), Coordinator, version)
}

// follow appends some batches as a follower, with gaps, and at times offsets
// that are in the log already, or a newer epoch.
func (d *driver) follow() {
	var all []byte
	next := d.log.LogEndOffset()
	most := 4
	if d.tiny() {
		most = 1
	}
	d.sound = map[int64]bool{}
	defer func() { d.sound = nil }()
	for i := range 1 + d.pick(most) {
		base := next + int64(d.pick(3)/2)
		if d.pick(30) == 0 && (i == 0 || d.pick(2) == 0) {
			base = max(base-1, 0)
		}
		if i > 0 && base < next {
			all = append(all, all...) // the same batches again
			break
		}
		b := d.data(base)
		if pid := d.producer(); d.pick(5) == 0 && !d.sound[pid] {
			d.sound[pid] = true
			have, _ := d.log.Producer(pid)
			b = record.MarkerBatch(base, d.now, -1, pid, max(have.Epoch, 0), record.EndTxnMarker{Type: record.Abort, CoordinatorEpoch: 3})
		}
		b.SetPartitionLeaderEpoch(d.leader + int32(d.pick(12)/11))
		all = append(all, b...)
		next = b.NextOffset()
	}
	if d.pick(6) == 0 {
		all = all[:len(all)-1-d.pick(20)]
	}
	line := fmt.Sprintf("follow %d %s", d.leader, hex.EncodeToString(all))
	info, err := d.log.AppendAsFollower(all, d.leader)
	if err != nil {
		d.note(line, err.Code.String())
		return
	}
	d.note(line, fmt.Sprintf("%d-%d", info.FirstOffset, info.LastOffset))
}

// align moves a high watermark that lies in a gap to its end: Kafka does so when
// it looks for its position.
func (d *driver) align() {
	hw, want := d.log.HighWatermark(), d.log.LogEndOffset()
	list, err := d.log.Batches(hw, 1)
	if err != nil {
		d.t.Fatal(err)
	}
	if len(list) > 0 && list[0].Base >= hw {
		want = list[0].Base
	} else if len(list) > 0 {
		want = list[0].Last + 1 // within a batch, after the log start moved there
	}
	if want > hw {
		d.note(fmt.Sprint("hw ", want), fmt.Sprint(d.log.UpdateHighWatermark(want)))
	}
}

func (d *driver) truncate() {
	if d.pick(6) == 0 {
		offset := int64(d.pick(100))
		d.do(fmt.Sprint("full ", offset), d.log.TruncateFullyAndStartAt(offset))
		return
	}
	end := d.log.LogEndOffset()
	offset := max(end-int64(d.pick(12))+1, 0)
	d.do(fmt.Sprint("truncate ", offset), d.log.TruncateTo(offset))
}

// edge draws an offset from one on up to the log's end at which a batch begins.
// At a high watermark within a batch Kafka, when it looks for its position,
// moves it back to the batch's first offset; brokers never set such a one.
func (d *driver) edge(from int64) int64 {
	offset := from + int64(d.pick(int(d.log.LogEndOffset()-from)+1))
	list, err := d.log.Batches(offset, 1)
	if err != nil {
		d.t.Fatal(err)
	}
	if len(list) == 0 {
		return d.log.LogEndOffset()
	}
	return max(list[0].Base, from)
}

func (d *driver) moveStart() {
	offset := min(d.edge(d.log.LogStartOffset()), d.log.HighWatermark())
	if len(d.log.OpenTxns()) == 0 && d.pick(2) == 0 {
		offset = max(d.log.LogStartOffset(), offset-1) // within a batch
	}
	d.note(fmt.Sprint("start ", offset), fmt.Sprint(d.log.IncrementLogStartOffset(offset)))
}

func (d *driver) readSomething() {
	offset := d.log.LogStartOffset() - 1 + int64(d.pick(int(max(d.log.LogEndOffset()-d.log.LogStartOffset(), 0))+3))
	iso := []string{"LOG_END", "HIGH_WATERMARK", "TXN_COMMITTED"}[d.pick(3)]
	limit := map[string]int64{"LOG_END": d.log.LogEndOffset(), "HIGH_WATERMARK": d.log.HighWatermark(), "TXN_COMMITTED": d.log.LastStableOffset()}[iso]
	size, minOne := int32(d.pick(600)), d.pick(2) == 0
	line := fmt.Sprintf("read %d %d %s %v", offset, size, iso, minOne)
	info, err := d.log.Read(offset, size, limit, minOne)
	if err != nil {
		d.note(line, err.Code.String())
		return
	}
	result := fmt.Sprintf("%d in %d at %d %dB", info.Offset, info.Segment, info.Position, len(info.Records))
	if iso == "TXN_COMMITTED" && offset < limit {
		for _, a := range d.log.CollectAborted(offset, info) {
			result += fmt.Sprintf(" a%d/%d", a.ProducerID, a.FirstOffset)
		}
	}
	d.note(line, result)
}

// reopen closes the log cleanly and opens it again; the files are compared
// byte for byte.
func (d *driver) reopen() {
	if err := d.log.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.opts.LogStartOffset, d.opts.RecoveryPoint, d.opts.CleanShutdown = d.log.LogStartOffset(), d.log.RecoveryPoint(), true
	list := d.fileList(true)
	d.openAgain()
	d.note("close", list)
}

// openAgain opens the log; what Kafka would die of ends the case.
func (d *driver) openAgain() {
	var err error
	d.log, err = Open(d.opts)
	if _, d.dead = errors.AsType[*FatalError](err); d.dead {
		return
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *driver) fileList(contents bool) string {
	var b strings.Builder
	all := files(d.t, d.disk, "t-0")
	for _, name := range sortedNames(all) {
		b.WriteString(" " + name)
		if contents && !strings.HasSuffix(name, deletedSuffix) { // Kafka's may be preallocated
			sum := md5.Sum(all[name])
			fmt.Fprintf(&b, "=%d:%x", len(all[name]), sum[:4])
		}
	}
	return b.String()
}

// flipAt keeps a flip out of the upper half of a base offset, which no checksum
// covers: there Kafka splits the segment, as it did with logs of old brokers, or
// does not start. What it does is in testdata/damage.
func (d *driver) flipAt(base int64, n int) int {
	all := files(d.t, d.disk, "t-0")[FileName(base, logSuffix)]
	for at := 0; at < len(all); {
		size, err := record.PeekSize(all[at:])
		if err != nil || size > len(all)-at {
			break
		}
		switch {
		case n >= at && n < at+4:
			d.spoiled = true
			return at + 4
		case n >= at && n < at+8:
			d.spoiled = true
		}
		at += size
	}
	return n
}

// kill ends the process, damages the files at times, and opens the log again.
func (d *driver) kill() {
	if err := d.log.Abandon(); err != nil {
		d.t.Fatal(err)
	}
	rp := d.log.RecoveryPoint()
	if d.pick(3) == 0 {
		rp = int64(d.pick(int(rp) + 1))
	}
	line := fmt.Sprint("kill ", rp)
	bases := d.log.bases()
	at := d.log.floor(rp)
	if d.pick(2) == 0 && at >= 0 {
		base := bases[at+d.pick(len(bases)-at)] // what is flushed is not damaged
		line += d.damage(base)
	}
	d.opts.LogStartOffset, d.opts.RecoveryPoint, d.opts.CleanShutdown = d.log.LogStartOffset(), rp, false
	d.openAgain()
	if d.dead {
		d.script, d.results = append(d.script, line), append(d.results, "does not open")
		return
	}
	d.note(line, d.fileList(false))
}

func (d *driver) damage(base int64) string {
	suffix := []string{logSuffix, logSuffix, logSuffix, indexSuffix, timeIndexSuffix}[d.pick(5)]
	name := FileName(base, suffix)
	file := path.Join("t-0", name)
	info, err := d.disk.Stat(file)
	if err != nil || info.Size() == 0 && suffix == logSuffix {
		return ""
	}
	what, n := []string{"cut", "grow", "flip"}[d.pick(3)], 1+d.pick(100)
	if suffix != logSuffix {
		what = "remove"
	}
	switch what {
	case "remove":
		err = d.disk.Remove(file)
	case "flip":
		n = d.flipAt(base, d.pick(int(info.Size())))
		err = d.disk.Flip(file, int64(n), 1)
	default:
		f, e := d.disk.OpenFile(file, os.O_RDWR, 0)
		if e != nil {
			d.t.Fatal(e)
		}
		size := max(info.Size()-int64(n), 0)
		if what == "grow" {
			size = info.Size() + int64(n)
		}
		err = f.Truncate(size)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return fmt.Sprintf(" %s=%s %s", what, name, strconv.Itoa(n))
}
