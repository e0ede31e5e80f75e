package console_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kafkalab/engine/console"
)

const bytesScript = "topic create t replicas=2 internal.segment.bytes=600 index.interval.bytes=100\n" +
	"produce t count=20 batch=3 key=k{n} value=hello header.source=web\ntick 6s\n"

func TestShowBytes(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"show bytes t/0", []string{
			"t/0 on broker-1: 9 files\n", "  00000000000000000000.index             24 B  offset to byte of the log\n", "log directory of broker-1: ",
			"newest in 00000000000000000012.log:\nbatch 18-19 at byte 278, 113 B  2 records\n  crc over bytes 299-390: stored 0x420dc3f4, computed 0x420dc3f4, right\n",
		}},
		{"show bytes t/0 4", []string{
			"batch 3-5 at byte 136, 136 B", "\n       136     8  baseOffset            int64   3  (of the first record; the leader sets it)\n",
			"\n  record 2\n", "headerValue           bytes   \"web\"\n", "\n     136  00 00 00 00 00 00 00 03 ",
		}},
		{"show bytes t/0@2 file=index segment=0", []string{"t-0/00000000000000000000.index on broker-2  24 B  3 parts\n0  entry 0 at byte 0, 8 B  offset 5 at byte 136\n1  entry 1"}},
		{"show bytes t/0 file=index segment=0 entry=1", []string{
			"entry 1 at byte 8, 8 B  offset 8 at byte 272\n", "         8     4  relative offset       int32   8  (offset 8, the last of a batch)\n",
			"(byte of the .log where that batch begins: 6-8)\n", "\n       8  00 00 00 08 00 00 01 10\n",
		}},
		{"show bytes t/0 file=timeindex segment=0", []string{"entry 0 at byte 0, 12 B  2026-01-01 00:00:00.006 up to offset "}},
		{"show bytes t/0 file=snapshot", []string{"00000000000000000012.snapshot on broker-1  10 B  1 part\n0  head at byte 0, 10 B  0 producers, before offset 12\n", "computed 0x48674bc7, right\n"}},
		{"show bytes t/0 file=replication-offset-checkpoint", []string{"2  line 3 at byte 4, 7 B  t 0 20\n", "  offset                int64   20  (the high watermark, written every 5 s)\n"}},
		{"show bytes t/0 file=meta.properties", []string{"  node.id               text    1  (the broker whose directory this is)\n"}},
		{"show bytes t/0 99", []string{"no batch holds offset 99\n"}},
		{"show bytes t/0 file=txnindex", []string{"t-0 on broker-1 has no .txnindex file\n"}},
		{"show bytes t/0 file=log segment=5", []string{"t-0 on broker-1 has no file 00000000000000000005.log; there is segment=0,12\n"}},
		{"show bytes t/0 file=.kafka_cleanshutdown", []string{"broker-1 has no file .kafka_cleanshutdown\n"}},
		{"show bytes t/0 file=log entry=7", []string{"there is no entry=7: 0 to 2 are there\n"}},
		{"show bytes t/0@3", []string{"error UNKNOWN_TOPIC_OR_PARTITION: there is no replica t/0 on broker-3\n"}},
		{"show bytes u/0", []string{"error UNKNOWN_TOPIC_OR_PARTITION: there is no u/0\n"}},
		{"disk broker-1 flip=t/0:0:100\nshow bytes t/0 0", []string{"computed 0x00bd72fd, WRONG\n  damaged at 17: corrupt record batch: "}},
		{"disk broker-2 torn=200\ncrash broker-2\nshow bytes t/0@2 file=log entry=1", []string{
			"torn batch at byte 139, 61 B", "damaged at 139: truncated record batch: declares 139 bytes, 61 are left\n", "(not to be checked: the batch is not there whole)\n",
		}},
	} {
		status, out, errs := runText(t, bytesScript+tt.line+"\n", console.RunOptions{})
		if status != 0 || errs != "" {
			t.Errorf("%s: exit status %d, %s", tt.line, status, errs)
		}
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in:\n%s", tt.line, want, out)
			}
		}
	}
}

// A line that cannot be read says which word, and what is allowed.
func TestShowBytesRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"show bytes":                                     "show needs a partition or replica, as orders/0 or orders/0@1",
		"show bytes t/x":                                 "t/x is no topic or partition: orders or orders/0 are such",
		"show bytes t/0 x":                               "x is no offset: a whole number is",
		"show bytes t/0 -1":                              "-1 is no offset: a whole number from 0 on is",
		"show bytes t/0 5 6":                             "show: 6 is one word too many",
		"show bytes t/0 5 file=log":                      "show bytes: an offset or file=log, not both",
		"show bytes t/0 file=indx":                       "file=indx: one of log index timeindex txnindex snapshot leader-epoch-checkpoint",
		"show bytes t/0 file=snapshots":                  "did you mean snapshot?",
		"show bytes t/0 segment=4":                       "show bytes: segment= needs file=, one of log index timeindex txnindex snapshot",
		"show bytes t/0 file=meta.properties segment=0":  "show bytes: file=meta.properties is of no segment: segment= is allowed with log index",
		"show bytes t/0 entry=1":                         "show bytes: entry= needs file=",
		"show bytes t/0 file=log entry=-1":               "entry=-1: a whole number from 0 to 2147483647 is allowed",
		"show bytes t/0 file=log segment=-1":             "segment=-1: a whole number from 0 on is allowed",
		"show bytes t/0 fil=log":                         "show has no key fil; it has file segment entry; did you mean file?",
		"show bytes t/0 file=log file=index":             "file is given twice",
		"show bytes t/0 file=log segment=0 segment=0 #x": "segment is given twice",
	} {
		status, _, errs := runText(t, "topic create t\n"+line+"\n", console.RunOptions{})
		if status != 2 || !strings.Contains(errs, "s.lab:2: ") || !strings.Contains(errs, want) {
			t.Errorf("%s: exit status %d, %q, want %q", line, status, errs, want)
		}
	}
}

func TestShowBytesJSON(t *testing.T) {
	_, out, _ := runText(t, bytesScript+"show bytes t/0 19\n", console.RunOptions{JSON: true})
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var got struct {
		Result struct {
			Broker, File string
			Position     int64
			Bytes        []byte
			Parts        []struct {
				At   int64
				Size int
				CRC  struct {
					Stored, Computed uint32
					Right            bool
				}
				Fields []struct {
					Name   string
					At     int64
					Record *int
					Value  string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
		t.Fatal(err)
	}
	r := got.Result
	if r.Broker != "broker-1" || r.File != "t-0/00000000000000000012.log" || r.Position != 278 || len(r.Bytes) != 113 || len(r.Parts) != 1 {
		t.Fatalf("%+v", r)
	}
	p := r.Parts[0]
	if p.At != 278 || p.Size != 113 || !p.CRC.Right || p.CRC.Stored != p.CRC.Computed || p.Fields[0].Name != "baseOffset" || p.Fields[0].At != 278 || p.Fields[0].Record != nil {
		t.Errorf("%+v", p)
	}
	last := p.Fields[len(p.Fields)-1]
	if last.Record == nil || *last.Record != 1 || last.Name != "headerValue" || last.Value != `"web"` {
		t.Errorf("%+v", last)
	}
}
