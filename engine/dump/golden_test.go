package dump

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
)

// golden is another root of folders with *.dump.txt beside them, such as all
// those that the files in testdata were taken from.
var golden = flag.String("golden", "testdata/storage", "folders of `ROOT`/*/* to compare with the *.dump.txt beside them")

// toolErrors begin the lines that Kafka's tool, or the shell around it, wrote to
// its error output.
var toolErrors = []string{
	"Non-consecutive offsets in ", "  ", "Found timestamp mismatch in ", "Mismatches in ",
	"The following indexed offsets are not found in ", "Indexed offset: ", "Exception in thread ", "exit status ",
}

// section is what Kafka's tool printed of one file.
type section struct {
	file   string
	lines  []string
	failed bool // the tool ended here with an exception
}

// sectionsOf cuts the output of the tool by files.
func sectionsOf(t *testing.T, name string) []section {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []section
next:
	for l := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
		if file, ok := strings.CutPrefix(l, "Dumping "); ok {
			all = append(all, section{file: file})
		}
		s := &all[len(all)-1]
		for _, prefix := range toolErrors {
			if strings.HasPrefix(l, prefix) {
				s.failed = s.failed || strings.HasPrefix(l, "Exception")
				continue next
			}
		}
		s.lines = append(s.lines, l)
	}
	return all
}

// dumped is what this package prints of a file: lines and damages apart.
func dumped(t *testing.T, fsys afero.Fs, name string, opt Options) (lines, damages []string, ok bool) {
	t.Helper()
	var b bytes.Buffer
	ok = Files(&b, fsys, []string{name}, opt)
	for l := range strings.SplitSeq(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if strings.HasPrefix(l, name+": at ") {
			damages = append(damages, l)
			continue
		}
		lines = append(lines, l)
	}
	if ok != (len(damages) == 0) {
		t.Errorf("%s: ok is %v, damages %q", name, ok, damages)
	}
	return lines, damages, ok
}

// folders finds the folders that have such a text beside them.
func folders(t *testing.T, suffix string) []string {
	t.Helper()
	texts, err := filepath.Glob(filepath.Join(*golden, "*", "*"+suffix))
	if err != nil || len(texts) < 10 {
		t.Fatalf("%d texts of Kafka's tool under %s, %v", len(texts), *golden, err)
	}
	var dirs []string
	for _, text := range texts {
		dirs = append(dirs, strings.TrimSuffix(text, suffix))
	}
	return dirs
}

// TestGolden: every log, index and snapshot of Apache Kafka's folders is told in
// the lines in which Kafka's tool told it.
func TestGolden(t *testing.T) {
	for _, dir := range folders(t, ".dump.txt") {
		fsys := afero.NewBasePathFs(afero.NewOsFs(), dir)
		for _, s := range sectionsOf(t, dir+".dump.txt") {
			t.Run(filepath.Base(dir)+"/"+s.file, func(t *testing.T) {
				want, opt := s.lines, Options{Records: true}
				if filepath.Base(dir) == "transaction_state" {
					// Told with the decoder for that topic, which this package has not.
					want, opt = withoutContents(want), Options{Deep: true}
				}
				got, damages, ok := dumped(t, fsys, s.file, opt)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				torn := strings.HasPrefix(want[len(want)-1], "Found ")
				if ok == (s.failed || torn) {
					t.Errorf("ok is %v, Kafka's tool failed: %v; damages %q", ok, s.failed, damages)
				}
			})
		}
	}
}

func withoutContents(lines []string) []string {
	var cut []string
	for _, l := range lines {
		l, _, _ = strings.Cut(l, " key: ")
		cut = append(cut, l)
	}
	return cut
}

// TestGoldenSanity: the same for the check of indexes.
func TestGoldenSanity(t *testing.T) {
	for _, dir := range folders(t, ".sanity.txt") {
		fsys := afero.NewBasePathFs(afero.NewOsFs(), dir)
		for _, s := range sectionsOf(t, dir+".sanity.txt") {
			t.Run(filepath.Base(dir)+"/"+s.file, func(t *testing.T) {
				got, _, ok := dumped(t, fsys, s.file, Options{IndexSanity: true})
				if diff := cmp.Diff(s.lines, got); diff != "" {
					t.Error(diff)
				}
				if ok == s.failed {
					t.Errorf("ok is %v, Kafka's tool failed: %v", ok, s.failed)
				}
			})
		}
	}
}

// TestUnusual: bytes that are no text, control records, every codec, batches that
// compaction emptied, logs and snapshots of KRaft; as Kafka 4.4.0 told them.
func TestUnusual(t *testing.T) {
	for _, tt := range []struct {
		dir, text string
		opt       Options
	}{
		{"bytes", "bytes.dump.txt", Options{Records: true}},
		{"bytes", "bytes.deep.txt", Options{Deep: true}},
		{"bytes", "bytes.skip.txt", Options{Records: true, SkipMetadata: true}},
		{"bytes", "bytes.plain.txt", Options{}},
		{"kraft", "kraft.dump.txt", Options{Records: true}},
		{"metadata", "metadata.dump.txt", Options{Records: true}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			want, err := os.ReadFile("testdata/special/" + tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for l := range strings.Lines(string(want)) {
				if name, ok := strings.CutPrefix(l, "Dumping "); ok {
					names = append(names, strings.TrimSpace(name))
				}
			}
			var b bytes.Buffer
			fsys := afero.NewBasePathFs(afero.NewOsFs(), "testdata/special/"+tt.dir)
			if !Files(&b, fsys, names, tt.opt) {
				t.Error("damage was found")
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
