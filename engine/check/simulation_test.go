package check_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kafkalab/engine"
	"kafkalab/engine/check"
	"kafkalab/engine/console"
	"kafkalab/engine/trace"
)

var (
	seeds = flag.Int("seeds", 500, "how many simulations to run")
	first = flag.Uint64("first-seed", 1, "the seed of the first")
)

// world draws commands and faults for one simulation. At most one broker is
// ever down without having been told, so that with min.insync.replicas=2 no
// acknowledged record may be lost.
type world struct {
	r       *rand.Rand
	brokers int
	down    map[int]bool
	stalled map[int]bool
	cut     bool // some link is
	serial  int
	held    func() bool             // whether every ISR has min.insync.replicas
	crashed map[string]map[int]bool // by partition: whose machine crashed, until it is in a whole ISR again
}

// forgive takes back what is asked of a partition whose ISR fell below
// min.insync.replicas to a member whose machine had crashed: when the others
// are cut off meanwhile, the last one standing is elected, with what its disk
// has kept (the case that KIP-966's eligible leader replicas are for).
func (w *world) forgive(events []trace.Event, acked map[string]bool) {
	for _, e := range events {
		c, ok := e.Body.(trace.IsrChanged)
		if !ok {
			continue
		}
		for _, id := range c.Isr {
			b := int(id)
			switch {
			case !w.crashed[c.Partition][b]:
			case len(c.Isr) >= 2 && !w.down[b]:
				delete(w.crashed[c.Partition], b)
			case len(c.Isr) < 2:
				// order: each on its own
				for key := range acked {
					if strings.HasSuffix(key, "@"+c.Partition) {
						delete(acked, key)
					}
				}
			}
		}
	}
}

func (w *world) broker() int { return 1 + w.r.IntN(w.brokers) }

func (w *world) line() string {
	b := w.broker()
	switch w.r.IntN(16) {
	case 0, 1, 2, 3:
		w.serial++
		acks := []string{"all", "all", "1"}[w.r.IntN(3)]
		return fmt.Sprintf("produce t/%d key=%s-%d value=v count=%d acks=%s wait=%v", w.r.IntN(2), acks, w.serial, 1+w.r.IntN(4), acks, w.r.IntN(4) > 0)
	case 4, 5:
		return fmt.Sprintf("tick %dms", w.r.IntN(1500))
	case 6:
		return fmt.Sprintf("tick %ds", 1+w.r.IntN(40))
	case 7, 8:
		if w.stalled[b] || w.down[b] {
			return w.repair(b)
		}
		w.stalled[b] = true
		return fmt.Sprintf("stall broker-%d", b)
	case 9, 10:
		if len(w.down) > 0 {
			return w.repairAny()
		}
		if w.cut {
			return w.heal() // what parts or starts has to reach the controller
		}
		w.down[b] = true
		delete(w.stalled, b)
		end := []string{"kill", "crash", "shutdown"}[w.r.IntN(3)]
		if end == "crash" && !w.held() {
			end = "kill" // a machine that takes the last copy with it is a loss in Kafka too
		}
		return fmt.Sprintf("%s broker-%d", end, b)
	case 11:
		w.cut = true
		return fmt.Sprintf("cut broker-%d %s", b, w.other(b))
	case 12:
		return fmt.Sprintf("slow broker-%d %s %dms", b, w.other(b), 1+w.r.IntN(60))
	case 13:
		return w.heal()
	case 14:
		return w.repairAny()
	default:
		return fmt.Sprintf("consume t/%d from=earliest", w.r.IntN(2))
	}
}

func (w *world) other(b int) string {
	if n := w.broker(); n != b {
		return fmt.Sprintf("broker-%d", n)
	}
	return "controller-1"
}

func (w *world) repair(b int) string {
	switch {
	case w.cut:
		return w.heal()
	case w.down[b]:
		delete(w.down, b)
		return fmt.Sprintf("restart broker-%d", b)
	case w.stalled[b]:
		delete(w.stalled, b)
		return fmt.Sprintf("resume broker-%d", b)
	}
	return w.heal()
}

func (w *world) heal() string {
	w.cut = false
	return "heal"
}

func (w *world) repairAny() string {
	for b := 1; b <= w.brokers; b++ {
		if w.down[b] || w.stalled[b] {
			return w.repair(b)
		}
	}
	return w.heal()
}

