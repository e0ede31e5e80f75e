package quiz

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kafkalab/quiz/source"
)

// maxSpread bounds how many values one placeholder may have: more would only
// make questions that nobody has looked at.
const maxSpread = 100_000

// Vary says what differs from one asking of a question to the next: names, each
// with the values it may have, in the order they are written. `n: 3..9` is every
// whole number from 3 to 9, `mode: [range, uniform]` one of these words.
type Vary []Spread

// Spread is one name with its values: a range of numbers, or a list of words.
type Spread struct {
	Name     source.Text
	From, To int
	Words    []string // nil for a range
}

// Values are what one instance of a question was given, in the order of its
// Vary.
type Values []Value

// Value is one name with its value in an instance.
type Value struct{ Name, Word string }

var (
	nameForm  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	rangeForm = regexp.MustCompile(`^(-?\d+)\.\.(-?\d+)$`)
)

// ReadYAML reads the field `vary`.
func (v *Vary) ReadYAML(d *source.Decoder, n ast.Node, what string) {
	entries, ok := d.Entries(n, what)
	if !ok {
		return
	}
	for _, e := range entries {
		if !nameForm.MatchString(e.Key.Value) {
			d.Add(e.Key.Line, "%s: %q is no name (allowed: a small letter, then small letters, digits, _)", what, e.Key.Value)
			continue
		}
		if s, ok := readSpread(d, e); ok {
			*v = append(*v, s)
		}
	}
}

func readSpread(d *source.Decoder, e source.Entry) (Spread, bool) {
	s := Spread{Name: e.Key}
	if _, list := e.Value.(*ast.SequenceNode); list {
		for _, t := range d.Texts(e.Value, e.Key.Value) {
			if strings.ContainsAny(t.Value, ",={}\n") || t.Blank() {
				d.Add(t.Line, "vary %s: %q cannot be a value (allowed: words without , = { })", e.Key.Value, t.Value)
				return s, false
			}
			s.Words = append(s.Words, t.Value)
		}
		if len(s.Words) < 2 {
			d.Add(e.Key.Line, "vary %s: a list of at least two values, or a range such as 3..9, is allowed", e.Key.Value)
			return s, false
		}
		return s, true
	}
	t, ok := d.Text(e.Value, e.Key.Value)
	if !ok {
		return s, false
	}
	m := rangeForm.FindStringSubmatch(t.Value)
	if m == nil {
		d.Add(t.Line, "vary %s: %q is no range (allowed: FROM..TO such as 3..9, or a list [a, b])", e.Key.Value, t.Value)
		return s, false
	}
	from, errFrom := strconv.Atoi(m[1])
	to, errTo := strconv.Atoi(m[2])
	if errFrom != nil || errTo != nil || from >= to || to-from >= maxSpread {
		d.Add(t.Line, "vary %s: %q must go up, by less than %d (such as 3..9)", e.Key.Value, t.Value, maxSpread)
		return s, false
	}
	s.From, s.To = from, to
	return s, true
}

// size is how many values the name may have.
func (s Spread) size() int {
	if s.Words != nil {
		return len(s.Words)
	}
	return s.To - s.From + 1
}

// at is value i of the name, from 0.
func (s Spread) at(i int) Value {
	if s.Words != nil {
		return Value{s.Name.Value, s.Words[i]}
	}
	return Value{s.Name.Value, strconv.Itoa(s.From + i)}
}

// Draw picks the values of a fresh instance from a seeded source: the same
// source at the same point gives the same instance.
func (v Vary) Draw(r *rand.Rand) Values {
	values := make(Values, len(v))
	for i, s := range v {
		values[i] = s.at(r.IntN(s.size()))
	}
	return values
}

// freshTries is how often Fresh draws before it takes numbers that were asked
// long ago.
const freshTries = 24

// Fresh draws the values of an instance that differs from the one asked last:
// each name that has more than two values gets another one. Of what was asked
// before it avoids as much as it can. asked are instances in their string form,
// the latest last; what another version of the course has asked does no harm.
func (v Vary) Fresh(r *rand.Rand, asked []string) Values {
	if len(asked) == 0 || len(v) == 0 {
		return v.Draw(r)
	}
	before, _ := v.Parse(asked[len(asked)-1]) // none, if the course has changed
	best, bestAge := Values(nil), -1
	for range freshTries {
		values := v.differing(r, before)
		age := len(asked) - 1 - lastIndex(asked, values.String())
		if age == len(asked) {
			return values // never asked
		}
		if age > bestAge {
			best, bestAge = values, age
		}
	}
	return best
}

