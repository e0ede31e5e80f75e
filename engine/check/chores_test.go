package check_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kafkalab/engine"
	"kafkalab/engine/check"
	"kafkalab/engine/console"
)

// keeper draws traffic and faults for a cluster whose topics are compacted and
// deleted from, beside what must be found in them.
type keeper struct {
	r      *rand.Rand
	s      *console.Session
	down   int // a broker that is, 0 for none
	full   int // a broker whose disk is, 0 for none
	within bool
	serial int
	newest map[string]int64 // of topic k: newest acknowledged offset of each key
	value  map[string]string
	gone   map[string]bool // keys whose tombstone was written later, and may have been, though it was not acknowledged
	lines  []string
}

func (k *keeper) line() string {
	b := 1 + k.r.IntN(3)
	if k.within { // the cleaner of some broker is in the middle of a pass
		k.within = false
		return k.fault(b)
	}
	switch k.r.IntN(15) {
	case 0, 1, 2, 3, 4:
		k.serial++
		if k.r.IntN(5) == 0 {
			return fmt.Sprintf("produce k key=k%d tombstone acks=all", k.r.IntN(6))
		}
		return fmt.Sprintf("produce k key=k%d value=v%d%s acks=all", k.r.IntN(6), k.serial, strings.Repeat("x", k.r.IntN(200)))
	case 5:
		k.serial++
		return fmt.Sprintf("produce d value=v%d count=%d acks=all", k.serial, 1+k.r.IntN(5))
	case 6:
		return fmt.Sprintf("roll %s/0", []string{"k", "d"}[k.r.IntN(2)])
	case 7:
		return "compact k"
	case 8:
		return "retain d"
	case 9:
		return fmt.Sprintf("tick %ds", 1+k.r.IntN(90))
	case 10:
		return fmt.Sprintf("tick %dms", k.r.IntN(900))
	case 11, 12:
		return k.fault(b)
	case 13:
		k.within = true
		phase := []string{"CleaningBegun", "OffsetMapBuilt", "SegmentsCopied", "SegmentsReplaced"}[k.r.IntN(4)]
		return fmt.Sprintf("until event.%s.partition == k/0 max=20s", phase)
	default:
		return "truncate d/0 before=-1"
	}
}

// fault ends the one that there is, or begins one.
func (k *keeper) fault(b int) string {
	switch {
	case k.full != 0:
		b, k.full = k.full, 0
		k.down = b // it may have halted; a restart puts one that is up through a shutdown
		return fmt.Sprintf("disk broker-%d ok", b)
	case k.down != 0:
		b, k.down = k.down, 0
		return fmt.Sprintf("restart broker-%d", b)
	case k.r.IntN(4) == 0:
		k.full = b
		return fmt.Sprintf("disk broker-%d full", b)
	}
	k.down = b
	end := []string{"kill", "crash", "shutdown"}[k.r.IntN(3)]
	if end == "crash" && !k.held() {
		end = "kill" // a machine that takes the last copy with it is a loss in Kafka too
	}
	return fmt.Sprintf("%s broker-%d", end, b)
}

// held tells whether the ISR of the compacted topic has min.insync.replicas.
func (k *keeper) held() bool {
	v, ok := k.s.Cluster().PartitionView("k", 0)
	return ok && len(v.ISR) >= 2 && v.Leader >= 0
}

// delete.retention.ms is longer than any broker is away: a replica that comes
// back later than that has missed the tombstone as well as what it deletes, and
// keeps the deleted value, in Kafka too.

// TestChoresSimulation has the cleaner and retention run among traffic and
// faults: the newest acknowledged value of every key can be read, a record stays
// at the offset at which it was acknowledged, and a log start never falls.
func TestChoresSimulation(t *testing.T) {
	for i := range max(*seeds/5, 1) {
		seed := *first + uint64(i)
		if script, err := keep(seed); err != nil {
			name := filepath.Join(os.TempDir(), fmt.Sprintf("kafkalab-chores-%d.lab", seed))
			_ = os.WriteFile(name, []byte(script), 0o600)
			t.Fatalf("seed %d: %v\nthe script is in %s", seed, err, name)
		}
	}
}

func keep(seed uint64) (script string, err error) {
	k := &keeper{
		r: rand.New(rand.NewPCG(seed, 11)), s: console.NewSession(console.Options{}), newest: map[string]int64{}, value: map[string]string{}, gone: map[string]bool{},
	}
	var state check.State
	begin := []string{
		fmt.Sprintf("cluster brokers=3 seed=%d", seed),
		"topic create k replicas=3 min.insync.replicas=2 cleanup.policy=compact min.cleanable.dirty.ratio=0.1 delete.retention.ms=3600000 internal.segment.bytes=1500 min.compaction.lag.ms=0",
		"topic create d replicas=3 min.insync.replicas=2 retention.ms=30000 retention.bytes=6000 internal.segment.bytes=1200",
	}
	do := func(line string) error {
		k.lines = append(k.lines, line)
		out, err := k.s.Exec(line)
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		k.note(line, out)
		if err := state.Look(k.s.Cluster()); err != nil {
			return fmt.Errorf("after %s: %w", line, err)
		}
		return nil
	}
	for _, line := range begin {
		if err == nil {
			err = do(line)
		}
	}
	for range 60 {
		if err == nil {
			err = do(k.line())
		}
	}
	for err == nil && (k.full != 0 || k.down != 0) {
		err = do(k.fault(0))
	}
	if err == nil {
		err = do("tick 100s")
	}
	if err == nil {
		err = k.look()
	}
	return strings.Join(k.lines, "\n") + "\n", err
}

// note takes down what was acknowledged on the compacted topic.
func (k *keeper) note(line string, out console.Output) {
	key, isKeyed := strings.CutPrefix(line, "produce k key=")
	key, _, _ = strings.Cut(key, " ")
	if !isKeyed {
		return
	}
	p, ok := out.Result.(engine.Produced)
	if !ok || !p.Answered || p.Err != nil || len(p.Parts) == 0 || p.Parts[0].Err != nil {
		k.gone[key] = k.gone[key] || strings.Contains(line, "tombstone")
		return
	}
	k.newest[key], k.gone[key] = p.Parts[0].Base, false
	if strings.Contains(line, "tombstone") {
		k.value[key] = ""
		return
	}
	_, after, _ := strings.Cut(line, "value=")
	k.value[key], _, _ = strings.Cut(after, " ")
}

// look reads the compacted topic. A record that was written and not
// acknowledged may be there too, behind the one that was.
func (k *keeper) look() error {
	out, err := k.s.Exec("consume k/0 from=earliest")
	if err == nil && out.Err != nil { // a leader that changes just now
		out, err = k.s.Exec("consume k/0 from=earliest")
	}
	if err != nil {
		return err
	}
	if kerr := out.Err; kerr != nil {
		return fmt.Errorf("k/0 cannot be read: %w", kerr)
	}
	at := map[string]int64{}
	for _, r := range out.Result.(engine.Consumed).Records {
		at[*r.Key] = r.Offset
		if acked, ok := k.newest[*r.Key]; ok && r.Offset == acked && (r.Value == nil) != (k.value[*r.Key] == "") {
			return fmt.Errorf("offset %d of k/0, %s: another value than was acknowledged", r.Offset, *r.Key)
		}
	}
	// order: any one that is missing will do
	for key, offset := range k.newest {
		if found, ok := at[key]; (ok || k.value[key] != "" && !k.gone[key]) && found < offset {
			return fmt.Errorf("newest of %s is at %d, found at %d (%v)", key, offset, found, ok)
		}
	}
	return nil
}
