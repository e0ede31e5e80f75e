package console_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/console"
)

// TestScripts runs every script of engine/testdata twice: all its expectations
// hold, and both runs say the same, trace included.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.lab")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d scripts found, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(script), "#") {
				t.Error("a script begins with a sentence of intent")
			}
			if n := strings.Count(string(script), "\nexpect "); n < 3 {
				t.Errorf("%d expectations", n)
			}
			var first, second bytes.Buffer
			for _, out := range []*bytes.Buffer{&first, &second} {
				var errs bytes.Buffer
				status := console.RunScript(string(script), console.RunOptions{Name: filepath.Base(file), Trace: []string{"all"}, JSON: true}, out, &errs)
				if status != console.ExitHeld || errs.Len() > 0 {
					t.Fatalf("exit status %d\n%s", status, errs.String())
				}
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Error("two runs differ")
			}
		})
	}
}

// runText runs a script and gives what it wrote.
func runText(t *testing.T, script string, o console.RunOptions) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	o.Name = "s.lab"
	status = console.RunScript(script, o, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func TestExitStatuses(t *testing.T) {
	for name, row := range map[string]struct {
		script string
		status int
		want   string // in the output or on stderr
	}{
		"held":             {"topic create t\nexpect t/0.hw == 0", 0, "created t: 1 partition, 1 replica, id "},
		"failed":           {"topic create t\nexpect t/0.hw == 5\nexpect t/0.leo == 6", 1, "s.lab:2: expected t/0.hw == 5, got 0\ns.lab:3: expected t/0.leo == 6, got 0\n"},
		"part of an and":   {"topic create t\nexpect t/0.hw == 0 and t/0.leo > 3", 1, "s.lab:2: expected t/0.leo > 3, got 0"},
		"missing is none":  {"expect nosuch/0.hw == none and nosuch.partitions == none", 0, ""},
		"unknown verb":     {"topic create t\nprodcue t", 2, "s.lab:2: prodcue is no command; did you mean produce?"},
		"unknown sub-verb": {"topic craete t", 2, "did you mean create?"},
		"unknown key":      {"produce t cuont=3", 2, "s.lab:1: produce has no key cuont; it has "},
		"nearest key":      {"produce t cuont=3", 2, "did you mean count?"},
		"nearest config":   {"topic create t retention.sm=3", 2, "did you mean retention.ms?"},
		"config of another scope": {
			"topic create t linger.ms=5", 2, "linger.ms is a producer config; topic create takes topic configs"},
		"bad number":      {"produce t count=zero", 2, "count=zero: a whole number from 1 to 10000000 is allowed"},
		"bad duration":    {"tick fast", 2, "fast is no duration"},
		"endless":         {"tick 99999999999d", 2, "at most 36500d"},
		"bad size":        {"produce t size=5KB", 2, "size=5KB: a size from 0 to "},
		"key given twice": {"produce t count=1 count=2", 2, "count is given twice"},
		"word too many":   {"tick 1s 2s", 2, "2s is one word too many"},
		"open quote":      {"produce t value='a", 2, "a quote (') is not closed"},
		"unknown path":    {"expect t/0.hww == 1", 2, "did you mean hw?"},
		"unknown event":   {"expect event.SegmentRoled.reason == size", 2, "did you mean SegmentRolled?"},
		"unknown field":   {"expect event.SegmentRolled.raeson == size", 2, "did you mean reason?"},
		"unknown error":   {"expect error NOT_ENOUGH_REPLICA", 2, "did you mean NOT_ENOUGH_REPLICAS?"},
		"no comparison":   {"expect t/0.hw = 3", 2, "PATH OP VALUE"},
		"cluster comes late": {
			"topic create t\ncluster brokers=2", 2, "s.lab:2: cluster is allowed in the first line only"},
		"too many brokers":  {"cluster brokers=10", 2, "brokers=10: a whole number from 1 to 9 is allowed"},
		"refused by Kafka":  {"topic create t segment.bytes=4KiB\nexpect error INVALID_CONFIG\nexpect last.error == INVALID_CONFIG", 0, "error INVALID_CONFIG: Invalid value 4096 for configuration segment.bytes: Value must be at least 1048576\n"},
		"ok after an error": {"produce t\nexpect error UNKNOWN_TOPIC_OR_PARTITION\ntopic create t\nexpect ok\nexpect last.error == none", 0, ""},
		"ok fails":          {"produce t\nexpect ok", 1, "s.lab:2: expected ok, got UNKNOWN_TOPIC_OR_PARTITION"},
		"until runs out":    {"topic create t\nuntil t/0.hw == 1 max=2s", 1, "s.lab:2: expected t/0.hw == 1, got 0 after 2000 ms"},
		"unknown checkpoint": {
			"checkpoint here\nrewind hree", 2, "s.lab:2: there is no checkpoint hree; did you mean here?"},
		"disagreeing assignment": {"topic create t assignment=1,2 replicas=3", 2, "replicas=3 does not agree with the assignment, which has 2"},
		"broker would not start": {"cluster log.segment.bytes=5", 2, "a broker would not start"},
		"comment and quotes":     {"# a comment\ntopic create t # another\nproduce t key='a # b' value=\"say \\\"hi\\\"\"\nconsume t\nexpect last.values == 'say \"hi\"'\nexpect last.keys == 'a # b'", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := runText(t, row.script, console.RunOptions{})
			if status != row.status {
				t.Errorf("exit status %d, want %d\n%s%s", status, row.status, out, errs)
			}
			where := out
			if status == console.ExitScript {
				where = errs
				if out != "" {
					t.Errorf("a script that cannot be read has run: %q", out)
				}
			}
			if !strings.Contains(where, row.want) {
				t.Errorf("got %q, want %q in it", where, row.want)
			}
		})
	}
}

