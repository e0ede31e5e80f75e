package storage

import (
	"cmp"
	"crypto/md5"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// damageRun is what is done with a log whose folder is damaged, and what it told,
// in the words of the recorded lines.
type damageRun struct {
	opts  Options
	log   *Log
	open  string   // what Open made of it
	lines []string // of all further steps
}

func (r *damageRun) tell(step, text string) {
	r.lines = append(r.lines, step+" "+strings.TrimSpace(text))
}

func (r *damageRun) digest() string {
	sum := md5.Sum([]byte(strings.Join(r.lines, "\n")))
	return fmt.Sprintf("%x", sum[:4])
}

// failure is an error as Kafka throws it, or as a client is told.
func failure(err error) string {
	if fatal, ok := errors.AsType[*FatalError](err); ok {
		return "ERR " + fatal.Damage.Exception()
	}
	if damage, ok := errors.AsType[*DamageError](err); ok {
		return "ERR " + damage.Exception()
	}
	if refused, ok := errors.AsType[*kerror.Error](err); ok {
		return "ERR " + refused.Code.String()
	}
	return "ERR misuse"
}

// opened opens the log and tells its state.
func (r *damageRun) opened() (string, bool) {
	log, err := Open(r.opts)
	if err != nil {
		return failure(err), false
	}
	r.log = log
	return logState(log), true
}

func (r *damageRun) all() {
	var ok bool
	r.open, ok = r.opened()
	r.tell("files", r.files(false))
	if !ok {
		return
	}
	r.read()
	r.change()
	if err := r.log.Close(); err != nil {
		r.tell("close", failure(err))
		return
	}
	r.tell("close", r.files(true))
	r.opts.RecoveryPoint, r.opts.LogStartOffset, r.opts.CleanShutdown = r.log.RecoveryPoint(), r.log.LogStartOffset(), true
	text, ok := r.opened()
	r.tell("reopen", text)
	if !ok {
		return
	}
	_ = r.log.Abandon()
	r.opts.RecoveryPoint, r.opts.CleanShutdown = 0, false
	text, _ = r.opened()
	r.tell("kill", text)
	r.tell("files2", r.files(false))
	_ = r.log.Abandon()
}

// read looks at everything in the log.
func (r *damageRun) read() {
	l := r.log
	end, start := l.LogEndOffset(), l.LogStartOffset()
	hw := l.UpdateHighWatermark(end)
	r.tell("hw", fmt.Sprint(hw, " lso ", l.LastStableOffset()))
	for offset := max(0, start); offset <= end && offset < start+40; offset++ {
		r.tell(fmt.Sprint("read", offset), r.fetch(offset))
	}
	for _, ts := range []int64{0, 110, 121, 1000, 1700000000000, 1700000005000, 1700000030000} {
		text := "none"
		if found, err := l.LookupTimestamp(ts); err != nil {
			text = failure(err)
		} else if found.Found {
			text = fmt.Sprintf("%d at %d", found.Timestamp, found.Offset)
		}
		r.tell(fmt.Sprint("ts", ts), text)
	}
	for e := range int32(6) {
		text := "none"
		if epoch, offset := l.EndOffsetFor(e); epoch != NoEpoch {
			text = fmt.Sprintf("%d@%d", epoch, offset)
		}
		r.tell(fmt.Sprint("endfor", e), text)
	}
}

func (r *damageRun) fetch(offset int64) string {
	limit := r.log.LastStableOffset()
	info, err := r.log.Read(offset, 1<<20, limit, true)
	if err != nil {
		return failure(err)
	}
	text := fmt.Sprintf("%d in %d at %d %dB", info.Offset, info.Segment, info.Position, len(info.Records))
	if offset < limit {
		for _, a := range r.log.CollectAborted(offset, info) {
			text += fmt.Sprintf(" a%d/%d", a.ProducerID, a.FirstOffset)
		}
	}
	return text
}

// damageRecord is the batch that is appended: value "v" at 1700000000000.
var damageRecord = unhexBatch("00000000000000000000003affffffff02e99b8dd80000000000000000018bcfe568000000018bcfe56800ffffffffffffffffffffffffffff0000000110000000026b027600")

func unhexBatch(digits string) record.Batch {
	var b record.Batch
	if _, err := fmt.Sscanf(digits, "%x", &b); err != nil {
		panic(err)
	}
	return b
}

// change writes to the log.
func (r *damageRun) change() {
	info, refused := r.log.AppendWith(slices.Clone(damageRecord), 99, AppendOptions{Origin: Client})
	if refused != nil {
		r.tell("append", failure(refused))
	} else {
		r.tell("append", fmt.Sprintf("%d-%d %s", info.FirstOffset, info.LastOffset, logState(r.log)))
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"truncate", func() error { return r.log.TruncateTo(r.log.LogEndOffset() - 1) }},
		{"roll", func() error { return r.log.Roll() }},
	} {
		if err := step.do(); err != nil {
			r.tell(step.name, failure(err))
		} else {
			r.tell(step.name, logState(r.log))
		}
	}
}

// files lists the folder.
func (r *damageRun) files(contents bool) string {
	names, _ := disk.Names(r.opts.FS, "t-0")
	for i, name := range names {
		file := path.Join("t-0", name)
		info, err := r.opts.FS.Stat(file)
		if !contents || err != nil || info.IsDir() || strings.HasSuffix(name, deletedSuffix) {
			continue
		}
		data, _ := disk.ReadFile(r.opts.FS, file)
		sum := md5.Sum(data)
		names[i] += fmt.Sprintf("=%d:%x", len(data), sum[:4])
	}
	return strings.Join(names, " ")
}

// logState is a log in one line.
func logState(l *Log) string {
	var b strings.Builder
	fmt.Fprintf(&b, "leo=%d hw=%d lso=%d start=%d rp=%d", l.LogEndOffset(), l.HighWatermark(), l.LastStableOffset(), l.LogStartOffset(), l.RecoveryPoint())
	for _, s := range l.segments {
		fmt.Fprintf(&b, " [%d %dB", s.base, s.size)
		for _, e := range s.offsets.entries[:min(40, len(s.offsets.entries))] {
			fmt.Fprintf(&b, " %d:%d", s.base+int64(e.Relative), e.Position)
		}
		for _, e := range s.times.entries[:min(40, len(s.times.entries))] {
			fmt.Fprintf(&b, " %d@%d", e.Timestamp, s.base+int64(e.Relative))
		}
		for _, a := range s.aborted.entries {
			fmt.Fprintf(&b, " a%d/%d/%d/%d", a.ProducerID, a.FirstOffset, a.LastOffset, a.LastStableOffset)
		}
		b.WriteString("]")
	}
	for _, e := range l.Epochs() {
		fmt.Fprintf(&b, " e%d@%d", e.Epoch, e.Start)
	}
	list := l.Producers()
	slices.SortFunc(list, func(a, b ProducerState) int { return cmp.Compare(a.ID, b.ID) })
	for _, p := range list {
		fmt.Fprintf(&b, " p%d/%d/%d/%d/%d/%d", p.ID, p.Epoch, p.LastSequence(), p.LastTimestamp, p.CoordinatorEpoch, p.TxnFirstOffset)
	}
	return b.String()
}
