package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
)

// ideas are the destinations of links that paint their text.
func idea(destination string) (theme.Style, bool) {
	switch destination {
	case "#leader":
		return theme.Leader, true
	case "#follower":
		return theme.Follower, true
	case "#consumer":
		return theme.Consumer, true
	case "#committed":
		return theme.Committed, true
	case "#open":
		return theme.Open, true
	case "#lost":
		return theme.Lost, true
	case "#focus":
		return theme.Focus, true
	case "#key":
		return theme.Key, true
	}
	return theme.Text, false
}

// inline is the text below a node as one line, in which only hard line breaks
// are line feeds.
func (r renderer) inline(parent ast.Node, s theme.Style) canvas.Line {
	var line canvas.Line
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			line = line.Add(r.text(n), s)
		case *ast.CodeSpan:
			line = line.Add(r.raw(n), codeStyle(s))
		case *ast.Emphasis:
			line = append(line, r.inline(n, emphasis(s, n.Level))...)
		case *ast.Link:
			style := s
			if hue, ok := idea(string(n.Destination)); ok {
				style = hue | s&theme.Bold
			}
			line = append(line, r.inline(n, style)...)
		case *ast.Image:
			line = append(line, r.inline(n, s)...)
		}
	}
	return line
}

// emphasis adds * (1) or ** (2) to a style, which keeps its colour.
func emphasis(s theme.Style, level int) theme.Style {
	if level < 2 {
		return s | theme.Underline
	}
	return s | theme.Bold
}

// codeStyle lifts code out of plain text; names and values in it have no
// colour of their own.
func codeStyle(s theme.Style) theme.Style {
	if s.Hue() == theme.Text {
		return s | theme.Bright
	}
	return s
}

func (r renderer) text(n *ast.Text) string {
	s := string(util.UnescapePunctuations(n.Segment.Value(r.src)))
	switch {
	case n.HardLineBreak():
		return s + "\n"
	case n.SoftLineBreak():
		return s + " "
	}
	return s
}

// raw is the text below a code span as it was written; a line feed in it is a
// space.
func (r renderer) raw(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			b.WriteString(strings.ReplaceAll(string(t.Segment.Value(r.src)), "\n", " "))
		}
	}
	return b.String()
}
