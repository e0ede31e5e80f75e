package screen

import (
	"errors"
	"slices"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/cell"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// DrillRun is a drill under way, whoever shows it: what it has taken up to now,
// and whether it is over.
type DrillRun struct {
	Drill    *lessons.Drill
	Story    string           // Markdown
	Symptoms []console.Output // what the person on call sees first
	Hints    int              // taken
	Actions  int              // lines that changed something
	Done     bool
	Report   []Fact

	session lessons.Session
	begun   int64 // virtual ms
	ended   int64
}

// Fact is one thing that is known of a cluster, with its name.
type Fact struct{ Label, Value string }

// errNoCluster is for a drill whose setup starts none.
var errNoCluster = errors.New("the setup starts no cluster")

// StartDrill breaks a fresh cluster, and looks at it as the person on call
// does. The error is for scripts that cannot be run.
func StartDrill(d *lessons.Drill, s lessons.Session) (*DrillRun, error) {
	run := &DrillRun{Drill: d, session: s}
	_, err := s.Run(d.Setup.Value)
	if err == nil {
		run.Symptoms, err = s.Run(d.Symptoms.Value)
	}
	if err == nil {
		run.Story, err = s.Interpolate(d.Story.Value)
	}
	if err == nil && reader(s) == nil {
		err = errNoCluster
	}
	if err != nil {
		return nil, err
	}
	run.begun = run.now()
	return run, nil
}

func (r *DrillRun) now() int64 { return reader(r.session).View().TimeMs }

// Exec runs a line and judges the cluster after it.
func (r *DrillRun) Exec(line string) (console.Output, error) {
	out, err := r.session.Exec(line)
	if err != nil {
		return out, err
	}
	return out, r.Judge(out.Command)
}

// Judge counts a line that was run, and looks whether the goal holds.
func (r *DrillRun) Judge(line string) error {
	if r.Done {
		return nil
	}
	if changes(line) {
		r.Actions++
	}
	held, _, err := r.session.Holds(r.Drill.Goal.Value)
	if err != nil || !held {
		return err
	}
	r.Done, r.ended = true, r.now()
	for _, l := range r.Drill.Report {
		v, err := r.session.Eval(l.Expr.Value)
		if err != nil {
			return err
		}
		r.Report = append(r.Report, Fact{l.Label.Value, pretty(v.String())})
	}
	return nil
}

// Hint takes the next hint; false when there is none left.
func (r *DrillRun) Hint() (text string, ok bool) {
	if r.Hints >= len(r.Drill.Hints) {
		return "", false
	}
	r.Hints++
	return r.Drill.Hints[r.Hints-1].Value, true
}

// Deed is what a repair took, for the progress file.
func (r *DrillRun) Deed() progress.Repair {
	return progress.Repair{Actions: r.Actions, Hints: r.Hints, TookMs: r.ended - r.begun}
}

// Took is the virtual time since the alert, up to the repair.
func (r *DrillRun) Took() string {
	end := r.ended
	if !r.Done {
		end = r.now()
	}
	took := cell.Clock(end - r.begun)
	if end-r.begun < 60_000 {
		took += " s"
	}
	return took
}

// Repair is the shortest repair known, line by line, and how many actions it
// has.
func (r *DrillRun) Repair() (lines []string, actions int) { return repairOf(r.Drill) }

func repairOf(d *lessons.Drill) (lines []string, actions int) {
	for line := range strings.Lines(d.Solution.Value) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		lines = append(lines, line)
		if changes(line) {
			actions++
		}
	}
	return lines, actions
}

// looks are the commands that change nothing, waits those that let time pass.
var (
	looks = []string{"show", "dump", "print", "expect", "note", "checkpoint", "rewind", "fork", "switch", "consume", "alert"}
	waits = []string{"tick", "settle", "until", "step"}
)

// lookFlags are the flags with which one of Kafka's tools only looks.
var lookFlags = []string{"--describe", "--list", "--status", "--replication", "--verify"}

// changes tells whether a line does something to the cluster.
func changes(line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return false
	}
	if strings.HasPrefix(words[0], "kafka-") {
		return !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(lookFlags, w) })
	}
	return !slices.Contains(looks, words[0]) && !slices.Contains(waits, words[0])
}
