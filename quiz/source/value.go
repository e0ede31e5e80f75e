package source

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// value reads one node into one field; what names the field in findings.
func (d *Decoder) value(n ast.Node, what string, field reflect.Value) {
	switch dst := field.Addr().Interface().(type) {
	case Reader:
		dst.ReadYAML(d, n, what)
	case *Text:
		*dst, _ = d.Text(n, what)
	case *[]Text:
		*dst = d.Texts(n, what)
	case *bool:
		*dst = d.flag(n, what)
	case *int:
		*dst = d.count(n, what)
	default:
		d.nested(n, what, field)
	}
}

// nested reads a struct, or a list of structs.
func (d *Decoder) nested(n ast.Node, what string, field reflect.Value) {
	if field.Kind() == reflect.Struct {
		d.Mapping(n, what, field.Addr().Interface())
		return
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.Add(d.lineOf(n), "%s must be a list, is %s", what, shape(n))
		return
	}
	items := reflect.MakeSlice(field.Type(), 0, len(list.Values))
	for i, v := range list.Values {
		item := reflect.New(field.Type().Elem())
		if at, ok := item.Interface().(interface{ SetLine(int) }); ok {
			at.SetLine(d.lineOf(v))
		}
		d.Mapping(v, what+" "+strconv.Itoa(i+1), item.Interface())
		items = reflect.Append(items, item.Elem())
	}
	field.Set(items)
}

// Text reads one word, number or text as it is written: 1.0 stays "1.0".
func (d *Decoder) Text(n ast.Node, what string) (Text, bool) {
	t, ok := d.scalar(n)
	if !ok {
		d.Add(d.lineOf(n), "%s must be a text, is %s", what, shape(n))
	}
	return t, ok
}

// Texts reads a list of texts.
func (d *Decoder) Texts(n ast.Node, what string) []Text {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.Add(d.lineOf(n), "%s must be a list, `[a, b]` or lines with `- `, is %s", what, shape(n))
		return nil
	}
	items := make([]Text, 0, len(list.Values))
	for i, v := range list.Values {
		if t, ok := d.Text(v, what+" "+strconv.Itoa(i+1)); ok {
			items = append(items, t)
		}
	}
	return items
}

func (d *Decoder) scalar(n ast.Node) (Text, bool) {
	switch v := n.(type) {
	case *ast.LiteralNode:
		// The value begins on the line below the sign; only `|` keeps lines.
		return Text{Value: v.Value.Value, Line: d.lineOf(n) + 1, Exact: strings.HasPrefix(v.Start.Value, "|")}, true
	case *ast.StringNode:
		return Text{Value: v.Value, Line: d.lineOf(n)}, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return Text{Value: n.GetToken().Value, Line: d.lineOf(n)}, true
	}
	return Text{Line: d.lineOf(n)}, false
}

func (d *Decoder) flag(n ast.Node, what string) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		d.Add(d.lineOf(n), "%s must be true or false, is %s", what, shape(n))
		return false
	}
	return b.Value
}

func (d *Decoder) count(n ast.Node, what string) int {
	v, _ := d.Number(n, what, 0, 1_000_000)
	return v
}

// Number reads a whole number from low to high; ok is false, and said so, when
// it is none.
func (d *Decoder) Number(n ast.Node, what string, low, high int) (v int, ok bool) {
	if _, whole := n.(*ast.IntegerNode); whole {
		if v, err := strconv.Atoi(n.GetToken().Value); err == nil && low <= v && v <= high {
			return v, true
		}
	}
	d.Add(d.lineOf(n), "%s must be a whole number from %d to %d, is %s", what, low, high, shape(n))
	return 0, false
}

// shape names what an author wrote, for a finding.
func shape(n ast.Node) string {
	switch v := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "fields; a text that holds `: ` or begins with { needs quotes"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "empty"
	case *ast.AnchorNode, *ast.AliasNode:
		return "a YAML anchor; a text that begins with & or * needs quotes"
	case *ast.TagNode:
		return "a YAML tag; a text that begins with ! needs quotes"
	case *ast.StringNode:
		return strconv.Quote(v.Value)
	case *ast.LiteralNode:
		return "a block of text"
	default:
		return strconv.Quote(n.GetToken().Value)
	}
}

// fieldsOf maps the yaml names of a struct to its fields.
func fieldsOf(dst any) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	v := reflect.ValueOf(dst).Elem()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Tag.Get("yaml"); name != "" {
			fields[name] = v.Field(i)
		}
	}
	return fields
}

// fieldNames lists the yaml names of a struct in the order they are declared.
func fieldNames(dst any) []string {
	var names []string
	t := reflect.TypeOf(dst).Elem()
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("yaml"); name != "" {
			names = append(names, name)
		}
	}
	return names
}
