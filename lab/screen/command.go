package screen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// Groups of the sheet of keys.
const (
	groupLearn      = "Learn"
	groupMove       = "Move"
	groupLook       = "Look closer"
	groupTime       = "Through time"
	groupPanel      = "In the panel"
	groupType       = "While you type"
	groupEverywhere = "Everywhere"
)

// Command is a key that works now, and what it does.
type Command struct {
	key.Binding
	Group string // its heading in the sheet of keys
	Shown shown
	// Do performs it; nil for a key that the screen's field or list takes, and
	// that is listed to be known.
	Do func(k tea.KeyMsg) []Action
}

// shown is where a command is told of.
type shown int

const (
	everywhere shown = iota // in the key line and in the sheet of keys
	inSheet
	inLine  // for what the sheet tells key by key
	nowhere // for what another command tells together with its like
)

// Commands are the keys that work now, the most important first.
type Commands []Command

// add lists a command. Shown is what the key line calls the key; names are
// bubbletea's names of it, where those differ.
func (c *Commands) add(group, shown, desc string, do func() []Action, names ...string) {
	*c = append(*c, Command{Binding: keys.Bind(shown, desc, names...), Group: group, Do: plain(do)})
}

// quiet lists a command that is in the sheet of keys alone.
func (c *Commands) quiet(group, shown, desc string, do func() []Action, names ...string) {
	c.add(group, shown, desc, do, names...)
	(*c)[len(*c)-1].Shown = inSheet
}

// line tells in the key line, in short, of several keys that are in the sheet
// one by one.
func (c *Commands) line(shown, desc string) {
	*c = append(*c, Command{Binding: keys.Bind(shown, desc), Shown: inLine})
}

// silent lists a command that another one tells of.
func (c *Commands) silent(do func() []Action, names ...string) {
	*c = append(*c, Command{Binding: keys.Bind(names[0], "", names...), Shown: nowhere, Do: plain(do)})
}

func plain(do func() []Action) func(tea.KeyMsg) []Action {
	if do == nil {
		return nil
	}
	return func(tea.KeyMsg) []Action { return do() }
}

// always gives a command that needs nothing but its action.
func always(a ...Action) func() []Action { return func() []Action { return a } }

// panelFirst puts the panel's keys before the page's: while something is open in
// the panel, they are what is needed.
func (c Commands) panelFirst() Commands {
	first, rest := make(Commands, 0, len(c)), Commands{}
	for _, cmd := range c {
		if cmd.Group == groupPanel {
			first = append(first, cmd)
		} else {
			rest = append(rest, cmd)
		}
	}
	return append(first, rest...)
}

// Perform does what a key stands for. mine is false for a key that is none of
// the commands.
func (c Commands) Perform(k tea.KeyMsg) (acts []Action, mine bool) {
	for _, cmd := range c {
		if cmd.Do != nil && key.Matches(k, cmd.Binding) {
			return cmd.Do(k), true
		}
	}
	return nil, false
}

// Line is the key line.
func (c Commands) Line() widget.KeyLine {
	var line widget.KeyLine
	for _, cmd := range c.visible() {
		if cmd.Shown == everywhere || cmd.Shown == inLine {
			line = append(line, cmd.Binding)
		}
	}
	return line
}

// Sheet is the sheet of keys: the groups in the order in which they come up.
func (c Commands) Sheet() widget.Help {
	var sheet widget.Help
	place := map[string]int{}
	for _, cmd := range c.visible() {
		if cmd.Shown == inLine || cmd.Shown == nowhere {
			continue
		}
		i, known := place[cmd.Group]
		if !known {
			i = len(sheet)
			place[cmd.Group] = i
			sheet = append(sheet, widget.Group{Title: cmd.Group})
		}
		sheet[i].Keys = append(sheet[i].Keys, cmd.Binding)
	}
	return sheet
}

// visible leaves out what cannot be reached, since another command before it
// has its key.
func (c Commands) visible() Commands {
	var list Commands
	claimed := map[string]bool{}
	for _, cmd := range c {
		names := cmd.Keys()
		if cmd.Do != nil && len(names) > 0 && claimed[names[0]] {
			continue
		}
		list = append(list, cmd)
		if cmd.Do == nil {
			continue
		}
		for _, name := range names {
			claimed[name] = true
		}
	}
	return list
}

// PressBinding does what a binding of a screen's key line stands for: what a
// click on it means. One that only names keys does nothing.
func PressBinding(s Screen, b key.Binding) []Action {
	for _, cmd := range s.Commands() {
		if cmd.Do != nil && cmd.Help() == b.Help() {
			return cmd.Do(keyOf(b))
		}
	}
	return nil
}

// keyOf is the message of a binding's first key, as far as a panel looks at it.
func keyOf(b key.Binding) tea.KeyMsg {
	for _, name := range b.Keys() {
		if r := []rune(name); len(r) == 1 {
			return tea.KeyMsg{Type: tea.KeyRunes, Runes: r}
		}
		for _, known := range namedKeys {
			if k := (tea.KeyMsg{Type: known}); k.String() == name {
				return k
			}
		}
	}
	return tea.KeyMsg{}
}

// namedKeys are the keys that have a name and no letter.
var namedKeys = []tea.KeyType{
	tea.KeyEnter, tea.KeyTab, tea.KeyEsc, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyPgUp, tea.KeyPgDown,
	tea.KeyHome, tea.KeyEnd, tea.KeyBackspace,
}
