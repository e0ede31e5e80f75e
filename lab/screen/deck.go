package screen

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
)

// deck is the actions that a page offers: keys for the commands that are given
// most, on what the panel has selected.
type deck struct {
	names []string // of lessons.Actions
	acks  string   // of the next produce; empty for all
	stage *stage
	shell *Console
	all   bool // the panel's own acting keys are told of beside the named actions
	// also is one more key of the page, which stands with the actions where they
	// stand side by side; nil for none, and no key for none now.
	also func() (key, words string)
	rows []int // of the terminal, where the actions were drawn last
}

// perform does what the panel asks for.
func (d *deck) perform(a panel.Action) []Action {
	if run, ok := a.(panel.Run); ok {
		return d.shell.Run(run.Line)
	}
	return nil
}

// click does the action of a row of the terminal.
func (d *deck) click(y int) []Action {
	for i, a := range d.actions() {
		if i < len(d.rows) && d.rows[i] == y {
			return d.do(a)
		}
	}
	return nil
}

// commands lists the keys of the actions.
func (d *deck) commands(cs *Commands) {
	for _, a := range d.actions() {
		if a.panels {
			continue // the panel lists it
		}
		*cs = append(*cs, Command{Binding: keys.Bind(a.key, a.label(a.name)), Group: groupLearn, Do: plain(func() []Action { return d.do(a) })})
	}
}

// quiet lists them in the sheet of keys alone: where the page lists them in
// full.
func (d *deck) quiet(cs *Commands) {
	from := len(*cs)
	d.commands(cs)
	for i := from; i < len(*cs); i++ {
		(*cs)[i].Shown = inSheet
	}
}

// label is what an action is called; an ellipsis tells that there is more to
// type.
func (a action) label(called string) string {
	if a.whole || a.line == "" {
		return called
	}
	return called + " …"
}

func (d *deck) actions() []action {
	main := d.stage.lenses[d.stage.at]
	offered := d.stage.panelKeys()
	list := actionsOf(d.names, main.Cursor(d.stage.modelFor(main)), d.acks, offered)
	list = slices.DeleteFunc(list, func(a action) bool { return !a.panels && pointless(a.line, d.stage.model.View) })
	if d.all {
		list = append(ownActions(list, offered), list...)
	}
	for i := range list {
		if list[i].name == "acks" && !list[i].panels {
			list[i].line, list[i].name = "", "acks: "+d.acksWord()
			list[i].words += ": " + d.acksWord()
		}
	}
	return list
}

// ownActions are the keys of a panel with which it acts, but for those of the
// list.
func ownActions(list []action, offered []key.Binding) []action {
	var own []action
	for _, b := range offered {
		k := b.Keys()[0]
		listed := slices.ContainsFunc(list, func(a action) bool { return a.key == k })
		if len(b.Keys()) == 1 && !listed && (k == "T" || acts(k)) {
			own = append(own, action{key: k, name: b.Help().Desc, words: b.Help().Desc, whole: true, panels: true})
		}
	}
	return own
}

// acts tells that a key is one of an action's.
func acts(k string) bool {
	for _, of := range actionKeys { // order: one of them is enough
		if of == k {
			return true
		}
	}
	return false
}

func (d *deck) acksWord() string {
	if d.acks == "" {
		return "all"
	}
	return d.acks
}

// do runs an action, or opens the console with its beginning.
func (d *deck) do(a action) []Action {
	switch {
	case a.panels:
		acts, _ := d.stage.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(a.key)}, d.perform)
		return acts
	case a.line == "":
		d.acks = map[string]string{"": "1", "1": "0", "0": ""}[d.acks]
		return nil
	case a.whole:
		if risk := d.risk(a.line); risk != "" {
			return act(Show{NewConfirm(risk, a.line, "leave it", Do{func() []Action { return d.shell.Run(a.line) }})})
		}
		return d.shell.Run(a.line)
	}
	d.shell.text.Set(a.line)
	return act(Show{d.shell})
}

// say lists the actions in full: where the learner acts, they are what is
// needed. Compact, or in a narrow terminal, they stand side by side.
func (d *deck) say(c *column, width int, compact bool) {
	if len(c.lines) > 0 {
		c.say(nil)
	}
	d.rows = nil
	if compact || width >= flowWidth {
		c.say(d.flow(width)...)
		return
	}
	c.say(canvas.T("you can", theme.Label))
	list := d.actions()
	d.rows = make([]int, len(list))
	for i, a := range list {
		line := canvas.T(" "+a.key+"  ", theme.Key).Add(cell.Truncate(a.label(a.words), width-4), theme.Text)
		c.over(func(r canvas.Region, y int) {
			_, d.rows[i] = r.Screen(0, y)
			r.PutLine(0, y, line)
		})
	}
	c.say(canvas.T(" :  ", theme.Key).Add("type any command", theme.Text))
}

// flowWidth is the width from which the actions stand side by side: in a narrow
// terminal, where the panel stands below them.
const flowWidth = 60

// flow are the actions side by side, in as many rows as they need.
func (d *deck) flow(width int) []canvas.Line {
	const lead = "you can  "
	line := canvas.T(lead, theme.Label)
	var lines []canvas.Line
	add := func(key, words string) {
		if line.Width()+cell.Width(key)+1+cell.Width(words) > width {
			lines, line = append(lines, line), canvas.T(cell.Spaces(len(lead)), theme.Text)
		}
		line = line.Add(key, theme.Key).Add(" "+words+"   ", theme.Text)
	}
	for _, a := range d.actions() {
		add(a.key, a.label(a.name))
	}
	add(":", "any command")
	if d.also != nil {
		if key, words := d.also(); key != "" {
			add(key, words)
		}
	}
	return append(lines, line)
}
