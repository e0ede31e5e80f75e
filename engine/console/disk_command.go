package console

import (
	"math"
	"regexp"
	"strconv"

	"kafkalab/engine"
)

const (
	segmentWord = `^([^/@]+)/(\d{1,9}):(\d{1,20})`
	suffixWord  = `\.(log|index|timeindex|txnindex|snapshot)`
	diskWords   = "full, readonly, ok, torn=BYTES, flip=T/P:SEGMENT:BYTE, cut=T/P:SEGMENT.index:BYTES or lost=T/P:SEGMENT.index"
)

// diskFiles are the faults of one file: how their argument reads, and how it is
// said to.
var diskFiles = []struct {
	what, form string
	word       *regexp.Regexp
}{
	{engine.DiskFlip, "T/P:SEGMENT:BYTE is allowed, as orders/0:0:100, or with a file, as orders/0:0.index:4", regexp.MustCompile(segmentWord + `(?:` + suffixWord + `)?:(\d{1,9})$`)},
	{engine.DiskCut, "T/P:SEGMENT, .log, .index, .timeindex, .txnindex or .snapshot, and how many bytes stay is allowed, as orders/0:0.index:7", regexp.MustCompile(segmentWord + suffixWord + `:(\d{1,9})$`)},
	{engine.DiskLost, "T/P:SEGMENT and .log, .index, .timeindex, .txnindex or .snapshot is allowed, as orders/0:0.index", regexp.MustCompile(segmentWord + suffixWord + `()$`)},
}

func parseDisk(a *args) (action, error) {
	id, err := brokerArg(a)
	if err != nil {
		return nil, err
	}
	d := engine.Disk{Broker: id}
	if torn, err := a.size("torn", -1, math.MaxInt64); err != nil {
		return nil, err
	} else if torn >= 0 {
		d.What, d.Bytes = engine.DiskTorn, torn
		return engineAction{d, nil}, nil
	}
	for _, f := range diskFiles {
		s, ok := a.take(f.what)
		if !ok {
			continue
		}
		m := f.word.FindStringSubmatch(s)
		if m == nil {
			return nil, wrong(s, "%s=%s: %s", f.what, s, f.form)
		}
		d.What, d.Replica, d.Suffix = f.what, engine.ReplicaName{Topic: m[1], Partition: number(m[2]), Broker: id}, m[4]
		if d.Suffix == "" {
			d.Suffix = "log"
		}
		d.Segment, _ = strconv.ParseInt(m[3], 10, 64)
		d.Bytes = int64(number(m[5]))
		return engineAction{d, nil}, nil
	}
	d.What, err = a.word(diskWords)
	if err == nil && d.What != engine.DiskFull && d.What != engine.DiskOK && d.What != engine.DiskReadOnly {
		err = wrong(d.What, "disk %s: %s is allowed", d.What, diskWords)
	}
	return engineAction{d, nil}, err
}
