package lessons

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"kafkalab/quiz/source"
)

// Links in prose go to other places of the course: [text](lesson:isr-hw-leo) and
// [text](glossary:high watermark), or glossary:high-watermark; or to the web.
const (
	lessonLink   = "lesson:"
	glossaryLink = "glossary:"
)

// link is one link of a text, with its line in the file.
type link struct {
	to   string
	line int
}

// prose reads Markdown; one is enough, and each new one is set up at length.
var prose = goldmark.DefaultParser()

// linksOf finds the links of a Markdown text.
func linksOf(t source.Text) []link {
	if !strings.Contains(t.Value, "[") {
		return nil // most texts have none, and reading Markdown takes its time
	}
	raw := []byte(t.Value)
	var found []link
	root := prose.Parse(text.NewReader(raw))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			at := strings.Count(t.Value[:min(startOf(l), len(raw))], "\n")
			found = append(found, link{to: string(l.Destination), line: t.LineAt(at)})
		}
		return ast.WalkContinue, nil // the walk itself never fails
	})
	return found
}

// startOf is the byte at which the first word of a link stands.
func startOf(n ast.Node) int {
	for c := n.FirstChild(); c != nil; c = c.FirstChild() {
		if t, ok := c.(*ast.Text); ok {
			return t.Segment.Start
		}
	}
	return 0
}

// checkLinks finds links that lead nowhere.
func (c *Course) checkLinks(d *source.Decoder, t source.Text) {
	for _, l := range linksOf(t) {
		if complaint := c.follow(l.to); complaint != "" {
			d.Add(l.line, "link to %s", complaint)
		}
	}
}

func (c *Course) follow(to string) (complaint string) {
	if strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://") {
		return ""
	}
	if id, ok := strings.CutPrefix(to, lessonLink); ok {
		if _, known := c.Lesson(id); !known && !c.unread[id] {
			return source.Unknown("lesson", id, c.lessonIDs())
		}
		return ""
	}
	if term, ok := strings.CutPrefix(to, glossaryLink); ok {
		if _, known := c.GlossaryTerm(term); !known {
			return source.Unknown("term", term, c.Glossary.names())
		}
		return ""
	}
	return `"` + to + `", which is no place (allowed: lesson:ID, glossary:TERM, https://…)`
}

// GlossaryTerm finds a term as links write it: its spaces may be hyphens, or %20.
func (c *Course) GlossaryTerm(name string) (Term, bool) {
	for _, form := range []string{name, strings.ReplaceAll(name, "%20", " "), strings.ReplaceAll(name, "-", " ")} {
		if t, ok := c.Glossary.Find(form); ok {
			return t, true
		}
	}
	return Term{}, false
}
