package lessons

import (
	"testing"

	"kafkalab/assets"
	"kafkalab/quiz/source"
)

// Each drill that the program carries is broken at first, repaired by its
// solution and by none of the repairs that people try in vain.
func TestDrills(t *testing.T) {
	course, findings := LoadCourse(assets.Course())
	for _, f := range findings {
		t.Fatal(f)
	}
	for _, drill := range course.Drills {
		t.Run(drill.ID, func(t *testing.T) {
			s := brokenCluster(t, drill)
			for n, line := range commandsOf(drill.Solution) {
				if repaired(t, drill, s) {
					t.Fatalf("repaired before line %d of the solution", n+1)
				}
				exec(t, s, line)
			}
			if !repaired(t, drill, s) {
				t.Error("not repaired by the solution")
			}
			if len(drill.Wrong) == 0 {
				t.Error("no wrong repairs")
			}
			for _, wrong := range drill.Wrong {
				s := brokenCluster(t, drill)
				for _, line := range commandsOf(wrong) {
					exec(t, s, line)
					if repaired(t, drill, s) {
						t.Errorf("repaired by %q, in:\n%s", line, wrong.Value)
					}
				}
			}
		})
	}
}

// brokenCluster is what the learner of a drill finds.
func brokenCluster(t *testing.T, d *Drill) Session {
	t.Helper()
	s := Engine()
	for _, script := range []source.Text{d.Setup, d.Symptoms} {
		if _, err := s.Run(script.Value); err != nil {
			t.Fatal(err)
		}
		if repaired(t, d, s) {
			t.Fatal("repaired before anything was done")
		}
	}
	return s
}

func repaired(t *testing.T, d *Drill, s Session) bool {
	t.Helper()
	held, _, err := s.Holds(d.Goal.Value)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func exec(t *testing.T, s Session, line string) {
	t.Helper()
	out, err := s.Exec(line)
	if err != nil || out.Failed != "" {
		t.Fatalf("%s: %v %s", line, err, out.Failed)
	}
}
