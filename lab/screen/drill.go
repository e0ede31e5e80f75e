package screen

import (
	"fmt"
	"slices"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lessons"
)

// Drill is an incident under way: what an on-call person sees of it first, tools
// to look with, and hints that cost something. It is over when the goal holds.
type Drill struct {
	bench
	list  *Drills
	drill *lessons.Drill
	run   *DrillRun
	text  prose
	err   error // the drill's own scripts do not run
}

// drillActions are the keys that a drill offers: Kafka's operations. What they
// act on is chosen in the panel, or typed.
var drillActions = []string{"restart", "resume", "elect", "reassign", "alter", "config", "tick"}

// NewDrill begins a drill on a cluster of its own.
func NewDrill(env *Env, d *lessons.Drill, list *Drills) *Drill {
	s := &Drill{list: list, drill: d}
	s.bench = bench{env: env, words: s.column}
	s.begin()
	return s
}

// begin breaks the cluster, and looks at it as the person on call does.
func (s *Drill) begin() {
	w := newWorld(s.env, allPanels(), drillActions)
	s.world = w
	s.run, s.err = StartDrill(s.drill, w.session)
	if s.alone = s.err != nil; s.alone {
		return
	}
	for i, p := range w.stage.lenses {
		if p.Name() == commandsLens {
			t := newTranscript(func() []console.Output { return slices.Concat(s.run.Symptoms, w.own) })
			t.fromTop = true
			w.stage.lenses[i] = t
		}
	}
	w.stage.open(commandsLens)
	w.stage.look()
	w.travel.stop()
	w.shell.after = s.judge
}

// judge looks after each line whether the goal holds; the past does not count.
func (s *Drill) judge() []Action {
	entries := s.world.shell.entries
	if n := len(entries); s.run.Done || n == 0 || entries[n-1].err != nil || s.world.travel.past() {
		return nil
	}
	s.err = s.run.Judge(entries[len(entries)-1].out.Command)
	if s.alone = s.err != nil; s.alone || !s.run.Done {
		return nil
	}
	return act(Repaired{s.drill.ID, s.run.Deed()})
}

// over tells whether there is nothing left to go on with.
func (s *Drill) over() bool { return s.err != nil || s.run.Done }

// Commands look, repair, and take hints.
func (s *Drill) Commands() Commands {
	var cs Commands
	if s.err == nil && s.typing(&cs) {
		return cs
	}
	if s.err == nil {
		if s.run.Done {
			cs.add(groupLearn, "enter", "other drills", always(Replace{s.list}))
		} else if s.run.Hints < len(s.drill.Hints) {
			cs.add(groupLearn, "H", "hint", func() []Action { s.run.Hint(); return nil })
		}
		s.world.deck.quiet(&cs)
		s.tabs(&cs)
		s.world.lookCommands(&cs)
		s.world.travel.commands(&cs)
	}
	cs.quiet(groupLearn, "R", "start over", func() []Action {
		return act(Show{NewConfirm("The cluster is broken anew, and what you did is gone.", "start over", "stay", Call{s.begin})})
	})
	cs.add(groupEverywhere, "esc", "drills", always(Replace{s.list}))
	s.everywhere(&cs)
	return cs
}

// Draw draws the drill.
func (s *Drill) Draw(r canvas.Region) {
	s.draw(r, s.titleAt(s.drill.Title, canvas.T("drill", theme.Label)), s.Commands())
}

func (s *Drill) column(width int) *column {
	if s.err != nil {
		return &column{head: brokenText(s.err, width)}
	}
	if s.run.Done {
		return s.tell(width)
	}
	c := &column{head: paragraphs(heading(s.drill.Title, width), s.text.lay(s.run.Story, width))}
	for i, h := range s.drill.Hints[:s.run.Hints] {
		c.say(behind(canvas.T(fmt.Sprintf("hint %d  ", i+1), theme.Label), markdown.Render(blanks(h.Value), width-8))...)
	}
	if s.run.Hints > 0 {
		c.say(nil)
	}
	c.say(s.score(width)...)
	s.world.travel.say(c, width)
	st := s.world.stage
	listed := width < flowWidth && st.lenses[st.at].Name() == commandsLens // beside the words
	if n := len(s.world.own); n > 0 && !s.world.travel.past() && !listed {
		c.say(nil)
		c.say(shortened(outputOf(s.world.own[n-1], width))...)
	}
	keys := s.world.deck.flow(width)
	if c.rows()+1+len(keys) <= s.env.H-6 { // else the sheet of keys has them
		c.say(nil)
		c.say(keys...)
	}
	return c
}

// score is what it has taken up to now.
func (s *Drill) score(width int) []canvas.Line {
	line := canvas.T("actions ", theme.Label).Add(fmt.Sprint(s.run.Actions), theme.Strong).Add("   hints ", theme.Label).Add(fmt.Sprint(s.run.Hints), theme.Strong).
		Add(fmt.Sprintf(" of %d", len(s.drill.Hints)), theme.Label)
	return append(line.Wrap(width), canvas.T("since the alert ", theme.Label).Add(s.run.Took(), theme.Strong))
}

// tell is the report.
func (s *Drill) tell(width int) *column {
	c := &column{}
	c.say(canvas.T(string(glyph.Done)+" Repaired", theme.Right|theme.Bold))
	c.say(nil)
	c.say(s.score(width)...)
	if len(s.run.Report) > 0 {
		c.say(nil)
		for _, f := range s.run.Report {
			c.say(hang(canvas.T(f.Label+"  ", theme.Label), canvas.T(f.Value, theme.Strong), width)...)
		}
	}
	lines, actions := s.run.Repair()
	c.say(nil)
	c.say(canvas.T("the shortest repair known: ", theme.Label).Add(plural(actions, "action"), theme.Strong).Wrap(width)...)
	for _, line := range lines {
		c.say(hang(canvas.T(string(glyph.Prompt)+" ", theme.Focus), canvas.T(line, theme.Bright), width)...)
	}
	return c
}
