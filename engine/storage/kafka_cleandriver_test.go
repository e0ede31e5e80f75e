//go:build kafka

package storage

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// cleanDriver does random things to a compacted log.
type cleanDriver struct {
	driver
	dirty      int64 // the cleaner's checkpoint
	replicated int64 // the largest high watermark of all times
	mapBytes   int64
	coded      bool // some batches are compressed
	root       string
	number     int // of the case
	handed     int // folders given to Kafka
}

func (d *cleanDriver) startCompacted() {
	d.now, d.seq, d.epochOf, d.dirty = 1000, map[int64]int32{}, map[int64]int16{}, NoOffset
	d.disk = disk.NewMem(func() time.Time { return time.UnixMilli(d.now).UTC() })
	d.coded = d.pick(5) == 0
	d.mapBytes = []int64{1 << 16, 1 << 16, 1 << 16, 24 * 4, 24 * 7}[d.pick(5)]
	c := testConfig()
	c.Compact, c.Delete, c.RetentionMs = true, d.pick(4) == 0, -1
	c.IndexIntervalBytes = []int32{0, 50, 100, 300}[d.pick(4)]
	c.SegmentIndexBytes = 4096 // Kafka's cleaner fails where the copy has more entries than there is room for
	c.SegmentBytes = []int32{300, 700, 3000, 1 << 20}[d.pick(4)]
	c.SegmentMs = []int64{500, 5000, 1 << 40}[d.pick(3)]
	c.DeleteRetentionMs = []int64{0, 100, 800, 3000}[d.pick(4)]
	c.MinCleanableDirtyRatio = []float64{0, 0, 0.3, 0.5}[d.pick(4)]
	if d.mapBytes == 1<<16 && !d.coded {
		c.MinCompactionLagMs = []int64{0, 0, 300}[d.pick(3)]
	}
	if d.pick(4) == 0 {
		c.MaxCompactionLagMs = 800
	}
	if d.pick(5) == 0 {
		c.TimestampType = record.LogAppendTime
	}
	compression := ""
	if d.coded { // whatever goes by sizes would differ
		c.IndexIntervalBytes, c.SegmentIndexBytes, c.SegmentBytes, c.MinCleanableDirtyRatio = 0, 4096, 1<<20, 0
		compression = " compression.type=producer"
	}
	d.opts = Options{FS: d.disk, Dir: "t-0", Topic: "t", Config: c, Now: func() int64 { return d.now }, CleanShutdown: true}
	d.openAgain()
	d.note(fmt.Sprintf("case index.interval.bytes=%d segment.index.bytes=%d internal.segment.bytes=%d segment.ms=%d message.timestamp.type=%v retention.ms=-1 "+
		"cleanup.policy=%s delete.retention.ms=%d min.cleanable.dirty.ratio=%g min.compaction.lag.ms=%d max.compaction.lag.ms=%d%s",
		c.IndexIntervalBytes, c.SegmentIndexBytes, c.SegmentBytes, c.SegmentMs, c.TimestampType,
		c.Policy(), c.DeleteRetentionMs, c.MinCleanableDirtyRatio, c.MinCompactionLagMs, c.MaxCompactionLagMs, compression), "")
}

// plain is an answer as it is compared.
func (d *cleanDriver) plain(s string) string {
	if d.coded {
		return withoutSizes(s)
	}
	return s
}

func (d *cleanDriver) step() {
	d.replicated = max(d.replicated, d.log.HighWatermark())
	switch n := d.pick(100); {
	case n < 3 && d.coded:
		d.follow()
	case n < 5:
		d.cut()
	case n < 45:
		d.write()
	case n < 54:
		d.marker()
	case n < 62:
		d.do("roll", d.log.Roll())
	case n < 68:
		d.later()
	case n < 71:
		hw := d.edge(d.log.HighWatermark())
		d.note(fmt.Sprint("hw ", hw), fmt.Sprint(d.log.UpdateHighWatermark(hw)))
	case n < 73:
		d.moveOn()
	case n < 75:
		deleted, err := d.log.DeleteOldSegments()
		d.do("retain", err, deleted)
	case n < 77:
		d.leader++
		d.log.AssignEpoch(d.leader, d.log.LogEndOffset())
		d.note(fmt.Sprint("epoch ", d.leader, " ", d.log.LogEndOffset()), "")
	case n < 80 && !d.coded:
		d.readSomething()
	case n < 93:
		d.pass()
	case n < 95:
		d.reopen()
	case n < 97:
		d.handOver()
	default:
		d.die()
	}
}

