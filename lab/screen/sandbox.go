package screen

import (
	"fmt"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
)

// Sandbox is a cluster to do anything with: any size, all panels, the console.
// It is saved as a script, and opened from one.
type Sandbox struct{ bench }

// sandboxActions are the keys that the sandbox offers.
var sandboxActions = []string{"produce", "consume", "tick", "stall", "resume", "crash", "restart", "acks"}

// mostBrokers is the largest cluster that a digit starts.
const mostBrokers = 9

// NewSandbox makes a sandbox that has no cluster yet.
func NewSandbox(env *Env) *Sandbox {
	s := &Sandbox{bench: bench{env: env}}
	s.words = s.column
	s.reset()
	return s
}

// reset takes the cluster away, with all that was done on it.
func (s *Sandbox) reset() {
	if s.world != nil {
		s.world.visit.Close("")
	}
	s.world = newWorld(s.env, allPanels(), sandboxActions)
	s.world.shell.words = s.fileWords
	s.world.deck.also = s.world.visit.keyWords
	s.head.Top()
}

// Commands choose a cluster, and then act on it.
func (s *Sandbox) Commands() Commands {
	var cs Commands
	if s.typing(&cs) {
		return cs
	}
	if !s.world.begun() {
		cs.add(groupLearn, "1-9", "brokers", nil)
		for n := 1; n <= mostBrokers; n++ {
			cs.silent(s.start(n), fmt.Sprint(n))
		}
		cs.add(groupLearn, "enter", "three of them", s.start(3))
		s.everywhere(&cs)
		return cs
	}
	s.world.deck.quiet(&cs)
	s.world.visit.commands(&cs)
	s.world.travel.commands(&cs)
	cs.quiet(groupLearn, "R", "start over", func() []Action {
		return act(Show{NewConfirm("The cluster goes, and all that was done on it.", "start over", "stay", Call{s.reset})})
	})
	s.tabs(&cs)
	s.world.lookCommands(&cs)
	forkCommand(&cs, s.world.fork, &s.world.travel)
	s.everywhere(&cs)
	return cs
}

// start begins a cluster of n brokers.
func (s *Sandbox) start(n int) func() []Action {
	return func() []Action { return s.world.shell.Run(fmt.Sprintf("cluster brokers=%d", n)) }
}

// Draw draws the sandbox.
func (s *Sandbox) Draw(r canvas.Region) {
	s.draw(r, s.titleAt("Sandbox", nil), s.Commands())
}

func (s *Sandbox) column(width int) *column {
	if !s.world.begun() {
		return s.welcome(width)
	}
	if c := s.tall(width, false); width >= flowWidth || c.rows() <= s.env.H-sandboxFrame {
		return c
	}
	return s.tall(width, true)
}

// sandboxFrame is what the frame takes of the terminal's rows.
const sandboxFrame = 5

// tall is the column, with the actions side by side if it is to be compact.
func (s *Sandbox) tall(width int, compact bool) *column {
	v := s.world.stage.model.View
	c := &column{}
	narrow := width >= flowWidth
	c.say(canvas.T(plural(len(v.Brokers), "broker"), theme.Name).Add(", "+plural(len(v.Topics), "topic"), theme.Label))
	if len(v.Topics) == 0 {
		if !narrow {
			c.say(nil)
		}
		c.say(canvas.T("No topic yet. In the console: ", theme.Muted).Add("topic create orders", theme.Bright).Wrap(width)...)
	}
	s.world.deck.say(c, width, compact)
	s.world.visit.say(c, width, compact || narrow)
	if !narrow {
		c.say(canvas.T(" :save FILE  :open FILE", theme.Label).Truncate(width))
	}
	s.world.travel.say(c, width)
	if n := len(s.world.own); n > 0 && !s.world.travel.past() {
		c.say(nil)
		c.say(shortened(outputOf(s.world.own[n-1], width))...)
	}
	return c
}

// welcome asks for a cluster.
func (s *Sandbox) welcome(width int) *column {
	c := &column{}
	c.say(heading("How many brokers?", width)...)
	c.say(nil)
	c.say(canvas.T("1", theme.Key).Add(" to ", theme.Text).Add("9", theme.Key).Add(" starts a cluster, with Kafka's own defaults.", theme.Text).Wrap(width)...)
	c.say(nil)
	c.say(canvas.T(":", theme.Key).Add(" opens the console. Its first line may say more:", theme.Text).Wrap(width)...)
	c.say(canvas.T("  cluster brokers=3 racks=a,b,c seed=7", theme.Bright).Truncate(width))
	c.say(canvas.T("  open FILE", theme.Bright).Add("   a script, such as one that was saved here", theme.Muted).Truncate(width))
	if n := len(s.world.shell.entries); n > 0 {
		c.say(nil)
		c.say(s.world.shell.entries[n-1].lines(width)...)
	}
	return c
}
