package screen

import (
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
)

// guess is what the learner predicts of a step: typed text, or one of the words
// that the step offers.
type guess struct {
	step   *lessons.Step
	text   widget.Input
	number bool // the answer is a number: the page's letters stay commands
	pick   int  // of the words, -1 for none
	row    int  // of the terminal where the first word was drawn last, for clicks
}

func newGuess(step *lessons.Step) guess {
	g := guess{step: step, pick: -1}
	if step == nil {
		return g
	}
	g.number = len(step.Answers) > 0 && numeric(step.Answers[0].Value) && step.Unit != "broker" && step.Unit != "controller"
	g.text.Limit = 60
	g.text.Empty = "your answer"
	if g.number {
		g.text.Empty = "a number"
	}
	return g
}

// numberPath are the expressions of which the answer is a number, if there is
// one.
var numberPath = regexp.MustCompile(`^(count\(.*\)|.* [+-] .*|time|` +
	`.*\.(partitions|epoch|hw|leo|lso|start|bytes|first_dirty|dirty_ratio|index_entries\(.*\)|position|scanned|base|segment|` +
	`segments|generation|lag|lag\(.*\)|max_lag|rebalances|id|sequence\(.*\)|in_flight|acked|failed|latency|open_txns|` +
	`offset|count|time_ms|lag_ms))$`)

func numeric(expr string) bool { return numberPath.MatchString(strings.TrimSpace(expr)) }

// chooses tells whether the step offers words.
func (g *guess) chooses() bool { return g.step != nil && len(g.step.Choose) > 0 }

func (g *guess) empty() bool {
	if g.chooses() {
		return g.pick < 0
	}
	return g.text.Value() == ""
}

// value is what was typed or picked.
func (g *guess) value() string {
	if g.chooses() {
		if g.pick < 0 {
			return ""
		}
		return g.step.Choose[g.pick].Word.Value
	}
	return strings.TrimSpace(g.text.Value())
}

func (g *guess) clear() {
	g.text.Set("")
	g.pick = -1
}

// commandLetters are the letters that stay commands as long as no word is
// typed into a field for a number.
const commandLetters = "bBwiPq"

// takes tells whether typed text belongs to the field. The signs that open the
// console and the keys begin no answer.
func (g *guess) takes(text string) bool {
	if text == "?" || g.empty() && (text == " " || text == ":") {
		return false
	}
	if g.number && strings.IndexFunc(g.text.Value(), isLetter) < 0 {
		return !strings.Contains(commandLetters, text) && text != ":"
	}
	return true
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// edit changes what is typed, and tells whether the key was one for that. An
// empty field leaves the arrows to the steps.
func (g *guess) edit(k tea.KeyMsg) bool {
	text := keys.Text(k)
	if k.Paste {
		return g.text.Key(k)
	}
	if text == "" && g.empty() || text != "" && !g.takes(text) {
		return false
	}
	return g.text.Key(k)
}

// choiceCommands are the keys that pick one of the words.
func (g *guess) choiceCommands(cs *Commands) {
	n := len(g.step.Choose)
	cs.add(groupLearn, letters(n)+" ↑↓", "choose", nil)
	pickCommands(cs, n, &g.pick)
}

// click picks the word of a row of the terminal.
func (g *guess) click(y int) {
	if i := y - g.row; i >= 0 && i < len(g.step.Choose) {
		g.pick = i
	}
}

// letters names the first n letters as the key line does: a-d.
func letters(n int) string {
	if n < 2 {
		return "a"
	}
	return "a-" + string(rune('a'+n-1))
}

// pickCommands are the keys that pick one of n options by letter or arrow.
func pickCommands(cs *Commands, n int, pick *int) {
	for i := range n {
		cs.silent(func() []Action { *pick = i; return nil }, string(rune('a'+i)))
	}
	cs.silent(func() []Action { *pick = min(*pick+1, n-1); return nil }, "down", "j")
	cs.silent(func() []Action { *pick = max(*pick-1, 0); return nil }, "up", "k")
}
