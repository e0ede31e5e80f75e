package storage

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kafkalab/engine/disk"
)

// damageCase is a line of testdata/damage/kafka.txt.
type damageCase struct {
	name, folder  string
	clean         bool
	start, point  int64
	now           int64
	recipe        string
	open, further string // what Kafka did
}

func damageCases(t *testing.T) []damageCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "damage", "kafka.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var list []damageCase
	for line := range strings.Lines(string(data)) {
		column := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		c := damageCase{name: column[0], folder: column[1], recipe: column[3], open: column[4], further: column[5]}
		var stop string
		if _, err := fmt.Sscan(column[2], &stop, &c.start, &c.point, &c.now); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		c.clean, c.now = stop == "clean", c.now+1700000100000
		list = append(list, c)
	}
	return list
}

// damageConfig is what the folders are opened with.
func damageConfig(folder string) Config {
	c := testConfig()
	c.RetentionMs, c.SegmentIndexBytes = -1, 4096
	switch path.Base(folder) {
	case "txn-mixed", "txn-nested":
		c.SegmentMs = 1000000000
	case "roll-time":
		c.SegmentMs = 10000
	case "roll-size":
		c.SegmentBytes, c.IndexIntervalBytes = 10000, 2000
	case "cut-0-before":
		c.SegmentIndexBytes = 240
	case "compact-txn-1-pass1":
		c.SegmentBytes = 450
	}
	return c
}

// TestDamageAsKafka opens damaged folders, and does with the log whatever Kafka's
// own did.
func TestDamageAsKafka(t *testing.T) {
	folders := map[string]map[string][]byte{}
	for _, c := range damageCases(t) {
		t.Run(c.name, func(t *testing.T) {
			if folders[c.folder] == nil {
				folders[c.folder] = golden(t, c.folder)
			}
			now := c.now
			d := disk.NewMem(func() time.Time { return time.UnixMilli(now) })
			put(t, d, "t-0", folders[c.folder])
			for step := range strings.SplitSeq(c.recipe, "; ") {
				if step != "" {
					applyDamage(t, d, strings.Fields(step))
				}
			}
			run := damageRun{opts: Options{
				FS: d, Dir: "t-0", Topic: "t", Config: damageConfig(c.folder), Now: func() int64 { return now },
				CleanShutdown: c.clean, RecoveryPoint: c.point, LogStartOffset: c.start,
			}}
			run.all()
			if run.open != c.open {
				t.Errorf("%s\nis opened as %s\nwant         %s", c.recipe, run.open, c.open)
			} else if got := run.digest(); got != c.further {
				t.Errorf("%s\nis opened as %s\nand then differs from Kafka (%s, want %s):\n%s", c.recipe, run.open, got, c.further, strings.Join(run.lines, "\n"))
			}
		})
	}
}

// applyDamage does one step of a recipe.
func applyDamage(t *testing.T, d disk.FS, step []string) {
	t.Helper()
	file := path.Join("t-0", step[1])
	number := func(i int) int {
		n, err := strconv.Atoi(step[i])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	read := func(name string) []byte {
		data, err := disk.ReadFile(d, path.Join("t-0", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write := func(name string, data []byte) {
		if err := disk.WriteFileAtomic(d, path.Join("t-0", name), data); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	switch step[0] {
	case "flip":
		err = d.Flip(file, int64(number(2)), byte(number(3)))
	case "rm":
		err = d.Remove(file)
	case "dir":
		err = d.Mkdir(file, 0o755)
	case "patch":
		data := bytes.Clone(read(step[1]))
		copy(data[number(2):], damageBytes(t, step[3], nil))
		write(step[1], data)
	case "cut":
		write(step[1], read(step[1])[:number(2)])
	case "put":
		write(step[1], damageBytes(t, step[2], nil))
	case "app":
		have := read(step[1])
		write(step[1], append(bytes.Clone(have), damageBytes(t, step[2], have)...))
	case "copy":
		write(step[2], read(step[1]))
	case "head":
		write(step[2], read(step[1])[:number(3)])
	default:
		t.Fatalf("no such step: %v", step)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func damageBytes(t *testing.T, text string, self []byte) []byte {
	t.Helper()
	if text == "self" {
		return self
	}
	if digits, ok := strings.CutPrefix(text, "x"); ok {
		data, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	what, count, _ := strings.Cut(text, ":")
	n, err := strconv.Atoi(count)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat([]byte{map[string]byte{"zeros": 0, "ones": 0xff}[what]}, n)
}