// later lets time pass, at times so much that producers are forgotten.
func (d *cleanDriver) later() {
	d.now += int64(d.pick(900))
	day := d.pick(8) == 0
	if day {
		d.now += 24 * 3600 * 1000
	}
	d.note(fmt.Sprint("now ", d.now), "")
	if day {
		d.log.ExpireProducers()
		d.note("expire", "")
	}
}

// write appends keyed records, alone or several in a batch, some of them
// tombstones, of a plain, an idempotent or a transactional producer; then the
// high watermark follows, most times.
func (d *cleanDriver) write() {
	o := record.Defaults()
	if d.pick(2) == 0 {
		o.ProducerID, o.ProducerEpoch, o.BaseSequence = d.producer(), 0, 0
		o.Transactional = d.pick(2) == 0
		if have, ok := d.log.Producer(o.ProducerID); ok {
			o.ProducerEpoch, o.BaseSequence = max(have.Epoch, 0), have.LastSequence()+1
			o.Transactional = o.Transactional || have.TxnFirstOffset != NoTxn
		}
	}
	if d.coded {
		o.Codec = []record.Codec{record.None, record.Gzip, record.Snappy, record.LZ4, record.Zstd}[d.pick(5)]
	}
	b := record.NewBuilder(o)
	for range []int{1, 1, 2, 3, 5}[d.pick(5)] {
		ts := max(d.now-200+int64(d.pick(400)), 0)
		key, value := fmt.Append(nil, "k", d.pick(6)), bytes.Repeat([]byte("v"), d.pick(40))
		if d.pick(4) == 0 {
			value = nil
		}
		var headers []record.Header
		switch d.pick(6) {
		case 0:
			headers = []record.Header{{Key: "h", Value: []byte("x")}, {Key: "n"}}
		case 1:
			headers = []record.Header{{Key: "", Value: []byte{}}}
		}
		if _, err := b.Append(ts, key, value, headers...); err != nil {
			d.t.Fatal(err)
		}
	}
	d.leadBatch(slices.Clone(b.Build()), Client, 0)
	if d.pick(3) > 0 {
		hw := d.log.LogEndOffset()
		d.note(fmt.Sprint("hw ", hw), fmt.Sprint(d.log.UpdateHighWatermark(hw)))
	}
}

// moveOn moves the log's start; unless -clean.below is given, not where a
// transaction was aborted. When all of one lies before the start, but in a segment
// that stays, Kafka's cleaner forgets it: it keeps its data and drops its marker,
// and after a crash the transaction is taken for open.
func (d *cleanDriver) moveOn() {
	for _, s := range d.log.segments {
		if len(s.aborted.entries) > 0 && !*cleanBelow {
			return
		}
	}
	d.moveStart()
}

// cut truncates the log by a few offsets: never below its high watermark, nor
// into what a pass has been over.
func (d *cleanDriver) cut() {
	from := max(d.dirty, d.replicated)
	if n := d.log.LogEndOffset() - from; n > 0 && d.opts.Config.MinCompactionLagMs == 0 {
		offset := from + int64(d.pick(int(n)))
		d.do(fmt.Sprint("truncate ", offset), d.log.TruncateTo(offset))
	}
}

// settle ends the transactions that are open and rolls, so that the cleaner has
// something to do.
func (d *cleanDriver) settle() {
	for _, txn := range d.log.OpenTxns() {
		if have, ok := d.log.Producer(txn.ProducerID); ok && have.TxnFirstOffset != NoTxn {
			kind := []record.ControlType{record.Abort, record.Commit}[d.pick(2)]
			m := record.EndTxnMarker{Type: kind, CoordinatorEpoch: max(have.CoordinatorEpoch, 0)}
			version := int16(2 * d.pick(2))
			d.leadBatch(record.MarkerBatch(0, d.now, -1, txn.ProducerID, have.Epoch+version/2, m), Coordinator, version)
		}
	}
	hw := d.log.LogEndOffset()
	d.note(fmt.Sprint("hw ", hw), fmt.Sprint(d.log.UpdateHighWatermark(hw)))
	d.do("roll", d.log.Roll())
}

// pass is a turn of the cleaner.
func (d *cleanDriver) pass() {
	if d.pick(4) > 0 {
		d.settle()
	}
	line := fmt.Sprint("clean ", d.mapBytes)
	c := d.log.Cleanable(d.dirty)
	if c.Reset {
		d.dirty = c.FirstDirty
	}
	if why, _ := d.log.Refused(c); why != "" {
		d.note(line, "nothing")
		return
	}
	result := fmt.Sprintf("%d-%d %dB clean %dB dirty", c.FirstDirty, c.FirstUncleanable, c.CleanBytes, c.CleanableBytes)
	stats, err := (&Cleaner{Map: NewOffsetMap(d.mapBytes, 0.9)}).Clean(d.log, c)
	if err != nil {
		d.note(line, err.Error())
		return
	}
	d.dirty = stats.EndOffset
	d.note(line, fmt.Sprint(result, " up to ", stats.EndOffset, d.batchText()))
}