// Every command and path of the language whose engine is not there says so.
func TestNotAvailableYet(t *testing.T) {
	for _, line := range []string{
		"producer P transactional.id=x", "consumer C group=G topics=a", "poll C", "commit C", "seek C t/0 earliest",
		"txn begin P", "stall controller-1", "kill controller-1", "restart controller-1", "disk controller-1 full",
		"reassign t/0 replicas=1,2,3", "schema register s type=avro schema='{}'",
		"alert list", "show group g", "show group g", "kafka-topics.sh --list", "kafka-consumer-groups --list", "cluster combined=true",
		"expect t/0.elr == 1", "expect t/0.open_txns == 0",
		"expect group:g.state == Stable", "expect consumer:c.paused == none", "expect txn:x.state == none", "expect quorum.leader == 1",
		"expect metric:x == 1",
	} {
		status, _, errs := runText(t, line, console.RunOptions{})
		if status != console.ExitScript || !strings.Contains(errs, "not available yet") {
			t.Errorf("%s: exit status %d, %q", line, status, errs)
		}
	}
}

// The forms of results that the language promises.
func TestResultTexts(t *testing.T) {
	status, out, errs := runText(t, strings.Join([]string{
		"topic create orders partitions=3 replicas=3",
		"tick 900ms",
		"produce orders/0 count=3 key=k value=v header.a=b header.c=d",
		"produce orders/0 acks=1",
		"produce orders/0 wait=false",
		"consume orders/0 from=2 max=1",
		"consume orders/1 from=latest",
		"print orders/0.leo",
		"print count(orders/0.isr) + 1",
		"note anything goes here, even = signs",
		"truncate orders/0 before=1",
	}, "\n"), console.RunOptions{})
	if status != 0 || errs != "" {
		t.Fatalf("exit status %d, %s", status, errs)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	want := []string{
		"created orders: 3 partitions, 3 replicas, id ", "t=0.906s",
		"produced orders/0: offsets 0-2, acks=all, 4 ms", "produced orders/0: offset 3, acks=1, 2 ms",
		"sent orders/0: 1 record, not answered",
		"orders/0 2 CreateTime:1767225600906 key=k value=v headers=a:b,c:d", "1 record, next offset 3, high watermark 5",
		"0 records, next offset 0, high watermark 0",
		"orders/0.leo = 5", "count(orders/0.isr) + 1 = 4", "truncated orders/0: starts at 1",
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), out)
	}
	for i, line := range lines {
		if line != want[i] && !(i == 0 && strings.HasPrefix(line, want[0])) {
			t.Errorf("line %d: %q, want %q", i+1, line, want[i])
		}
	}
}

func TestResultsAsJSON(t *testing.T) {
	status, out, _ := runText(t, strings.Join([]string{
		"topic create t replicas=2",
		"produce t count=2 key=k value=<v>",
		"produce t wait=false",
		"consume t/0 from=1 max=1",
		"tick 1s",
		"print t/0.leo",
		"expect t/0.leo == 4",
		"produce nosuch",
		"checkpoint c",
	}, "\n"), console.RunOptions{JSON: true, Trace: []string{"HighWatermarkMoved"}})
	if status != console.ExitFailed {
		t.Errorf("exit status %d, want 1: one expectation fails", status)
	}
	var got []string
	events := 0
	for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		var o map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%q is no object: %v", line, err)
		}
		if e, ok := o["event"]; ok {
			events++
			if !strings.Contains(string(e), `"kind":"HighWatermarkMoved","partition":"t/0","from":`) {
				t.Errorf("event %s", e)
			}
			continue
		}
		got = append(got, string(o["line"])+" "+string(o["result"])+" "+string(o["error"]))
	}
	if events < 2 {
		t.Errorf("%d trace events between the results", events)
	}
	want := []string{
		`1 {"topic":"t","partitions":1,"replicas":2,"id":`,
		`2 {"parts":[{"partition":"t/0","base":0,"count":2}],"acks":"all","latency_ms":4} null`,
		`3 {"parts":[{"partition":"t/0","count":1}],"acks":"all"} null`,
		`4 {"records":[{"partition":"t/0","offset":1,"timestamp":1767225600006,"timestamp_type":"CreateTime","key":"k","value":"<v>","headers":[]}],`,
		`5 {"time_ms":`,
		`6 {"expr":"t/0.leo","value":"3"} null`,
		`7 {"held":false,"expr":"t/0.leo == 4","got":"3"} null`,
		`8 {"parts":[],"acks":"all","latency_ms":0} {"code":"UNKNOWN_TOPIC_OR_PARTITION","message":""}`,
		`9 {} null`,
	}
	if len(got) != len(want) {
		t.Fatalf("%d results, want %d:\n%s", len(got), len(want), out)
	}
	for i := range got {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("result %d: %s, want %s", i+1, got[i], want[i])
		}
	}
}

