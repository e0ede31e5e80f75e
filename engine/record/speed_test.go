package record

import (
	"fmt"
	"runtime"
	"testing"
)

// sink values keep the compiler from dropping what is measured.
var (
	sinkInt  int64
	sinkView View
)

// hundred is a batch of 100 records of about 100 bytes each.
func hundred(t testing.TB, codec Codec) Batch {
	opts := Defaults()
	opts.Codec = codec
	b := NewBuilder(opts)
	value := text(100 * 90)
	for i := range int64(100) {
		appendAll(t, b, Record{
			Offset: i, Timestamp: epoch2023 + i, Key: fmt.Appendf(nil, "key-%d", i), Value: value[i*90 : i*90+90],
			Headers: []Header{{"trace", []byte("abc")}},
		})
	}
	return b.Build()
}

func TestNoAllocations(t *testing.T) {
	b := hundred(t, None)
	builder := NewBuilder(Defaults())
	key, value := []byte("key"), text(1000)
	check := func(name string, f func()) {
		t.Helper()
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	check("Next, Valid and the accessors", func() {
		n, err := Next(b)
		if err != nil || n.Valid() != nil {
			t.Fatal(err)
		}
		horizon, _ := n.DeleteHorizon()
		sinkInt = n.LastOffset() + n.NextOffset() + n.BaseTimestamp() + n.MaxTimestamp() + n.ProducerID() + horizon +
			int64(n.LastSequence()) + int64(n.Count()) + int64(n.Codec()) + int64(n.TimestampType()) + int64(len(n.Payload()))
	})
	check("the setters", func() {
		b.SetBaseOffset(7)
		b.SetPartitionLeaderEpoch(2)
		b.SetMaxTimestamp(LogAppendTime, b.MaxTimestamp()+1)
	})
	check("the iterator", func() {
		it := b.Iterator()
		for it.Next() {
			sinkView = it.Record()
		}
		if it.Err() != nil {
			t.Fatal(it.Err())
		}
	})
	check("a builder used again", func() {
		builder.Reset(Defaults())
		builder.Append(1, key, value)
		sinkInt = int64(builder.Build().Size())
	})
}

// Nothing under the engine starts a goroutine, the codecs' libraries included.
func TestNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	in := text(1 << 20)
	for _, codec := range allCodecs {
		packed := compress(nil, codec, 0, in)
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%v: %d goroutines after compression, %d before", codec, n, before)
		}
		if _, err := Decompress(codec, packed, DefaultLimit); err != nil {
			t.Fatal(err)
		}
		Decompress(codec, packed[:len(packed)/2], DefaultLimit)
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%v: %d goroutines after decompression, %d before", codec, n, before)
		}
	}
}

func BenchmarkIterate(b *testing.B) {
	for _, codec := range allCodecs {
		b.Run(codec.String(), func(b *testing.B) {
			batch := hundred(b, codec)
			b.ReportAllocs()
			for b.Loop() {
				it := batch.Iterator()
				for it.Next() {
					sinkView = it.Record()
				}
				if it.Err() != nil {
					b.Fatal(it.Err())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/record")
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, codec := range allCodecs {
		b.Run(codec.String(), func(b *testing.B) {
			views := hundred(b, None)
			opts := Defaults()
			opts.Codec = codec
			builder := NewBuilder(opts)
			b.ReportAllocs()
			for b.Loop() {
				builder.Reset(opts)
				it := views.Iterator()
				for it.Next() {
					v := it.Record()
					builder.AppendAt(v.Offset, v.Timestamp, v.Key, v.Value, nil)
				}
				sinkInt = int64(builder.Build().Size())
			}
		})
	}
}

func BenchmarkValid(b *testing.B) {
	batch := hundred(b, None)
	b.SetBytes(int64(len(batch)))
	for b.Loop() {
		if err := batch.Valid(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	batch := hundred(b, None)
	for b.Loop() {
		n, err := Next(batch)
		if err != nil {
			b.Fatal(err)
		}
		sinkInt = n.NextOffset()
	}
}

func BenchmarkSetMaxTimestamp(b *testing.B) {
	batch := hundred(b, None)
	for b.Loop() {
		batch.SetMaxTimestamp(LogAppendTime, batch.MaxTimestamp()+1)
	}
}
