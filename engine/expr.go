package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Expr is a condition of the script language: comparisons joined by `and`. It
// is made by ParseExpr and evaluated against a cluster at any moment.
type Expr struct {
	text  string
	conds []condition
}

type condition struct {
	text        string
	left, right Term
	op          string
}

// Term is what an expression is about: a path, a number, count(…), or sums and
// differences of these.
type Term struct {
	text  string
	parts []operand
}

type operand struct {
	minus   bool
	literal *Value
	path    *Path
	count   bool // count(…) of it
}

// Words are the words of an expression. A quoted one is never an operator, a
// path or none: it is text.
type Words []struct {
	Text   string
	Quoted bool
}

// PlainWords makes words that are not quoted.
func PlainWords(texts ...string) Words {
	w := make(Words, len(texts))
	for i, t := range texts {
		w[i].Text = t
	}
	return w
}

// String joins the words, quotes where they were needed.
func (w Words) String() string {
	parts := make([]string, len(w))
	for i, x := range w {
		parts[i] = x.Text
		if x.Quoted {
			parts[i] = "'" + x.Text + "'"
		}
	}
	return strings.Join(parts, " ")
}

// index finds the first word that is one of these and not quoted, -1 for none.
func (w Words) index(texts ...string) int {
	for i, x := range w {
		if !x.Quoted && slices.Contains(texts, x.Text) {
			return i
		}
	}
	return -1
}

var operators = []string{"==", "!=", "<=", ">=", "<", ">", "contains"}

// String is the expression as it was written.
func (e Expr) String() string { return e.text }

// String is the term as it was written.
func (t Term) String() string { return t.text }

// ParseExpr reads a condition, given as the words of a script line.
func ParseExpr(words Words) (Expr, error) {
	e := Expr{text: words.String()}
	for len(words) > 0 {
		end := words.index("and")
		if end < 0 {
			end = len(words)
		}
		cond, err := parseCondition(words[:end])
		if err != nil {
			return Expr{}, err
		}
		e.conds = append(e.conds, cond)
		if end == len(words) {
			return e, nil
		}
		words = words[end+1:]
	}
	return Expr{}, errors.New("an expression is missing: PATH OP VALUE")
}

func parseCondition(words Words) (condition, error) {
	at := words.index(operators...)
	text := words.String()
	if at <= 0 || at == len(words)-1 {
		return condition{}, fmt.Errorf("%q is no comparison: PATH OP VALUE, with OP one of %s", text, strings.Join(operators, " "))
	}
	left, err := ParseTerm(words[:at])
	if err != nil {
		return condition{}, err
	}
	return condition{text: text, left: left, op: words[at].Text, right: parseValue(words[at+1:])}, nil
}

// parseValue reads the right side: a path or a sum of paths if it is one, else
// the words as they stand.
func parseValue(words Words) Term {
	texts, quoted := make([]string, len(words)), false
	for i, w := range words {
		texts[i], quoted = w.Text, quoted || w.Quoted
	}
	literal := strings.Join(texts, " ")
	if quoted {
		v := Word(literal)
		return Term{text: words.String(), parts: []operand{{literal: &v}}}
	}
	if !strings.HasPrefix(literal, "last.") && strings.ContainsAny(literal, "./") {
		if t, err := ParseTerm(words); err == nil {
			return t
		}
	}
	v := Word(literal)
	if literal == "none" {
		v = None
	}
	return Term{text: literal, parts: []operand{{literal: &v}}}
}

// ParseTerm reads a path, or `A + B`, `A - B`, `count(A)` of paths and numbers.
func ParseTerm(words Words) (Term, error) {
	t := Term{text: words.String()}
	minus := false
	for i, word := range words {
		w := word.Text
		if i%2 == 1 {
			if w != "+" && w != "-" {
				return Term{}, fmt.Errorf("%q after %q: + or - is allowed there", w, words[i-1].Text)
			}
			minus = w == "-"
			continue
		}
		o, err := parseOperand(w)
		if err != nil {
			return Term{}, err
		}
		o.minus = minus
		t.parts = append(t.parts, o)
	}
	if len(words)%2 == 0 {
		return Term{}, fmt.Errorf("%q ends too soon: a path or a number is missing", t.text)
	}
	return t, nil
}

func parseOperand(w string) (operand, error) {
	if v := Word(w); v.isNum {
		return operand{literal: &v}, nil
	}
	if inner, ok := strings.CutPrefix(w, "count("); ok && strings.HasSuffix(inner, ")") {
		p, err := ParsePath(strings.TrimSuffix(inner, ")"))
		return operand{path: &p, count: true}, err
	}
	p, err := ParsePath(w)
	return operand{path: &p}, err
}

// Eval gives the term's value now.
func (t Term) Eval(c *Cluster) Value {
	if len(t.parts) == 1 && !t.parts[0].minus {
		return t.parts[0].eval(c)
	}
	sum := 0.0
	for _, o := range t.parts {
		f, ok := o.eval(c).Float()
		if !ok {
			return None
		}
		if o.minus {
			f = -f
		}
		sum += f
	}
	if sum == float64(int64(sum)) {
		return Number(int64(sum))
	}
	return Word(fmt.Sprintf("%g", sum))
}

func (o operand) eval(c *Cluster) Value {
	if o.literal != nil {
		return *o.literal
	}
	v := o.path.Eval(c)
	if o.count {
		return Number(int64(len(v.Items())))
	}
	return v
}

// Holds tells whether the expression holds now; got is what the first part
// that does not hold yields instead, and is empty when all hold.
func (e Expr) Holds(c *Cluster) (held bool, got string) {
	for _, cond := range e.conds {
		v := cond.left.Eval(c)
		if !compare(v, cond.op, cond.right.Eval(c)) {
			return false, v.String()
		}
	}
	return true, ""
}

// Failing is the first part of the expression that does not hold now.
func (e Expr) Failing(c *Cluster) string {
	for _, cond := range e.conds {
		if !compare(cond.left.Eval(c), cond.op, cond.right.Eval(c)) {
			return cond.text
		}
	}
	return ""
}

func compare(a Value, op string, b Value) bool {
	switch op {
	case "==":
		return equal(a, b)
	case "!=":
		return !equal(a, b)
	case "contains":
		if a.kind == kindList {
			return slices.Contains(a.list, b.String())
		}
		return a.kind != kindNone && strings.Contains(a.text, b.String())
	}
	x, okX := a.Float()
	y, okY := b.Float()
	if !okX || !okY {
		return false
	}
	switch op {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	default:
		return x >= y
	}
}

// equal compares as numbers where both are numbers, else as text; none equals
// only none, and an empty list equals an empty word.
func equal(a, b Value) bool {
	if a.IsNone() || b.IsNone() {
		return a.IsNone() && b.IsNone()
	}
	x, okX := a.Float()
	y, okY := b.Float()
	if okX && okY {
		return x == y
	}
	return a.String() == b.String()
}
