// Package markdown turns the prose of lessons into styled lines. It knows what
// prose needs: paragraphs, headings, lists, quotes, rules, code blocks, **bold**,
// *emphasis*, `code` and links; HTML and tables it shows as they are written.
// Goldmark parses; the drawing is done here because a renderer with a
// highlighter takes longer to start than the lab's first frame may.
//
// A link to one of the lab's ideas paints its text in that idea's colour, so
// that prose and panel speak one language: [broker-1](#leader) holds what
// [nobody else has](#open). Other links are shown as their text.
package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// Render lays prose out in lines of at most width cells, without an empty line
// at either end. It takes some ten microseconds a paragraph: keep the lines
// for as long as text and width stay. Width 0 and less gives no lines.
func Render(source string, width int) []canvas.Line {
	if width <= 0 {
		return nil
	}
	src := []byte(strings.ToValidUTF8(source, string(cell.Dot)))
	r := renderer{src: src}
	return r.blocks(newParser().Parse(text.NewReader(src)), width, true)
}

func newParser() parser.Parser {
	p := util.Prioritized
	return parser.NewParser(
		parser.WithBlockParsers(
			p(parser.NewThematicBreakParser(), 200),
			p(parser.NewListParser(), 300),
			p(parser.NewListItemParser(), 400),
			p(parser.NewCodeBlockParser(), 500),
			p(parser.NewATXHeadingParser(), 600),
			p(parser.NewFencedCodeBlockParser(), 700),
			p(parser.NewBlockquoteParser(), 800),
			p(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			p(parser.NewCodeSpanParser(), 100),
			p(parser.NewLinkParser(), 200),
			p(parser.NewEmphasisParser(), 500),
		),
	)
}

type renderer struct{ src []byte }

// blocks lays out the children of a node one below the other, with an empty
// line between them if they are apart.
func (r renderer) blocks(parent ast.Node, width int, apart bool) []canvas.Line {
	var lines []canvas.Line
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := r.block(n, width)
		if len(block) == 0 {
			continue
		}
		if apart && len(lines) > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, block...)
	}
	return lines
}

func (r renderer) block(n ast.Node, width int) []canvas.Line {
	switch n := n.(type) {
	case *ast.Heading:
		return r.inline(n, theme.Name).Wrap(width)
	case *ast.List:
		return r.list(n, width)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return r.code(n, width)
	case *ast.Blockquote:
		bar := canvas.T(string(glyph.Vertical)+" ", theme.Rule)
		return r.indented(n, width, true, bar, bar)
	case *ast.ThematicBreak:
		return []canvas.Line{canvas.T(strings.Repeat(string(glyph.Horizontal), width), theme.Rule)}
	}
	line := r.inline(n, theme.Text)
	if line.Width() == 0 {
		return nil
	}
	return line.Wrap(width)
}

// list lays out the items behind their marks. Items with empty lines between
// them in the source stay apart.
func (r renderer) list(l *ast.List, width int) []canvas.Line {
	var lines []canvas.Line
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := string(glyph.Bullet) + " "
		if l.IsOrdered() {
			mark = strconv.Itoa(number) + string(l.Marker) + " "
			number++
		}
		body := r.indented(item, width, !l.IsTight, canvas.T(mark, theme.Text),
			canvas.T(cell.Spaces(cell.Width(mark)), theme.Text))
		if !l.IsTight && len(lines) > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, body...)
	}
	return lines
}

// indented lays out the children of a node and puts first before their first
// line and rest, which is as wide, before the others. Nested deeper than the
// width allows, the lines go without.
func (r renderer) indented(n ast.Node, width int, apart bool, first, rest canvas.Line) []canvas.Line {
	indent := first.Width()
	if indent >= width {
		return r.blocks(n, width, apart)
	}
	body := r.blocks(n, width-indent, apart)
	if len(body) == 0 {
		body = []canvas.Line{nil}
	}
	for i, l := range body {
		lead := rest
		if i == 0 {
			lead = first
		}
		body[i] = append(append(canvas.Line{}, lead...), l...)
	}
	return body
}

// code lays out a block of code, fenced or indented in the source: its lines as they are, indented by two. What
// is longer goes on in the next line, indented by two more.
func (r renderer) code(n ast.Node, width int) []canvas.Line {
	indent := min(2, width-1)
	var lines []canvas.Line
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		rest := strings.TrimRight(string(segment.Value(r.src)), "\r\n")
		lead := indent
		for {
			part := cell.Cut(rest, width-lead)
			if part == "" && rest != "" {
				break // no room for even one character
			}
			lines = append(lines, canvas.T(cell.Spaces(lead), theme.Text).Add(part, theme.Bright))
			if rest = rest[len(part):]; rest == "" {
				break
			}
			lead = min(2*indent, width-1)
		}
	}
	return lines
}