// TestSimulation runs random traffic and faults over three to five brokers and
// holds after each command what must hold always; when the faults have ended,
// the ISR is whole, the replicas agree, and what was acknowledged with acks=all
// is there.
func TestSimulation(t *testing.T) {
	failed := 0
	for i := range *seeds {
		seed := *first + uint64(i)
		if script, err := simulate(seed); err != nil {
			failed++
			name := filepath.Join(os.TempDir(), fmt.Sprintf("kafkalab-seed-%d.lab", seed))
			_ = os.WriteFile(name, []byte(script), 0o600)
			t.Errorf("seed %d: %v\nthe script is in %s", seed, err, name)
		}
		if failed > 4 {
			t.Fatal("and so on")
		}
	}
}

func simulate(seed uint64) (script string, err error) {
	w := &world{crashed: map[string]map[int]bool{"t/0": {}, "t/1": {}}, r: rand.New(rand.NewPCG(seed, 7)), down: map[int]bool{}, stalled: map[int]bool{}}
	w.brokers = 3 + w.r.IntN(3)
	s := console.NewSession(console.Options{})
	w.held = func() bool {
		for p := range int32(2) {
			if v, _ := s.Cluster().PartitionView("t", p); len(v.ISR) < 2 || v.Leader < 0 {
				return false
			}
		}
		return true
	}
	var state check.State
	acked := map[string]bool{}
	var lines []string
	do := func(line string) error {
		lines = append(lines, line)
		var b int
		if n, _ := fmt.Sscanf(line, "crash broker-%d", &b); n == 1 {
			w.crashed["t/0"][b], w.crashed["t/1"][b] = true, true
		}
		out, err := s.Exec(line)
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		if p, ok := out.Result.(engine.Produced); ok && p.Answered && p.Err == nil && p.Acks == "all" {
			acked[strings.TrimPrefix(strings.Fields(line)[2], "key=")+"@"+strings.Fields(line)[1]] = true
		}
		w.forgive(out.Events, acked)
		if err := state.Look(s.Cluster()); err != nil {
			return fmt.Errorf("after %s: %w", line, err)
		}
		return nil
	}
	err = do(fmt.Sprintf("cluster brokers=%d seed=%d", w.brokers, seed))
	if err == nil {
		err = do("topic create t partitions=2 replicas=3 min.insync.replicas=2")
	}
	for range 25 {
		if err == nil {
			err = do(w.line())
		}
	}
	for b := 1; b <= w.brokers && err == nil; b++ {
		if b == 1 {
			err = do(w.heal())
		}
		for err == nil && (w.down[b] || w.stalled[b]) {
			err = do(w.repair(b))
		}
	}
	if err == nil {
		err = do("tick 100s")
	}
	if err == nil {
		err = whole(s, acked)
	}
	return strings.Join(lines, "\n") + "\n", err
}

// whole holds a cluster without faults against what it must have come to.
func whole(s *console.Session, acked map[string]bool) error {
	for p := range 2 {
		name := fmt.Sprintf("t/%d", p)
		v, _ := s.Cluster().PartitionView("t", int32(p))
		if len(v.ISR) != 3 || v.HW != v.LEO {
			return fmt.Errorf("%s is not whole a while after the faults: ISR %v, HW %d, LEO %d", name, v.ISR, v.HW, v.LEO)
		}
		want := ""
		for _, r := range v.Logs {
			got := contents(s.Cluster(), engine.ReplicaName{Topic: "t", Partition: int32(p), Broker: r.Broker})
			if want == "" {
				want = got
			}
			if got != want {
				return fmt.Errorf("%s: broker-%d holds other bytes than broker-%d", name, r.Broker, v.Logs[0].Broker)
			}
		}
		out, err := s.Exec("consume " + name + " from=earliest")
		if err != nil {
			return err
		}
		have := map[string]bool{}
		for _, r := range out.Result.(engine.Consumed).Records {
			have[*r.Key+"@"+name] = true
		}
		// order: any one that is missing will do
		for key := range acked {
			if strings.HasSuffix(key, "@"+name) && !have[key] {
				return fmt.Errorf("%s was acknowledged with acks=all and is gone", key)
			}
		}
	}
	return nil
}

// contents are the bytes of all batches of a replica.
func contents(c *engine.Cluster, r engine.ReplicaName) string {
	var b strings.Builder
	for _, batch := range c.Batches(r, 0, 1<<20) {
		data, _, ok := c.BatchBytes(r, batch.Base)
		if !ok {
			return fmt.Sprintf("unreadable at %d", batch.Base)
		}
		b.Write(data)
	}
	return b.String()
}
