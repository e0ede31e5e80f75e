//go:build kafka

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"kafkalab/engine/console"
	"kafkalab/engine/dump"
)

// kafkaTool runs one of Apache Kafka's own tools.
func kafkaTool(t *testing.T, name string, args ...string) string {
	t.Helper()
	script := os.Getenv("KAFKALAB_ORACLE")
	if script == "" {
		t.Skip("KAFKALAB_ORACLE does not name a script that runs Kafka's tools")
	}
	cmd := exec.Command(script, append([]string{"tool", name}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 3 {
		t.Skipf("Kafka's tools cannot run here: %s", errs.String())
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", name, err, out, errs.String())
	}
	return string(out)
}

// TestKafkaReadsOurFolders runs every script of engine/testdata on a data dir and
// has Kafka's tool read the files that are left.
func TestKafkaReadsOurFolders(t *testing.T) {
	if os.Getenv("KAFKALAB_ORACLE") == "" {
		t.Skip("KAFKALAB_ORACLE does not name a script that runs Kafka's tools")
	}
	files := ourFiles(t)
	t.Run("dump", func(t *testing.T) { kafkaDumpsOurFiles(t, files) })
	t.Run("sanity", func(t *testing.T) { kafkaFindsOurIndexesSane(t, files) })
	t.Run("metadata", func(t *testing.T) { kafkaReadsOurMetadataLog(t, files) })
}

// ending are the files that end so.
func ending(files []string, endings ...string) (list []string) {
	for _, f := range files {
		if slices.Contains(endings, filepath.Ext(f)) {
			list = append(list, f)
		}
	}
	return list
}

// ourFiles runs the scripts and lists the files.
func ourFiles(t *testing.T) []string {
	t.Helper()
	scripts, err := filepath.Glob("engine/testdata/*.lab")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	var files []string
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nrewind ") || damages.Match(text) {
			continue
		}
		dir := t.TempDir()
		var out, errs bytes.Buffer
		if status := console.RunScript(string(text), console.RunOptions{Name: script, Options: console.Options{DataDir: dir}}, &out, &errs); status != 0 {
			t.Fatalf("%s: exit status %d\n%s%s", script, status, out.String(), errs.String())
		}
		err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !torn(string(text), path) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// damages finds scripts that spoil files on purpose.
var damages = regexp.MustCompile(`(?m)^disk .*(flip|cut|lost)=`)

// kafkaDump runs Kafka's dump tool over many files, some at a time: an argument
// has its limit.
func kafkaDump(t *testing.T, files []string, flags ...string) string {
	t.Helper()
	var out strings.Builder
	for chunk := range slices.Chunk(files, 300) {
		out.WriteString(kafkaTool(t, "dump-log", append(flags, "--files", strings.Join(chunk, ","))...))
	}
	return out.String()
}

// torn tells whether a file is of a broker whose machine has crashed and that was
// not started again: nobody has cut off yet what was half written.
func torn(script, path string) bool {
	for n := range 10 {
		name := fmt.Sprintf("broker-%d", n)
		if strings.Contains(path, string(filepath.Separator)+name+string(filepath.Separator)) {
			return strings.LastIndex(script, "\ncrash "+name) > strings.LastIndex(script, "\nrestart "+name)
		}
	}
	return false
}

// facts picks the lines of a dump that tell what is in a file.
func facts(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for _, prefix := range []string{"baseOffset", "| offset", "offset:", "timestamp:"} {
			if strings.HasPrefix(line, prefix) {
				out = append(out, line)
			}
		}
	}
	return out
}

// Kafka's dump tool accepts every log and index that the lab writes, and says
// of each what our own dump says.
func kafkaDumpsOurFiles(t *testing.T, all []string) {
	for _, kind := range []string{".log", ".index", ".timeindex"} {
		files := ending(all, kind)
		if len(files) < 6 {
			t.Fatalf("%d %s files were written", len(files), kind)
		}
		theirs := kafkaDump(t, files, "--deep-iteration", "--print-data-log")
		var ours bytes.Buffer
		if !dump.Files(&ours, afero.NewOsFs(), files, dump.Options{Records: true}) {
			t.Errorf("our dump finds damage in our own files:\n%s", ours.String())
		}
		got, want := facts(ours.String()), facts(theirs)
		if !slices.Equal(got, want) {
			t.Errorf("%s: our dump has %d lines of facts, Kafka's %d, and they differ", kind, len(got), len(want))
		}
		for _, line := range want {
			if strings.HasPrefix(line, "baseOffset") && !strings.HasSuffix(line, "isvalid: true") {
				t.Errorf("Kafka finds a batch that is not valid: %s", line)
			}
		}
		if kind == ".log" && len(want) == 0 {
			t.Error("Kafka found no batch")
		}
	}
}

// Kafka's sanity check passes for every index that the lab writes.
func kafkaFindsOurIndexesSane(t *testing.T, all []string) {
	files := ending(all, ".index", ".timeindex")
	out := kafkaDump(t, files, "--index-sanity-check")
	for _, f := range files {
		want := f + " passed sanity check."
		if info, err := os.Stat(f); err == nil && info.Size() == 0 && strings.HasSuffix(f, ".index") {
			want = f + " is empty." // what Kafka says of its own, too
		}
		if !strings.Contains(out, want) {
			t.Errorf("Kafka does not say %q", want)
		}
	}
	if strings.Contains(out, "Mismatches") || strings.Contains(out, "not found in") {
		t.Errorf("Kafka complains:\n%s", out)
	}
}

// Kafka reads the records of our metadata log as what they are.
func kafkaReadsOurMetadataLog(t *testing.T, all []string) {
	var logs []string
	for _, f := range ending(all, ".log") {
		if strings.Contains(f, "__cluster_metadata-0") {
			logs = append(logs, f)
		}
	}
	out := kafkaDump(t, logs, "--cluster-metadata-decoder")
	for _, want := range []string{
		`LeaderChange: {"version":0,"leaderId":3001,`, `"FEATURE_LEVEL_RECORD","version":0,"data":{"name":"metadata.version","featureLevel":33}`,
		`"REGISTER_BROKER_RECORD"`, `"BROKER_REGISTRATION_CHANGE_RECORD","version":0,"data":{"brokerId":1,`, `"TOPIC_RECORD","version":0,"data":{"name":"orders"`,
		`"PARTITION_RECORD"`, `"CONFIG_RECORD","version":0,"data":{"resourceType":2,"resourceName":"orders","name":"internal.segment.bytes","value":"110100"}`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("Kafka does not see %s", want)
		}
	}
	if strings.Contains(out, "Error") || strings.Contains(out, "Could not") {
		t.Errorf("Kafka cannot read it:\n%s", out)
	}
}
