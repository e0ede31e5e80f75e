package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type leaf struct {
	Name Text `yaml:"name"`
	On   bool `yaml:"on"`
	Line int
}

func (l *leaf) SetLine(n int) { l.Line = n }

type tree struct {
	Text   Text   `yaml:"text"`
	List   []Text `yaml:"list"`
	Count  int    `yaml:"count"`
	Leaves []leaf `yaml:"leaves"`
}

func TestDecodeKeepsLines(t *testing.T) {
	d := &Decoder{File: "f", Line: 101}
	var got tree
	ok := d.Decode("text: |\n  one\n  two\n\ncount: 3\nlist:\n  - 1.0 # as written\n  - >\n    a\n    b\nleaves:\n  - name: x\n    on: true\n  - name: true\n", "thing", &got)
	if !ok || len(d.Findings) > 0 {
		t.Fatal(d.Findings)
	}
	want := tree{
		Text:   Text{Value: "one\ntwo\n", Line: 102, Exact: true},
		Count:  3,
		List:   []Text{{Value: "1.0", Line: 107}, {Value: "a b\n", Line: 109}},
		Leaves: []leaf{{Name: Text{Value: "x", Line: 112}, On: true, Line: 112}, {Name: Text{Value: "true", Line: 114}, Line: 114}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Text.LineAt(1) != 103 || got.List[1].LineAt(1) != 109 {
		t.Error("a block keeps its lines, a folded text has one")
	}
}

func TestDecodeFindsAllAtOnce(t *testing.T) {
	d := &Decoder{File: "f", Line: 1}
	var got tree
	d.Decode("txt: a\ncount: -1\nlist: a\nleaves:\n  - name: [a]\n    on: yes\n  - nam: b\n", "thing", &got)
	var lines []string
	for _, f := range d.Findings {
		lines = append(lines, f.String())
	}
	want := []string{
		`f:1: thing: unknown field "txt", did you mean "text"? (allowed: text, list, count, leaves)`,
		`f:2: count must be a whole number from 0 to 1000000, is "-1"`,
		"f:3: list must be a list, `[a, b]` or lines with `- `, is \"a\"",
		`f:5: name must be a text, is a list`,
		`f:6: on must be true or false, is "yes"`,
		`f:7: leaves 2: unknown field "nam", did you mean "name"? (allowed: name, on)`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func TestKnown(t *testing.T) {
	known := []string{"predict", "answer"}
	for word, want := range map[string]string{
		"predict": "",
		"predct":  `unknown field "predct", did you mean "predict"? (allowed: predict, answer)`,
		"zzz":     `unknown field "zzz" (allowed: predict, answer)`,
	} {
		if got, ok := Known("field", word, known); got != want || ok != (want == "") {
			t.Errorf("%s: %q, %v", word, got, ok)
		}
	}
}

func TestExpressions(t *testing.T) {
	block := Text{Value: "a {x/0.hw} {{no}}\n\nb { y } c {z}\n", Line: 10, Exact: true}
	got, err := Expressions(block)
	want := []Text{{Value: "x/0.hw", Line: 10}, {Value: " y ", Line: 12}, {Value: "z", Line: 12}}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, bad := range []string{"{", "{x", "x}", "{{x}", "}", "{x}}"} {
		if _, err := Expressions(Text{Value: bad, Line: 1}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if Unbrace("{{x}}") != "{x}" {
		t.Error("{{ and }} are braces")
	}
}

func TestSortIsByFileAndLineAndDropsTwins(t *testing.T) {
	got := Sort([]Finding{{"b", 1, "x"}, {"a", 9, "x"}, {"a", 2, "y"}, {"a", 2, "x"}, {"a", 2, "y"}})
	want := []Finding{{"a", 2, "y"}, {"a", 2, "x"}, {"a", 9, "x"}, {"b", 1, "x"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"text: a", "list: [a, {b: c}]", "leaves: [{name: x}]", "? - :", "a: !!x &y *z", "text: |2\n\n x", "%YAML 1.2\n---\n", "<<: *a", "\"", "{", "- - -", "#", "\x00", "text: 'a\n\n b'", "\r\r0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := &Decoder{File: "f", Line: 1}
		var got tree
		if !d.Decode(text, "thing", &got) && len(d.Findings) == 0 {
			t.Error("not decoded, and nothing to say about it")
		}
		lines := strings.Count(text, "\n") + 2
		for _, x := range d.Findings {
			if x.Line < 1 || x.Line > lines {
				t.Errorf("line %d of %d: %s", x.Line, lines, x.Text)
			}
		}
	})
}
