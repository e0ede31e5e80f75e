package storage

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// benchLog is a log on a disk in memory, whose clock stands still.
func benchLog(b *testing.B, change func(*Config)) *Log {
	b.Helper()
	c := testConfig()
	if change != nil {
		change(&c)
	}
	log, err := Open(Options{
		FS: disk.NewMem(func() time.Time { return time.UnixMilli(1000) }), Dir: "t-0", Topic: "t", Config: c,
		Now: func() int64 { return 1000 }, CleanShutdown: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	return log
}

// benchBatch is a batch of about size bytes, of records with values of a size.
func benchBatch(b *testing.B, size, value int, codec record.Codec) record.Batch {
	b.Helper()
	o := record.Defaults()
	o.Codec = codec
	builder := record.NewBuilder(o)
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, value)
	for builder.Size()+value+20 < size {
		for i := range data {
			data[i] = byte('a' + rng.IntN(26))
		}
		if _, err := builder.Append(1000, []byte(fmt.Sprint("key-", builder.Count())), data); err != nil {
			b.Fatal(err)
		}
	}
	return append(record.Batch(nil), builder.Build()...)
}

// keepBytes is how much a benchmark lets a log grow before it empties it.
const keepBytes = 256 << 20

func benchAppend(b *testing.B, batch record.Batch, change func(*Config)) {
	log := benchLog(b, change)
	b.SetBytes(int64(len(batch)))
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		if size += len(batch); size > keepBytes {
			b.StopTimer()
			log, size = benchLog(b, change), 0
			b.StartTimer()
		}
		if _, err := log.AppendAsLeader(batch, 0, Client); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(batch.Count()), "records/op")
}

func BenchmarkAppendLeader16KiB(b *testing.B) {
	for _, value := range []int{100, 1000, 4000} {
		b.Run(fmt.Sprintf("values-of-%d", value), func(b *testing.B) {
			benchAppend(b, benchBatch(b, 16<<10, value, record.None), nil)
		})
	}
}