// batchText is each batch: its header but for size and checksum, and its records.
func (d *cleanDriver) batchText() string {
	var b strings.Builder
	for _, s := range d.log.segments {
		fmt.Fprintf(&b, " <%d", s.base)
		data, err := s.read(0, int(s.size))
		if err != nil {
			d.t.Fatal(err)
		}
		for rest := []byte(data); len(rest) > 0; {
			batch, err := record.Next(rest)
			if err != nil {
				d.t.Fatal(err)
			}
			rest = rest[len(batch):]
			fmt.Fprintf(&b, " %d-%d %x%x", batch.BaseOffset(), batch.LastOffset(), batch[12:17], batch[21:61])
			list, err := batch.Records()
			if err != nil {
				d.t.Fatal(err)
			}
			for _, r := range list {
				fmt.Fprintf(&b, " %d@%d:%s=%s", r.Offset, r.Timestamp, hexOrNull(r.Key), hexOrNull(r.Value))
				for _, h := range r.Headers {
					fmt.Fprintf(&b, "{%s=%s}", h.Key, hexOrNull(h.Value))
				}
			}
		}
		b.WriteString(">")
	}
	return b.String()
}

func hexOrNull(b []byte) string {
	if b == nil {
		return "null"
	}
	return hex.EncodeToString(b)
}

// handOver closes the log cleanly; Kafka goes on with a copy of its folder.
func (d *cleanDriver) handOver() {
	if err := d.log.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.opts.LogStartOffset, d.opts.RecoveryPoint, d.opts.CleanShutdown = d.log.LogStartOffset(), d.log.RecoveryPoint(), true
	line := fmt.Sprint("adopt ", d.copyFolder(), " ", d.opts.LogStartOffset, " ", d.opts.RecoveryPoint)
	d.openAgain()
	d.note(line, d.fileList(false))
	d.reopen() // Kafka's files after its close are to be ours
}

// die ends the process. What was flushed is not damaged, even where it is
// recovered: a marker that is lost after a pass has made use of it would leave a
// transaction open whose first batch is gone. Half of the time Kafka recovers a
// copy of our folder.
func (d *cleanDriver) die() {
	if err := d.log.Abandon(); err != nil {
		d.t.Fatal(err)
	}
	rp, damage := d.log.RecoveryPoint(), ""
	bases, at := d.log.bases(), d.log.floor(rp)
	if d.pick(2) == 0 && at >= 0 {
		damage = d.damage(bases[at+d.pick(len(bases)-at)])
	}
	if d.pick(3) == 0 {
		rp = int64(d.pick(int(rp) + 1))
	}
	if d.pick(2) == 0 {
		damage = " from=" + d.copyFolder() + " 0"
	}
	d.opts.LogStartOffset, d.opts.RecoveryPoint, d.opts.CleanShutdown = d.log.LogStartOffset(), rp, false
	if d.spoiled {
		return // an offset is wrong, which no checksum covers: Kafka may end the log anywhere
	}
	d.openAgain()
	d.note(fmt.Sprint("kill ", rp, damage), d.fileList(false))
	d.spoiled = d.headless()
	if !d.spoiled && d.pick(2) == 0 {
		d.reopen()
	}
}

// headless tells that a transaction is open whose first batch a pass has removed,
// or that lies before the log's start. Kafka then holds readers back at whatever
// batch comes next.
func (d *cleanDriver) headless() bool {
	for _, txn := range d.log.OpenTxns() {
		list, err := d.log.Batches(txn.FirstOffset, 1)
		if err != nil {
			d.t.Fatal(err)
		}
		if txn.FirstOffset < d.log.LogStartOffset() || len(list) == 0 || list[0].Base != txn.FirstOffset {
			return true
		}
	}
	return false
}

// copyFolder copies the log's folder to a real one.
func (d *cleanDriver) copyFolder() string {
	dir := filepath.Join(d.root, fmt.Sprintf("%d-%d", d.number, d.handed))
	d.handed++
	if err := os.MkdirAll(dir, 0o755); err != nil {
		d.t.Fatal(err)
	}
	content := files(d.t, d.disk, "t-0")
	for _, name := range sortedNames(content) {
		if err := os.WriteFile(filepath.Join(dir, name), content[name], 0o644); err != nil {
			d.t.Fatal(err)
		}
	}
	return dir
}
