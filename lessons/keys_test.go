package lessons

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"kafkalab/assets"
	"kafkalab/quiz"
)

// drawn are the numbers of one instance of a check.
type drawn func(name string) int

// answerKeys are the numbers of the course's checks as a teacher would work them
// out, from what the learner is told. The engine has to come to the same, in
// every instance: where it does not, a script meets something that the question
// does not tell of.
var answerKeys = map[string]func(of drawn) int{
	"overview-3": func(of drawn) int { return of("n") - of("d") },
	"overview-6": func(of drawn) int { return of("from") + of("max") },
	"segments-3": func(of drawn) int {
		batches := of("limit") / 150
		return (of("n") + batches - 1) / batches
	},
	"segments-7": func(of drawn) int {
		segments, first := 1, 0
		for _, at := range []int{of("a"), of("a") + of("b")} {
			if at-first > 60 {
				segments, first = segments+1, at
			}
		}
		return segments
	},
	"segments-11": func(of drawn) int { return of("k") / 6 * 6 },
	"seek-2": func(of drawn) int {
		relative, start := of("target")-1000, 0
		for entry := 49; entry <= relative; entry += 40 {
			start = entry / 10 // the batch that ends with the entry's offset
		}
		return relative/10 - start + 1
	},
	"seek-3": func(of drawn) int {
		entries, since := 0, 0
		for range of("n") {
			if since > of("interval") {
				entries, since = entries+1, 0
			}
			since += 1101
		}
		return entries
	},
	"seek-8": func(of drawn) int {
		if of("target")%20 == 19 {
			return 1
		}
		return 2
	},
	"seek-9": func(of drawn) int { return max(of("p"), 3) },
	"crash-1": func(of drawn) int {
		batches := of("seg") / 150
		return (of("n") - 1) / batches * batches
	},
	"crash-3":   func(of drawn) int { return min(of("k"), of("b")/150) },
	"produce-3": func(of drawn) int { return 1 + of("d") + of("d") + 1 },
	"produce-5": func(of drawn) int { return of("n") },
	"acks-2":    func(of drawn) int { return of("rf") - of("min") },
	"acks-4":    func(of drawn) int { return of("n") + of("s") },
	"hw-1":      func(of drawn) int { return of("a") },
	"hw-2":      func(of drawn) int { return of("n") },
	"hw-7":      func(of drawn) int { return of("n") + of("m") },
	"shrink-1":  func(of drawn) int { return (of("s") + 30 + 14) / 15 * 15_000 },
	"shrink-6": func(of drawn) int {
		if of("k") == 1 {
			return 1
		}
		return 0
	},
	"live-2":       func(of drawn) int { return of("n") },
	"compaction-2": func(of drawn) int { return of("k") + of("a") },
	"compaction-7": func(of drawn) int { return of("u") },
	"pass-3":       func(of drawn) int { return of("m") },
	"pass-4":       func(of drawn) int { return of("d") },
	"pass-5": func(of drawn) int {
		if of("h") < 24 {
			return of("k") + 1
		}
		return of("k")
	},
	"clive-2": func(of drawn) int { return of("k") + of("a") },
	"clive-7": func(of drawn) int {
		if of("wait") > of("lag") {
			return of("k")
		}
		return 2 * of("k")
	},
	"sizing-2": func(of drawn) int { return max(of("n")-of("lim")/150, 0) / 10 * 10 },
	"sizing-3": func(of drawn) int {
		switch b, c, d := of("b"), of("c"), of("d"); {
		case d > 60:
			return 4
		case c+d > 60:
			return 3
		case b+c+d > 60:
			return 2
		}
		return 0
	},
}

const drawsOfEach = 40

func TestAnswerKeys(t *testing.T) {
	course, _ := LoadCourse(assets.Course())
	for _, id := range sortedKeys(answerKeys) {
		t.Run(id, func(t *testing.T) {
			q, ok := course.Check(id)
			if !ok {
				t.Fatal("the course has no such check")
			}
			r := rand.New(rand.NewPCG(1, 1))
			seen := map[string]bool{}
			for range drawsOfEach {
				values := q.Vary.Draw(r)
				if seen[values.String()] {
					continue
				}
				seen[values.String()] = true
				in, err := q.Instance(values, nil, quiz.Engine)
				if err != nil {
					t.Fatal(err)
				}
				want := answerKeys[id](func(name string) int {
					n, err := strconv.Atoi(values.Fill("{" + name + "}"))
					if err != nil {
						t.Fatal(err)
					}
					return n
				})
				if got := in.Number.String(); got != strconv.Itoa(want) {
					t.Errorf("with %s the engine says %s, the teacher %d", values, got, want)
				}
			}
		})
	}
}

// Whatever numbers are drawn, a check can be asked: Lint tries a few of them.
func TestInstancesOfChecks(t *testing.T) {
	course, _ := LoadCourse(assets.Course())
	for _, q := range course.Checks() {
		r := rand.New(rand.NewPCG(2, 2))
		for n := 0; n < drawsOfEach && len(q.Vary) > 0; n++ {
			values := q.Vary.Draw(r)
			in, err := q.Instance(values, r, quiz.Engine)
			if err != nil {
				t.Errorf("%s with %s: %v", q.ID, values, err)
				continue
			}
			if len(in.Near) < len(q.Near) {
				t.Errorf("%s with %s: a near miss is right, or the same as another", q.ID, values)
			}
		}
	}
}