// differing draws values of which none is the same as before, but that of two
// values it may be, as long as one differs.
func (v Vary) differing(r *rand.Rand, before Values) Values {
	values := v.Draw(r)
	if len(before) == 0 {
		return values
	}
	same := true
	for i, s := range v {
		if s.size() > 2 {
			values[i] = s.other(r, before[i], values[i])
		}
		same = same && values[i] == before[i]
	}
	if same { // all have two values: one of them turns
		i := r.IntN(len(v))
		values[i] = v[i].other(r, before[i], values[i])
	}
	return values
}

// other is what was drawn, or another value in its place if it is the one of
// before.
func (s Spread) other(r *rand.Rand, before, drawn Value) Value {
	for i := r.IntN(s.size()); drawn == before; i++ {
		if drawn = s.at(i % s.size()); i > 2*s.size() {
			break // a list of one word, several times
		}
	}
	return drawn
}

// lastIndex is where an instance stands last in a list, -1 when it does not.
func lastIndex(list []string, instance string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == instance {
			return i
		}
	}
	return -1
}

// Samples are the instances that stand for all of them in a check of the course:
// every name at its first value, at its last, in the middle, and a few drawn;
// all there are when there are no more than eight. Without a vary it is the one
// instance there is.
func (v Vary) Samples(r *rand.Rand) []Values {
	all := 1
	for _, s := range v {
		all *= s.size()
		if all > 8 {
			return v.fewSamples(r)
		}
	}
	samples := make([]Values, 0, all)
	for i := range all {
		values, rest := make(Values, len(v)), i
		for j, s := range v {
			values[j] = s.at(rest % s.size())
			rest /= s.size()
		}
		samples = append(samples, values)
	}
	return samples
}

func (v Vary) fewSamples(r *rand.Rand) []Values {
	first, middle, last := make(Values, len(v)), make(Values, len(v)), make(Values, len(v))
	for i, s := range v {
		first[i], middle[i], last[i] = s.at(0), s.at(s.size()/2), s.at(s.size()-1)
	}
	return []Values{first, middle, last, v.Draw(r), v.Draw(r)}
}

// Parse reads values back from their string form, to ask the same instance
// again. The error is for a string that this Vary cannot have made: the course
// has changed since.
func (v Vary) Parse(text string) (Values, error) {
	var parts []string
	if text != "" {
		parts = strings.Split(text, ",")
	}
	if len(parts) != len(v) {
		return nil, fmt.Errorf("instance %q has %d values, the question varies %d", text, len(parts), len(v))
	}
	values := make(Values, len(v))
	for i, s := range v {
		name, word, _ := strings.Cut(parts[i], "=")
		values[i] = Value{name, word}
		if name != s.Name.Value || !s.has(word) {
			return nil, fmt.Errorf("instance %q: %q is none of the question's (%s)", text, parts[i], s)
		}
	}
	return values, nil
}

func (s Spread) has(word string) bool {
	for i := range len(s.Words) {
		if s.Words[i] == word {
			return true
		}
	}
	n, err := strconv.Atoi(word)
	return s.Words == nil && err == nil && s.From <= n && n <= s.To && strconv.Itoa(n) == word
}

// String is the spread as it is written in a course file.
func (s Spread) String() string {
	if s.Words != nil {
		return s.Name.Value + ": [" + strings.Join(s.Words, ", ") + "]"
	}
	return fmt.Sprintf("%s: %d..%d", s.Name.Value, s.From, s.To)
}

// String is the instance by name, such as n=4,s=2; empty for a question that
// does not vary. It goes into the progress file.
func (v Values) String() string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = x.Name + "=" + x.Word
	}
	return strings.Join(parts, ",")
}

// Fill puts the values into a text: {n} becomes the value of n, as often as it
// stands there. Other braces are left for the session, and `{{` is a brace of
// the text's own: {{n}} stays as it is.
func (v Values) Fill(text string) string {
	if len(v) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], "{{") {
			b.WriteString("{{")
			i += 2
			continue
		}
		if word, width, ok := v.placeholder(text[i:]); ok {
			b.WriteString(word)
			i += width
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// placeholder tells whether a text begins with one of the names in braces.
func (v Values) placeholder(text string) (word string, width int, ok bool) {
	if text[0] != '{' {
		return "", 0, false
	}
	for _, x := range v {
		if strings.HasPrefix(text[1:], x.Name+"}") {
			return x.Word, len(x.Name) + 2, true
		}
	}
	return "", 0, false
}