// --seed wins over the script's seed=, and another seed draws other ids.
func TestSeedOfTheCommandLineWins(t *testing.T) {
	script := "cluster seed=3\ntopic create t\nprint t.id"
	_, three, _ := runText(t, script, console.RunOptions{})
	_, four, _ := runText(t, script, console.RunOptions{Options: console.Options{Seed: 4, HasSeed: true}})
	_, alsoFour, _ := runText(t, strings.Replace(script, "seed=3", "seed=4", 1), console.RunOptions{})
	if three == four || four != alsoFour {
		t.Errorf("seed 3 %q, --seed 4 %q, seed=4 %q", three, four, alsoFour)
	}
}

func TestRewindOnADataDirIsRefused(t *testing.T) {
	status, _, errs := runText(t, "topic create t\nrewind 1", console.RunOptions{Options: console.Options{DataDir: t.TempDir()}})
	if status != console.ExitScript || !strings.Contains(errs, "s.lab:2: a cluster with a data dir cannot go back") {
		t.Errorf("exit status %d, %q", status, errs)
	}
}

func TestCheckFindsEverything(t *testing.T) {
	bad := console.Check("topic create t\nfoo\n\n# fine\nproduce t x=1\nexpect t/0.hw == 1\n")
	var lines []int
	for _, e := range bad {
		lines = append(lines, e.Line)
	}
	if !slices.Equal(lines, []int{2, 5}) {
		t.Errorf("faults in lines %v, want 2 and 5", lines)
	}
}

func TestInterpolate(t *testing.T) {
	s := console.NewSession(console.Options{})
	if _, err := s.Run("topic create t replicas=3\nproduce t count=4"); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"the log ends at {t/0.leo}, in sync are {t/0.isr}": "the log ends at 4, in sync are 1,2,3",
		"{count(t/0.isr)} of {{3}}":                        "3 of {3}",
		"none of it":                                       "none of it",
	} {
		if got, err := s.Interpolate(text); err != nil || got != want {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"{t/0.hww}", "{t/0.hw", "t/0.hw}"} {
		if got, err := s.Interpolate(text); err == nil {
			t.Errorf("%q becomes %q without an error", text, got)
		}
	}
}

func TestDumpPrintsWhatIsInTheFile(t *testing.T) {
	status, out, errs := runText(t, "topic create t internal.segment.bytes=300 index.interval.bytes=100\nproduce t count=6 key=k{n} value=v batch=1\ndump t/0@1 segment=0 records\ndump t/0@1 segment=0 file=index\ndump t/0@9", console.RunOptions{})
	if status != 0 {
		t.Fatalf("exit status %d, %s", status, errs)
	}
	for _, want := range []string{
		"Dumping t-0/00000000000000000000.log\nLog starting offset: 0\nbaseOffset: 0 lastOffset: 0 count: 1 ",
		"| offset: 1 CreateTime: 1767225600006 keySize: 2 valueSize: 1 sequence: -1 headerKeys: [] key: k1 payload: v\n",
		"Dumping t-0/00000000000000000000.index\noffset: ",
		"error UNKNOWN_TOPIC_OR_PARTITION: there is no replica t/0 on broker-9\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%s", want, out)
		}
	}
}

func TestShow(t *testing.T) {
	status, out, errs := runText(t, "topic create t replicas=2\nproduce t count=3\nshow cluster\nshow topic t\nshow log t/0\nshow index t/0@1\nshow index t/0 2\nshow bytes t/0 1\nshow events\nshow sequence\nshow sequence 1\nshow log nosuch/0", console.RunOptions{})
	if status != 0 {
		t.Fatalf("exit status %d, %s", status, errs)
	}
	for _, want := range []string{
		"t/0  leader 1  epoch 0  replicas 1,2  isr 1,2  start 0  hw 3  leo 3", "00000000000000000000.log  offsets 0 to 3",
		"00000000000000000000.index  0 entries", "target 2: segment 0", "batch 0-2 at byte 0", "Produce v13", "acks=-1 t-0 3 records", "event 1 sent no message", "error UNKNOWN_TOPIC_OR_PARTITION",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%s", want, out)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, line := range []string{"topic create t partitions=3", "expect t/0@1.seek(5).entry == 49:4404 and count(t/0.isr) >= 2", "produce t/0 key='a b' header.x=\"y\\\"\"", "until time > 5 max=3s", "consume t from=time:5"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, script string) { console.Check(script) })
}
