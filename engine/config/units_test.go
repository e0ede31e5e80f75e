package config

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "7": 7, "-1": -1, "+5": 5, "0B": 0, "12B": 12, "4KiB": 4096, "16MiB": 16 << 20, "1GiB": 1 << 30,
		"8589934591GiB": 8589934591 << 30, "9223372036854775807": math.MaxInt64,
	} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("ParseSize(%s) = %d, %v, want %d", s, got, err, want)
		}
	}
	for s, part := range map[string]string{
		"": "digit", "KiB": "digit", "-4KiB": "digit", "4 KiB": "unknown unit", "4kib": "unknown unit", "4KB": "unknown unit",
		"4k": "unknown unit", "1.5MiB": "unknown unit", "4KiBx": "unknown unit", "8589934592GiB": "64 bits",
		"9223372036854775808": "unit is missing", "99999999999999999999B": "64 bits", "٣KiB": "digit",
	} {
		_, err := ParseSize(s)
		if err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), strconv.Quote(s)) {
			t.Errorf("ParseSize(%q): %v, want %q in it", s, err, part)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "0ms": 0, "5ms": 5, "61s": 61_000, "10m": 600_000, "25h": 90_000_000, "8d": 691_200_000, "106751991167d": 106751991167 * 86_400_000,
	} {
		if got, err := ParseDuration(s); err != nil || got != want {
			t.Errorf("ParseDuration(%s) = %d, %v, want %d", s, got, err, want)
		}
	}
	for s, part := range map[string]string{
		"": "digit", "s": "digit", "-1s": "digit", "5": "unit is missing", "5S": "unknown unit", "1w": "unknown unit", "1h30m": "unknown unit",
		"1.5s": "unknown unit", "106751991168d": "64 bits", "5 s": "unknown unit",
	} {
		_, err := ParseDuration(s)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("ParseDuration(%q): %v, want %q in it", s, err, part)
		}
	}
}

func TestNormalize(t *testing.T) {
	for _, c := range []struct {
		scope               Scope
		name, written, want string
	}{
		{Topic, "internal.segment.bytes", "4KiB", "4096"},
		{Topic, "segment.bytes", "007", "007"}, // no unit: Kafka's to read
		{Topic, "segment.ms", "7d", "604800000"},
		{Topic, "segment.ms", "4KiB", "4KiB"},
		{Topic, "segment.bytes", "7d", "7d"},
		{Topic, "segment.bytes", "99999999999GiB", "99999999999GiB"},
		{Topic, "retention.bytes", "-1", "-1"},
		{Topic, "retention.ms", "abc", "abc"},
		{Topic, "retention.ms", "0", "0"},
		{Topic, "flush.messages", "4KiB", "4KiB"},
		{Topic, "cleanup.policy", "7d", "7d"},
		{Broker, "log.retention.hours", "7d", "168"},
		{Broker, "log.retention.minutes", "2h", "120"},
		{Broker, "leader.imbalance.check.interval.seconds", "5m", "300"},
		{Broker, "kafka.metrics.polling.interval.secs", "1m", "60"},
		{Broker, "log.cleaner.io.max.bytes.per.second", "1MiB", "1048576"},
		{Broker, "leader.replication.throttled.rate", "1MiB", "1048576"},
		{Producer, "batch.size", "16KiB", "16384"},
		{Producer, "buffer.memory", "32KiB", "32768"},
		{Producer, "linger.ms", "1s", "1000"},
		{Consumer, "partition.assignment.strategy", "cooperative-sticky", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"},
		{Consumer, "partition.assignment.strategy", "range, foo", "org.apache.kafka.clients.consumer.RangeAssignor, foo"},
		{Consumer, "client.id", "range", "range"},
	} {
		key, ok := Lookup(c.scope, c.name)
		if got, err := Normalize(key, c.written); !ok || err != nil || got != c.want {
			t.Errorf("%s=%s: %q, %v, want %q", c.name, c.written, got, err, c.want)
		}
	}
	hours, _ := Lookup(Broker, "log.roll.hours")
	if got, err := Normalize(hours, "90m"); err == nil || !strings.Contains(err.Error(), "log.roll.hours counts whole hours: 90m is none") {
		t.Errorf("90m of hours: %q, %v", got, err)
	}
}

// TestUnitsMultiply: any number with any unit is the product, or too large.
func TestUnitsMultiply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n")
		u := rapid.SampledFrom(append(sizes, durations...)).Draw(t, "unit")
		parse := ParseDuration
		if u.suffix[len(u.suffix)-1] == 'B' {
			parse = ParseSize
		}
		got, err := parse(strconv.FormatInt(n, 10) + u.suffix)
		fits := n <= math.MaxInt64/u.size
		if fits != (err == nil) || fits && got != n*u.size {
			t.Fatalf("%d%s = %d, %v", n, u.suffix, got, err)
		}
	})
}

func FuzzUnits(f *testing.F) {
	for _, s := range []string{"4KiB", "-1", "61s", "99999999999999999999d", "0x4B", "", "5ms"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseSize(s); err == nil && n < 0 && s[0] != '-' {
			t.Fatalf("%q is %d bytes", s, n)
		}
		if n, err := ParseDuration(s); err == nil && n < 0 {
			t.Fatalf("%q is %d ms", s, n)
		}
		for _, name := range []string{"segment.bytes", "segment.ms", "flush.messages"} {
			key, _ := Lookup(Topic, name)
			once, err := Normalize(key, s)
			if err != nil {
				t.Fatalf("%s=%q: %v", name, s, err)
			}
			if twice, _ := Normalize(key, once); twice != once {
				t.Fatalf("%s=%q: %q, then %q", name, s, once, twice)
			}
		}
	})
}
