package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/client"
)

// sickFolder is something that a broker's start finds in its log directory: of
// t/0 and u/0, whose only replicas are on it.
type sickFolder struct {
	path    string // in broker-1's folder; one that ends in a slash is a folder to make
	content string // "-" removes it
	says    string // of a broker that does not come up: what it complains of; empty if it comes up
	leo     int64  // of t/0; -1 when it is not hosted
	stray   string // how a folder that is set aside begins
}

// What real brokers of Kafka 4.4.0 did with the same folders: some of it they do
// not survive, some of it only a partition does not, some they pass over.
var sickFolders = map[string]sickFolder{
	"recovery points of another version": {"recovery-point-offset-checkpoint", "1\n1\nt 0 12\n", "recovery-point-offset-checkpoint: line 1", 0, ""},
	"recovery points that are none":      {"recovery-point-offset-checkpoint", "garbage\n", "recovery-point-offset-checkpoint: line 1", 0, ""},
	"a recovery point that is no number": {"recovery-point-offset-checkpoint", "0\n1\nt 0 x\n", "", 12, ""},
	"no recovery points":                 {"recovery-point-offset-checkpoint", "-", "", 12, ""},
	"start offsets that are none":        {"log-start-offset-checkpoint", "x\n", "log-start-offset-checkpoint: line 1", 0, ""},
	"a start offset above the end":       {"log-start-offset-checkpoint", "0\n1\nt 0 1000\n", "", 1000, ""},
	"a start offset below 0":             {"log-start-offset-checkpoint", "0\n1\nt 0 -3\n", "", 12, ""},
	"high watermarks that are none":      {"replication-offset-checkpoint", "zzz\n", "replication-offset-checkpoint: line 1", 0, ""},
	"fewer high watermarks than said":    {"replication-offset-checkpoint", "0\n3\nt 0 12\n", "replication-offset-checkpoint: line 2", 0, ""},
	"a high watermark that is no number": {"replication-offset-checkpoint", "0\n1\nt 0 abc\n", "", -1, ""},
	"a high watermark above the end":     {"replication-offset-checkpoint", "0\n1\nt 0 5000\n", "", 12, ""},
	"no high watermarks":                 {"replication-offset-checkpoint", "-", "", 12, ""},
	"only a version":                     {"replication-offset-checkpoint", "0\n", "", 12, ""},
	"lines that end as on Windows":       {"replication-offset-checkpoint", "0\r\n1\r\nt 0 12\r\n", "", 12, ""},
	"a shutdown file with nothing in it": {".kafka_cleanshutdown", "", "", 12, ""},
	"lost+found":                         {"lost+found/", "", "lost+found: a log directory", 0, ""},
	"a hidden folder":                    {".hidden/", "", ".hidden: a log directory", 0, ""},
	"a folder without a number":          {"foo-bar/", "", "foo-bar: a log directory", 0, ""},
	"a deleted folder without an id":     {"zz-0-delete/", "", "zz-0-delete: a log directory", 0, ""},
	"a deleted folder":                   {"zz-0.xyz-delete/", "", "", 12, ""},
	"a file of anybody's":                {"a-0", "hi", "", 12, ""},
	"a folder of an unknown topic":       {"foo-7/", "", "", 12, "foo-7."},
	"a log without a topic id":           {"t-0/partition.metadata", "-", "", 0, "t-0."},
	"a log of an unknown topic id":       {"t-0/partition.metadata", "version: 0\ntopic_id: MKnx0_r0SzeaPLAZhRZpgQ", "", 0, "t-0."},
	"a topic id of zero":                 {"t-0/partition.metadata", "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA", "t-0/partition.metadata: line 2", 0, ""},
	"a topic id that is none":            {"t-0/partition.metadata", "garbage", "t-0/partition.metadata: line 1", 0, ""},
	"epochs that are none":               {"t-0/leader-epoch-checkpoint", "garbage", "t-0/leader-epoch-checkpoint: line 1", 0, ""},
	"epochs below 0":                     {"t-0/leader-epoch-checkpoint", "0\n1\n-1 0\n", "t-0/leader-epoch-checkpoint: line 3", 0, ""},
}

