package dump

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
)

var checkpointNames = []string{
	"leader-epoch-checkpoint", "recovery-point-offset-checkpoint", "replication-offset-checkpoint",
	"log-start-offset-checkpoint", "cleaner-offset-checkpoint", "partition.metadata", "meta.properties",
	".kafka_cleanshutdown", "quorum-state",
}

// Checkpoints that Apache Kafka wrote are told as their own lines.
func TestCheckpointLines(t *testing.T) {
	seen := map[string]bool{}
	for _, pattern := range []string{"testdata/storage/*/*/*", "testdata/storage/*/*/.kafka*", "testdata/special/metadata/*", "testdata/special/metadata/.kafka*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if k := parseName(file).kind; k < epochsKind {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			seen[filepath.Base(file)] = true
			lines, damages, _ := dumped(t, afero.NewOsFs(), file, Options{})
			want := append([]string{"Dumping " + file}, strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")...)
			if len(data) == 0 {
				want = want[:1]
			}
			if diff := cmp.Diff(want, lines); diff != "" || damages != nil {
				t.Errorf("%s: %s%q", file, diff, damages)
			}
		}
	}
	for _, name := range checkpointNames {
		if !seen[name] {
			t.Errorf("no %s was read", name)
		}
	}
}

func TestCheckpointDamage(t *testing.T) {
	for _, tt := range []struct{ file, data, want string }{
		{"leader-epoch-checkpoint", "0\n2\n1 0\n2 10\n", ""},
		{"leader-epoch-checkpoint", "0\r\n1\r\n1 0", ""},
		{"leader-epoch-checkpoint", "0\n", ""},
		{"leader-epoch-checkpoint", "1\n0\n", `at 0: version "1", 0 is known`},
		{"leader-epoch-checkpoint", "0\nx\n", `at 2: "x" is no number of entries`},
		{"leader-epoch-checkpoint", "0\n-1\n", `at 2: "-1" is no number of entries`},
		{"leader-epoch-checkpoint", "0\n2\n1 0\n", "at 2: 2 entries are declared, 1 are there"},
		{"leader-epoch-checkpoint", "0\n2\n1 0\n2\n", `at 8: "2" is not an epoch and an offset`},
		{"leader-epoch-checkpoint", "0\n1\n9999999999 0\n", `at 4: "9999999999 0" is not an epoch and an offset`},
		{"cleaner-offset-checkpoint", "0\n1\nt 0 5\n", ""},
		{"cleaner-offset-checkpoint", "0\n1\nt 0\n", `at 4: "t 0" is not a topic, a partition and an offset`},
		{"replication-offset-checkpoint.tmp", "0\n1\nt 0 x\n", `at 4: "t 0 x" is not a topic, a partition and an offset`},
		{"meta.properties", "#c\n\n!c\na=b=c\n", ""},
		{"meta.properties", "a=b\nnothing\n", `at 4: "nothing" is not name=value`},
		{"partition.metadata", "version: 0\ntopic_id=x", `at 11: "topic_id=x" is not name: value`},
		{".kafka_cleanshutdown", `{"version":0,"brokerEpoch":13}`, ""},
		{".kafka_cleanshutdown", `{"version":0,]`, "at 13: no JSON object: "},
		{".kafka_cleanshutdown", "", "at 0: no JSON object: "},
		{"quorum-state", "[]", "at 0: no JSON object: "},
	} {
		_, damages, _ := dumped(t, memory(tt.file, []byte(tt.data)), tt.file, Options{})
		switch {
		case tt.want == "" && damages != nil:
			t.Errorf("%s %q: %q", tt.file, tt.data, damages)
		case tt.want != "" && (len(damages) != 1 || !strings.HasPrefix(damages[0], tt.file+": "+tt.want)):
			t.Errorf("%s %q: %q, want %q", tt.file, tt.data, damages, tt.want)
		}
	}
}

func TestCheckpointEntries(t *testing.T) {
	for _, tt := range []struct{ file, data, want string }{
		{"leader-epoch-checkpoint", "0\n1\n1 5\n", `{"file":"leader-epoch-checkpoint","entries":[{"epoch":1,"startOffset":5}]}`},
		{"cleaner-offset-checkpoint", "0\n1\na 2 5\n", `{"file":"cleaner-offset-checkpoint","entries":[{"topic":"a","partition":2,"offset":5}]}`},
		{"partition.metadata", "version: 0\n", `{"file":"partition.metadata","entries":[{"key":"version","value":"0"}]}`},
		{"meta.properties", "#\nnode.id=1\n", `{"file":"meta.properties","entries":[{"key":"node.id","value":"1"}]}`},
		{".kafka_cleanshutdown", `{"version":0,"brokerEpoch":9}`, `{"file":".kafka_cleanshutdown","entries":[{"version":0,"brokerEpoch":9}]}`},
		{
			"leader-epoch-checkpoint", "0\n1\nx\n",
			`{"file":"leader-epoch-checkpoint","entries":[],"damage":[{"at":4,"what":"\"x\" is not an epoch and an offset"}]}`,
		},
	} {
		var b bytes.Buffer
		Bytes(&b, tt.file, []byte(tt.data), Options{JSON: true})
		if diff := cmp.Diff(tt.want+"\n", b.String()); diff != "" {
			t.Error(diff)
		}
		content, err := json.Marshal(ReadBytes(tt.file, []byte(tt.data), Options{}))
		if err != nil || string(content) != tt.want {
			t.Errorf("as a value: %s, %v", content, err)
		}
	}
}
