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
	step *lessons.Step
	text widget.Input
	kind answerKind
	pick int         // of the words, -1 for none
	rows map[int]int // of the terminal, where the words were drawn last: which word
}

// answerKind is what an answer is written with.
type answerKind int

const (
	words   answerKind = iota // any text
	number                    // digits, and a unit behind them: the page's letters stay commands
	numbers                   // a list of numbers
)

// kindOf tells what the answers of an expression are written with.
func kindOf(expr string) answerKind {
	expr = strings.TrimSpace(expr)
	switch {
	case numberPath.MatchString(expr):
		return number
	case listPath.MatchString(expr):
		return numbers
	}
	return words
}

func newGuess(step *lessons.Step) guess {
	g := guess{step: step, pick: -1}
	if step == nil {
		return g
	}
	if len(step.Answers) > 0 && step.Unit != "broker" && step.Unit != "controller" {
		g.kind = kindOf(step.Answers[0].Value)
	}
	g.text.Limit = 60
	g.text.Empty = [...]string{words: "your answer", number: "a number", numbers: "a list, like 1,2"}[g.kind]
	return g
}

// numberPath are the expressions of which the answer is a number, if there is
// one.
var numberPath = regexp.MustCompile(`^(count\(.*\)|.* [+-] .*|time|` +
	`.*\.(partitions|epoch|hw|leo|lso|start|bytes|first_dirty|dirty_ratio|index_entries\(.*\)|position|scanned|base|segment|` +
	`segments|generation|lag|lag\(.*\)|max_lag|rebalances|id|sequence\(.*\)|in_flight|acked|failed|latency|open_txns|` +
	`offset|count|dropped|committed\(.*\)|position\(.*\)|time_ms|lag_ms|[a-z_]+_(offset|epoch|ms|bytes|count)))$`)

// listPath are the expressions of which the answer is a list of numbers.
var listPath = regexp.MustCompile(`^.*\.(isr|replicas|elr|segments\(list\)|offsets|aborted|voters|observers)$`)

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
	typed := strings.TrimSpace(g.text.Value())
	if g.kind == numbers && strings.ContainsAny(typed, ",;") {
		typed = apart.ReplaceAllStringFunc(typed, func(n string) string { return strings.ReplaceAll(n, " ", "") })
	}
	return typed
}

// apart is a number with its thousands apart. In a list it can be told from two
// numbers only where something else stands between the items: 0, 1 000, 2 000.
var apart = regexp.MustCompile(`\b\d{1,3}( \d{3})+\b`)

func (g *guess) clear() {
	g.text.Set("")
	g.pick = -1
}

// takes tells whether typed text belongs to the field. The signs that open the
// console and the keys begin no answer.
func (g *guess) takes(text string) bool {
	if text == "?" || g.empty() && (text == " " || text == ":") {
		return false
	}
	if g.kind == words {
		return true
	}
	return g.mayBegin(strings.ToLower(g.text.Value() + text))
}

// figures are what numbers are written with.
var figures = regexp.MustCompile(`^[-+]?\d[\d ,_.]*$|^[-+]$`)

// mayBegin tells whether an answer in numbers may begin so: with digits, with
// digits and the unit, or with the word for nothing.
func (g *guess) mayBegin(text string) bool {
	if g.kind == numbers {
		text = strings.TrimLeft(text, "[( ")
	}
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz-)]; ")
	rest := strings.TrimLeft(strings.TrimPrefix(text, digits), " ")
	switch unit := strings.ToLower(g.step.Unit); {
	case text == "":
		return true
	case digits == "":
		return strings.HasPrefix("none", text) || strings.HasPrefix("nothing", text) || figures.MatchString(text)
	case rest == "":
		return figures.MatchString(digits)
	case g.kind == numbers:
		return strings.Trim(rest, ";]) ") == ""
	default:
		return unit != "" && figures.MatchString(digits) && (strings.HasPrefix(unit, rest) || rest == unit+"s")
	}
}

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
	pickCommands(cs, n, &g.pick, false) // j and k move in the panel
}

// click picks the word of a row of the terminal.
func (g *guess) click(y int) {
	if i, ok := g.rows[y]; ok && i < len(g.step.Choose) {
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

// pickCommands are the keys that pick one of n options: its letter, the arrows
// up and down, and j and k where no panel has them.
func pickCommands(cs *Commands, n int, pick *int, jk bool) {
	for i := range n {
		cs.silent(func() []Action { *pick = i; return nil }, string(rune('a'+i)))
	}
	down, up := func() []Action { *pick = min(*pick+1, n-1); return nil }, func() []Action { *pick = max(*pick-1, 0); return nil }
	cs.silent(down, "down")
	cs.silent(up, "up")
	if jk {
		cs.silent(down, "j")
		cs.silent(up, "k")
	}
}