func BenchmarkAppendLeaderIdempotent16KiB(b *testing.B) {
	o := record.Defaults()
	o.ProducerID, o.ProducerEpoch, o.BaseSequence = 1, 0, 0
	builder := record.NewBuilder(o)
	for range 15 {
		if _, err := builder.Append(1000, []byte("key"), make([]byte, 1060)); err != nil {
			b.Fatal(err)
		}
	}
	batch := append(record.Batch(nil), builder.Build()...)
	log := benchLog(b, nil)
	b.SetBytes(int64(len(batch)))
	b.ReportAllocs()
	size, seq := 0, int32(0)
	for b.Loop() {
		if size += len(batch); size > keepBytes {
			b.StopTimer()
			log, size = benchLog(b, nil), 0
			b.StartTimer()
		}
		batch[53], batch[54], batch[55], batch[56] = byte(seq>>24), byte(seq>>16), byte(seq>>8), byte(seq)
		reseal(batch)
		seq += 15
		if _, err := log.AppendAsLeader(batch, 0, Client); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendFollower1MiB(b *testing.B) {
	batch := benchBatch(b, 16<<10, 1000, record.None)
	log := benchLog(b, nil)
	var all []byte
	for range 64 {
		all = append(all, batch...)
	}
	n := int64(batch.Count())
	b.SetBytes(int64(len(all)))
	b.ReportAllocs()
	size, next := 0, int64(0)
	for b.Loop() {
		if size += len(all); size > keepBytes {
			b.StopTimer()
			log, size, next = benchLog(b, nil), 0, 0
			b.StartTimer()
		}
		for at := 0; at < len(all); at += len(batch) {
			record.Batch(all[at:]).SetBaseOffset(next)
			record.Batch(all[at:]).SetPartitionLeaderEpoch(0)
			next += n
		}
		if _, err := log.AppendAsFollower(all, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendGzip16KiB(b *testing.B) {
	benchAppend(b, benchBatch(b, 64<<10, 1000, record.Gzip), nil)
}

// BenchmarkAppendMemcpy is the yardstick: 16 KiB at a time copied into memory
// that grows by chunks, which is the least that any log in memory must do.
func BenchmarkAppendMemcpy(b *testing.B) {
	src := make([]byte, 16<<10)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var chunks [][]byte
	at, size := 0, 0
	for b.Loop() {
		if size += len(src); size > keepBytes {
			b.StopTimer()
			chunks, at, size = nil, 0, 0
			b.StartTimer()
		}
		if len(chunks) == 0 || at == 1<<16 {
			chunks, at = append(chunks, make([]byte, 1<<16)), 0
		}
		at += copy(chunks[len(chunks)-1][at:], src)
	}
}

// BenchmarkAppendChecksum is what else cannot be left out: CRC-32C of 16 KiB.
func BenchmarkAppendChecksum(b *testing.B) {
	batch := benchBatch(b, 16<<10, 1000, record.None)
	b.SetBytes(int64(len(batch)))
	for b.Loop() {
		if batch.Checksum() != batch.CRC() {
			b.Fatal("checksum")
		}
	}
}

func BenchmarkFetch(b *testing.B) {
	log := benchLog(b, nil)
	batch := benchBatch(b, 16<<10, 1000, record.None)
	for range 4096 {
		if _, err := log.AppendAsLeader(batch, 0, Client); err != nil {
			b.Fatal(err)
		}
	}
	log.UpdateHighWatermark(log.LogEndOffset())
	for _, size := range []int32{16 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			b.SetBytes(int64(size))
			b.ReportAllocs()
			span := log.LogEndOffset() - int64(size)/int64(len(batch))*int64(batch.Count()) - 100
			for b.Loop() {
				info, err := log.Read(rng.Int64N(span), size, log.HighWatermark(), true)
				if err != nil || len(info.Records) < int(size) {
					b.Fatal(len(info.Records), err)
				}
			}
		})
	}
}

// seekLogs are built once: they take seconds.
var seekLogs = map[int]*Log{}

// seekLog has at least n records of 9 bytes, 100 in a batch, in segments of 4
// MiB.
func seekLog(b *testing.B, n int) *Log {
	b.Helper()
	if log := seekLogs[n]; log != nil {
		return log
	}
	log := benchLog(b, func(c *Config) { c.SegmentBytes = 4 << 20 })
	builder := record.NewBuilder(record.Defaults())
	for range 100 {
		if _, err := builder.Append(1000, nil, []byte("v")); err != nil {
			b.Fatal(err)
		}
	}
	batch := append(record.Batch(nil), builder.Build()...)
	batch.SetPartitionLeaderEpoch(0)
	var all []byte
	for log.LogEndOffset() < int64(n) {
		all = all[:0]
		for i := range int64(100) {
			batch.SetBaseOffset(log.LogEndOffset() + i*100)
			all = append(all, batch...)
		}
		if _, err := log.AppendAsFollower(all, 0); err != nil {
			b.Fatal(err)
		}
	}
	seekLogs[n] = log
	return log
}

// sizes of the logs to seek in, in records.
var seekSizes = []int{1e3, 1e4, 1e5, 1e6, 1e7}

// BenchmarkSeek finds random offsets: segment, index entry, batch headers.
func BenchmarkSeek(b *testing.B) {
	for _, n := range seekSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			log := seekLog(b, n)
			rng := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := log.Locate(rng.Int64N(log.LogEndOffset())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSeekIndex is the part of it that touches the index only.
func BenchmarkSeekIndex(b *testing.B) {
	for _, n := range seekSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			log := seekLog(b, n)
			rng := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for b.Loop() {
				offset := rng.Int64N(log.LogEndOffset())
				log.segments[log.floor(offset)].lookup(offset)
			}
		})
	}
}

// BenchmarkSeekOneSegment has all entries in one index of Kafka's default size.
func BenchmarkSeekOneSegment(b *testing.B) {
	log := benchLog(b, nil)
	s := log.active()
	for i := range int32(1310720) {
		s.offsets.entries = append(s.offsets.entries, IndexEntry{(i + 1) * 100, (i + 1) * 800})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		s.lookup(rng.Int64N(131072000))
	}
}

// BenchmarkSeekAccount is Lookup, which tells every step.
func BenchmarkSeekAccount(b *testing.B) {
	log := seekLog(b, 1e6)
	rng := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := log.Lookup(rng.Int64N(log.LogEndOffset())); err != nil {
			b.Fatal(err)
		}
	}
}

// benchFolder is a folder with a log of so many segments of the same size.
func benchFolder(b *testing.B, d disk.FS, segments, segmentBytes int) (Options, *Log) {
	b.Helper()
	o := Options{FS: d, Dir: "t-0", Topic: "t", Config: testConfig(), Now: func() int64 { return 1000 }}
	log, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	batch := benchBatch(b, 16<<10, 1000, record.None)
	for n := range segments {
		for size := 0; size < segmentBytes; size += len(batch) {
			if _, kerr := log.AppendAsLeader(batch, 0, Client); kerr != nil {
				b.Fatal(kerr)
			}
		}
		if n < segments-1 {
			if err := log.Roll(); err != nil {
				b.Fatal(err)
			}
		}
	}
	log.UpdateHighWatermark(log.LogEndOffset())
	return o, log
}

func benchClock() time.Time { return time.UnixMilli(1000) }

// BenchmarkRecovery opens a log of 1 GiB after a kill: each batch is checked
// and the indexes are made again.
func BenchmarkRecovery(b *testing.B) {
	o, log := benchFolder(b, disk.NewMem(benchClock), 16, 64<<20)
	if err := log.Abandon(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(log.Size())
	for b.Loop() {
		if _, err := Open(o); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStart opens a log of 1,000 segments: closed in an orderly way, or
// killed when all but the newest had been synced.
func BenchmarkStart(b *testing.B) {
	for _, c := range []struct {
		name        string
		clean, real bool
	}{{"clean", true, false}, {"killed", false, false}, {"clean in a real folder", true, true}, {"killed in a real folder", false, true}} {
		b.Run(c.name, func(b *testing.B) {
			var d disk.FS = disk.NewMem(benchClock)
			if c.real {
				var err error
				if d, err = disk.NewDir(b.TempDir(), benchClock); err != nil {
					b.Fatal(err)
				}
			}
			o, log := benchFolder(b, d, 1000, 64<<10)
			o.RecoveryPoint, o.CleanShutdown = log.active().base, c.clean
			end := log.Abandon
			if c.clean {
				end = log.Close
			}
			if err := end(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				again, err := Open(o)
				if err != nil || again.LogEndOffset() != log.LogEndOffset() {
					b.Fatal(again, err)
				}
				if err := again.Abandon(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const benchKeys = 1_000_000

// keyedLog is a compacted log of benchKeys keys, each written twice, 100 B a
// record, in closed segments.
func keyedLog(b *testing.B, d disk.FS) *Log {
	b.Helper()
	o := Options{FS: d, Dir: "t-0", Topic: "t", Config: testConfig(), Now: func() int64 { return 1000 }}
	o.Config.Compact, o.Config.Delete, o.Config.SegmentBytes = true, false, 64<<20
	log, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	const batch = 500
	builder := record.NewBuilder(record.Defaults())
	value := make([]byte, 80)
	for n := 0; n < 2*benchKeys; n += batch {
		builder.Reset(record.Defaults())
		for i := range batch {
			if _, err := builder.Append(1000, fmt.Appendf(nil, "key-%08d", (n+i)%benchKeys), value); err != nil {
				b.Fatal(err)
			}
		}
		if _, kerr := log.AppendAsLeader(builder.Build(), 0, Client); kerr != nil {
			b.Fatal(kerr)
		}
	}
	log.UpdateHighWatermark(log.LogEndOffset())
	if err := log.Roll(); err != nil {
		b.Fatal(err)
	}
	return log
}

// BenchmarkCompaction makes a pass over a million keys, with a cleaner that has
// its map's memory from a pass before, as a broker's has. On the real folder B/op
// is what it takes beside the map.
func BenchmarkCompaction(b *testing.B) {
	for _, name := range []string{"in memory", "in a real folder"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			c := &Cleaner{Map: NewOffsetMap(128<<20, 0.9)}
			c.Map.reset(2 * benchKeys)
			for b.Loop() {
				b.StopTimer()
				var d disk.FS = disk.NewMem(benchClock)
				if name == "in a real folder" {
					var err error
					if d, err = disk.NewDir(b.TempDir(), benchClock); err != nil {
						b.Fatal(err)
					}
				}
				log := keyedLog(b, d)
				todo := log.Cleanable(NoOffset)
				b.SetBytes(todo.CleanableBytes)
				b.StartTimer()
				stats, err := c.Clean(log, todo)
				if err != nil || stats.Kept != benchKeys {
					b.Fatal(stats, err)
				}
				b.ReportMetric(float64(c.Map.Bytes())/(1<<20), "map-MiB")
			}
		})
	}
}
