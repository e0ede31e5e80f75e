package source

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Decoder reads the YAML of one file, or of one block in it, into structs. It is
// strict: a field that the struct does not have, a value of another shape, an
// anchor, a tag or a second document is a finding. Fields are matched by their
// yaml tag and are of these types: Text, bool, int, []Text, a struct, a slice of
// structs, or whatever implements Reader.
type Decoder struct {
	File     string
	Line     int // the line of the file on which the YAML begins, from 1
	Findings []Finding

	last int // the line on which the YAML ends
}

// Reader is a type that reads itself from a YAML node, for fields that may have
// more than one shape. A type of one shape needs none.
type Reader interface {
	ReadYAML(d *Decoder, n ast.Node, what string)
}

// Add notes what is wrong at a line of the file.
func (d *Decoder) Add(line int, format string, args ...any) {
	d.Findings = append(d.Findings, Finding{File: d.File, Line: line, Text: fmt.Sprintf(format, args...)})
}

// Decode reads a mapping into the struct that dst points to. What names the
// thing in findings ("a step"). It returns false when the text is no YAML
// mapping at all, and dst was left alone.
func (d *Decoder) Decode(text, what string, dst any) bool {
	d.last = d.Line + strings.Count(text, "\n")
	body, ok := d.parse(text, what)
	if !ok {
		return false
	}
	if body == nil {
		d.Add(d.Line, "%s is empty, it needs fields: %s", what, strings.Join(fieldNames(dst), ", "))
		return false
	}
	return d.Mapping(body, what, dst)
}

// parse gives the one document's node, nil for an empty text. The parser is a
// library's; a panic inside it on an odd text is a finding like another.
func (d *Decoder) parse(text, what string) (body ast.Node, ok bool) {
	defer func() {
		if recover() != nil {
			d.Add(d.Line, "%s cannot be read as YAML", what)
			body, ok = nil, false
		}
	}()
	file, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		line, message := d.Line, err.Error()
		var bad yaml.Error
		if errors.As(err, &bad) {
			message = d.inFile(bad.GetMessage())
			if t := bad.GetToken(); t != nil {
				line = d.line(t.Position.Line)
			}
		}
		d.Add(line, "%s cannot be read as YAML: %s%s", what, message, hint(message))
		return nil, false
	}
	if len(file.Docs) > 1 {
		d.Add(d.lineOf(file.Docs[1]), "%s has a second YAML document; one is allowed", what)
		return nil, false
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, true
	}
	if _, comment := file.Docs[0].Body.(*ast.CommentGroupNode); comment {
		return nil, true
	}
	return file.Docs[0].Body, true
}

// place is how the parser names another line of its text: [4:1].
var place = regexp.MustCompile(`at \[(\d+):\d+\]`)

// inFile tells the places in a parser's complaint by the lines of the file.
func (d *Decoder) inFile(message string) string {
	return place.ReplaceAllStringFunc(message, func(at string) string {
		n, _ := strconv.Atoi(place.FindStringSubmatch(at)[1])
		return fmt.Sprintf("in line %d", d.line(n))
	})
}

// hint names the usual cause of a parser's complaint.
func hint(message string) string {
	switch {
	case strings.Contains(message, "mapping value is not allowed"):
		return ` (a text with ": " in it needs quotes, or a block after |)`
	case strings.Contains(message, "value is not allowed in this context"):
		return ` (a text that begins with { or [ needs quotes, or a block after |)`
	case strings.Contains(message, "tab"), strings.Contains(message, `\t`), strings.Contains(message, "\t"):
		return " (YAML is indented with spaces)"
	case strings.Contains(message, "reserved character"):
		return " (a text that begins with this sign needs quotes)"
	}
	return ""
}

// line is a line of the file. The parser also counts a lone carriage return as
// a new line, so its numbers may be beyond the end.
func (d *Decoder) line(inText int) int { return min(d.Line+inText-1, d.last) }

func (d *Decoder) lineOf(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return d.line(m.Values[0].Key.GetToken().Position.Line)
	}
	if doc, ok := n.(*ast.DocumentNode); ok && doc.Body != nil {
		return d.lineOf(doc.Body)
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return d.line(t.Position.Line)
	}
	return d.Line
}

// Entry is one key of a mapping with its value.
type Entry struct {
	Key   Text
	Value ast.Node
}

// Entries lists a mapping's keys in the order they are written; ok is false,
// and said so, when the node is no mapping.
func (d *Decoder) Entries(n ast.Node, what string) (entries []Entry, ok bool) {
	var pairs []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		d.Add(d.lineOf(n), "%s must be fields, `name: value`, is %s", what, shape(n))
		return nil, false
	}
	for _, p := range pairs {
		key, isText := d.scalar(p.Key)
		if !isText {
			d.Add(d.line(p.Key.GetToken().Position.Line), "%s: a key must be a plain word", what)
			continue
		}
		entries = append(entries, Entry{Key: key, Value: p.Value})
	}
	return entries, true
}

// Items lists a sequence's nodes; ok is false, and said so, when the node is no
// sequence.
func (d *Decoder) Items(n ast.Node, what string) (items []ast.Node, ok bool) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.Add(d.lineOf(n), "%s must be a list, is %s", what, shape(n))
		return nil, false
	}
	return s.Values, true
}

// Mapping reads a mapping node into a struct, as Decode does.
func (d *Decoder) Mapping(n ast.Node, what string, dst any) bool {
	entries, ok := d.Entries(n, what)
	if !ok {
		return false
	}
	fields := fieldsOf(dst)
	names := fieldNames(dst)
	for _, e := range entries {
		if complaint, known := Known("field", e.Key.Value, names); !known {
			d.Add(e.Key.Line, "%s: %s", what, complaint)
			continue
		}
		if e.Value == nil || e.Value.Type() == ast.NullType {
			d.Add(e.Key.Line, "%s: %s has no value", what, e.Key.Value)
			continue
		}
		d.value(e.Value, e.Key.Value, fields[e.Key.Value])
	}
	return true
}
