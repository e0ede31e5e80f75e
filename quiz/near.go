package quiz

import (
	"github.com/goccy/go-yaml/ast"

	"kafkalab/quiz/source"
)

// nears reads the field `near`: for each expression its explanation, or fields
// `why` and `misconception`.
type nears []Near

type nearFields struct {
	Why           source.Text `yaml:"why"`
	Misconception source.Text `yaml:"misconception"`
}

// ReadYAML reads the field `near`.
func (list *nears) ReadYAML(d *source.Decoder, n ast.Node, what string) {
	entries, ok := d.Entries(n, what)
	if !ok {
		return
	}
	for _, e := range entries {
		near := Near{Expr: e.Key}
		if _, more := e.Value.(*ast.MappingNode); more {
			var f nearFields
			d.Mapping(e.Value, what+" "+e.Key.Value, &f)
			near.Why, near.Misconception = f.Why, f.Misconception
		} else {
			near.Why, _ = d.Text(e.Value, what+" "+e.Key.Value)
		}
		if near.Why.Blank() {
			d.Add(e.Key.Line, "%s %s needs an explanation", what, e.Key.Value)
			continue
		}
		*list = append(*list, near)
	}
}
