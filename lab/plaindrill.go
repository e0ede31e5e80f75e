package lab

import (
	"fmt"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// aside answers the lines of the menu that open no lesson: a drill, a word of
// the glossary, the review. known is false for a line that is none of them.
func (p *plain) aside(line string) (known bool, err error) {
	verb, name, _ := strings.Cut(line, " ")
	name = strings.TrimSpace(name)
	switch verb {
	case "drill":
		for _, d := range p.env.Course.Drills {
			if d.ID == name {
				return true, p.drill(d)
			}
		}
		p.say("drill needs one of: " + strings.Join(p.drills(), " "))
	case "word":
		p.word(name)
	case "review":
		return true, p.review()
	case "practice":
		return true, p.practice()
	case "misconceptions":
		return true, p.beliefs()
	case "repair":
		return true, p.repair(name)
	default:
		return false, nil
	}
	return true, nil
}

func (p *plain) drills() []string {
	var ids []string
	for _, d := range p.env.Course.Drills {
		ids = append(ids, d.ID)
	}
	return ids
}

// word tells a word of the glossary.
func (p *plain) word(name string) {
	t, ok := p.env.Course.Glossary.Find(name)
	if !ok {
		p.say(fmt.Sprintf("%q is not in the glossary.", name))
		return
	}
	p.heading(t.Name)
	p.prose(t.Definition)
	if len(t.SeeAlso) > 0 {
		p.say("see also "+strings.Join(t.SeeAlso, ", "), "")
	}
}

// drill is an incident: its symptoms first, then lines until it is repaired.
func (p *plain) drill(d *lessons.Drill) error {
	run, err := screen.StartDrill(d, p.env.Open())
	if err != nil {
		p.say("This drill does not run: "+err.Error(), "kafkalab check says more.")
		return nil
	}
	p.heading("Drill: " + d.Title)
	p.prose(run.Story)
	for _, out := range run.Symptoms {
		p.output(out)
	}
	p.say("")
	for !run.Done {
		line, err := p.ask(fmt.Sprintf("run LINE, hint (%d left), home", len(d.Hints)-run.Hints))
		if err != nil {
			return err
		}
		command, isRun := strings.CutPrefix(line, "run ")
		switch {
		case line == "home":
			return nil
		case line == "hint":
			if hint, ok := run.Hint(); ok {
				p.prose(hint)
			} else {
				p.say("That was the last one.")
			}
		case isRun:
			out, err := run.Exec(command)
			p.output(out)
			if err != nil {
				p.say("  " + errorWords(err))
			}
		default:
			p.say("run LINE runs a command, as run show cluster; hint gives a hint, which counts; home leaves.")
		}
	}
	p.keep(func(s *progress.Store) { s.Repair(d.ID, run.Deed()) })
	p.repaired(run)
	return nil
}

// repaired is the report of a drill.
func (p *plain) repaired(run *screen.DrillRun) {
	p.say("", fmt.Sprintf("Repaired. actions %d, hints %d, %s after the alert", run.Actions, run.Hints, run.Took()))
	for _, f := range run.Report {
		p.say("  " + f.Label + "  " + f.Value)
	}
	lines, actions := run.Repair()
	p.say("", fmt.Sprintf("the shortest repair known, actions %d:", actions))
	for _, l := range lines {
		p.say("  $ " + l)
	}
	p.say("")
}

func (p *plain) output(out console.Output) {
	p.say("$ " + screen.Spoken(out.Command))
	for _, l := range out.Text {
		p.say("  " + l)
	}
	if out.Failed != "" {
		p.say("  " + out.Failed)
	}
}