func TestSickFolders(t *testing.T) {
	base := t.TempDir()
	c := inDir(t, base, 1)
	for _, line := range []string{"t", "u"} {
		c.create(line, 1, 1)
		c.produce(line, 12, -1)
	}
	c.create("elsewhere", 3, 1)
	c.tick(70_000)
	other := c.View().Topics
	c.shut()
	for name, sick := range sickFolders {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(base)); err != nil {
				t.Fatal(err)
			}
			sick.infect(t, filepath.Join(dir, "broker-1"))
			c := inDir(t, dir, 1)
			defer c.shut()
			sick.diagnose(t, c, dir)
			if len(c.View().Topics) != len(other) {
				t.Errorf("%d topics, want %d", len(c.View().Topics), len(other))
			}
		})
	}
}

func (s sickFolder) infect(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, s.path)
	var err error
	switch {
	case strings.HasSuffix(s.path, "/"):
		err = os.Mkdir(path, 0o755)
	case s.content == "-":
		err = os.Remove(path)
	default:
		err = os.WriteFile(path, []byte(s.content), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s sickFolder) diagnose(t *testing.T, c *probed, dir string) {
	t.Helper()
	why := strings.Join(c.NotStarted(), "; ")
	if (s.says == "") != (why == "") || !strings.Contains(why, s.says) {
		t.Fatalf("not started: %q, want something about %q", why, s.says)
	}
	if s.says != "" {
		others := 0
		for n := range int32(3) {
			if im := c.partition("elsewhere", n); im.Leader > 1 {
				r := c.do(Produce{client.Produce{Topic: "elsewhere", Partition: n, Count: 1, Acks: -1, TimeoutMs: 30000}}).(Produced)
				if others++; r.Err != nil || r.Parts[0].Err != nil {
					t.Errorf("a broker that has nothing to do with it: %v", r)
				}
			}
		}
		if others != 2 {
			t.Errorf("%d partitions have a leader, want 2", others)
		}
		return
	}
	leo := int64(-1)
	if p := c.replica("t", 0, 1); p != nil {
		leo = p.Log().LogEndOffset()
	}
	if leo != s.leo {
		t.Errorf("t/0 ends at %d, want %d", leo, s.leo)
	}
	names, err := os.ReadDir(filepath.Join(dir, "broker-1"))
	if err != nil {
		t.Fatal(err)
	}
	if set := slices.ContainsFunc(names, func(e os.DirEntry) bool {
		return strings.HasSuffix(e.Name(), "-stray") && s.stray != "" && strings.HasPrefix(e.Name(), s.stray)
	}); set != (s.stray != "") {
		t.Errorf("set aside: %v, want %q", set, s.stray)
	}
}

// The checkpoint of first dirty offsets is read at the cleaner's first look: the
// broker comes up, and halts then.
func TestSickCleanerCheckpoint(t *testing.T) {
	for content, state := range map[string]string{"zz\n": "killed", "0\n1\nt 0 x\n": "running", "0\n1\nt 0 3\n": "running"} {
		dir := t.TempDir()
		c := inDir(t, dir, 1)
		c.create("t", 1, 1)
		c.produce("t", 12, -1)
		c.shut()
		if err := os.WriteFile(filepath.Join(dir, "broker-1", "cleaner-offset-checkpoint"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		c = inDir(t, dir, 1)
		if got := c.nodeState(1); got != "running" {
			t.Errorf("%q: at the start the broker is %s", content, got)
		}
		c.tick(16_000)
		if got := c.nodeState(1); got != state {
			t.Errorf("%q: after the cleaner's first look the broker is %s, want %s", content, got, state)
		}
		c.shut()
	}
}
