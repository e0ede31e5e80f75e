package lessons

import (
	"regexp"
	"strings"

	"kafkalab/quiz/source"
)

// Glossary are the terms of a course, in the order of its file.
type Glossary []Term

// Term is one entry: a word, other words for it, what it means, where to read
// on.
type Term struct {
	Name       string
	Also       []string // such as HW
	Definition string   // Markdown, one paragraph
	SeeAlso    []string // names of other terms
	Line       int
}

// Find looks a term up by its name or one of its other words; case does not
// matter.
func (g Glossary) Find(name string) (Term, bool) {
	for _, t := range g {
		if strings.EqualFold(t.Name, name) {
			return t, true
		}
	}
	for _, t := range g {
		for _, also := range t.Also {
			if strings.EqualFold(also, name) {
				return t, true
			}
		}
	}
	return Term{}, false
}

func (g Glossary) names() []string {
	var names []string
	for _, t := range g {
		names = append(names, t.Name)
		names = append(names, t.Also...)
	}
	return names
}

var (
	// **high watermark** (HW, hw): the definition
	termForm    = regexp.MustCompile(`^(?:- )?\*{0,2}([^:*()]+?)\*{0,2}(?:\s*\(([^()]*)\))?\*{0,2}:\*{0,2}\s+(\S.*)$`)
	seeAlsoForm = regexp.MustCompile(`(?i)^(.*?)\s*\bsee also:?\s+(.+?)\.?$`)
)

// parseGlossary reads glossary.md: a paragraph for each term, `term: definition`
// or `term (other words): definition`, at its end `See also: term, term.`
// Headings are for those who read the file.
func parseGlossary(d *source.Decoder, data []byte) Glossary {
	var g Glossary
	var paragraph []string
	start := 0
	flush := func() {
		if len(paragraph) > 0 {
			g = g.add(d, strings.Join(paragraph, " "), start)
		}
		paragraph = nil
	}
	for i, line := range append(cleanLines(data), "") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "- ") {
			flush()
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(paragraph) == 0 {
			start = i + 1
		}
		paragraph = append(paragraph, line)
	}
	g.resolve(d)
	return g
}

func (g Glossary) add(d *source.Decoder, text string, line int) Glossary {
	m := termForm.FindStringSubmatch(text)
	if m == nil {
		d.Add(line, "no term (allowed: `term: definition`, or `term (other words): definition. See also: term, term.`)")
		return g
	}
	t := Term{Name: strings.TrimSpace(m[1]), Definition: m[3], Line: line}
	if m[2] != "" {
		t.Also = splitList(m[2])
	}
	if s := seeAlsoForm.FindStringSubmatch(t.Definition); s != nil {
		t.Definition, t.SeeAlso = s[1], splitList(s[2])
	}
	for _, name := range append([]string{t.Name}, t.Also...) {
		if before, ok := g.Find(name); ok {
			d.Add(line, "the term %q stands twice, first in line %d", name, before.Line)
		}
	}
	return append(g, t)
}

func splitList(text string) []string {
	var list []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.Trim(strings.TrimSpace(item), "*_"); item != "" {
			list = append(list, item)
		}
	}
	return list
}

// resolve finds references to terms that are not there.
func (g Glossary) resolve(d *source.Decoder) {
	for _, t := range g {
		for _, name := range t.SeeAlso {
			if _, ok := g.Find(name); !ok {
				d.Add(t.Line, "%s: see also %s", t.Name, source.Unknown("term", name, g.names()))
			}
		}
	}
}
