package lessons

import (
	"regexp"
	"slices"
	"strings"

	"kafkalab/engine/config"
	"kafkalab/quiz/source"
)

// piece is a stretch of a lesson's file: prose, or one of the fenced blocks
// that are its machine.
type piece struct {
	word  string // the block's first word, such as step; empty for prose
	title string // what stands behind the word
	line  int    // where it begins: the fence, or the first line of prose that is not empty
	text  source.Text
}

var (
	fenceForm = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$")
	frontLine = regexp.MustCompile(`^---[ \t]*$`)
)

// cleanLines splits a file into lines, without a byte order mark and the
// carriage returns of another system's editor.
func cleanLines(data []byte) []string {
	text := strings.TrimPrefix(string(data), "\ufeff")
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// cutFront takes the front matter off a file: the lines between the first one,
// `---`, and the next such. The body keeps its line numbers: from is the index
// of its first line.
func cutFront(lines []string) (front string, from int, ok bool) {
	if len(lines) == 0 || !frontLine.MatchString(lines[0]) {
		return "", 0, false
	}
	for i := 1; i < len(lines); i++ {
		if frontLine.MatchString(lines[i]) {
			return strings.Join(lines[1:i], "\n") + "\n", i + 1, true
		}
	}
	return "", 0, false
}

// cut splits a body into prose and the blocks whose first word is one of words.
// Other fenced blocks are prose: code that the learner reads. From is the index
// in the file of the first line.
func cut(d *source.Decoder, lines []string, from int, words []string) []piece {
	c := cutter{d: d, words: words}
	for i := from; i < len(lines); i++ {
		c.take(lines[i], i+1)
	}
	if c.fence != "" {
		d.Add(c.open.line, "the block %q is not closed; it ends with a line %s", strings.TrimSpace(c.open.word+" "+c.open.title), c.fence)
	}
	c.flush()
	return c.pieces
}

// cutter walks through the lines of a body.
type cutter struct {
	d      *source.Decoder
	words  []string
	pieces []piece
	prose  []string
	start  int    // line of the first line in prose
	fence  string // the fence that opened the block we are in; empty outside
	open   piece  // the block we are in; no word for code that is prose
	body   []string
}

func (c *cutter) take(line string, number int) {
	m := fenceForm.FindStringSubmatch(line)
	switch {
	case c.fence != "":
		if m != nil && m[2] == "" && m[1][0] == c.fence[0] && len(m[1]) >= len(c.fence) {
			c.close(line, number)
			return
		}
		c.inside(line, number)
	case m != nil:
		c.begin(m[1], m[2], line, number)
	default:
		c.say(line, number)
	}
}

func (c *cutter) begin(fence, info, line string, number int) {
	word, title, _ := strings.Cut(strings.TrimSpace(info), " ")
	c.fence, c.body = fence, nil
	c.open = piece{line: number}
	if slices.Contains(c.words, word) {
		c.flush()
		c.open.word, c.open.title = word, strings.TrimSpace(title)
		return
	}
	if near := config.Nearest(word, c.words); word != "" && near != "" {
		c.d.Add(number, "unknown block %q, did you mean %q? (blocks: %s)", word, near, strings.Join(c.words, ", "))
	}
	c.say(line, number)
}

func (c *cutter) inside(line string, number int) {
	if c.open.word == "" {
		c.say(line, number)
		return
	}
	c.body = append(c.body, line)
}

func (c *cutter) close(line string, number int) {
	c.fence = ""
	if c.open.word == "" {
		c.say(line, number)
		return
	}
	text := strings.Join(c.body, "\n")
	if text != "" {
		text += "\n"
	}
	c.open.text = source.Text{Value: text, Line: c.open.line + 1, Exact: true}
	c.pieces = append(c.pieces, c.open)
}

// say adds a line to the prose; empty lines before the first word do not count.
func (c *cutter) say(line string, number int) {
	if len(c.prose) == 0 {
		if strings.TrimSpace(line) == "" {
			return
		}
		c.start = number
	}
	c.prose = append(c.prose, line)
}

// flush ends the prose that stands before a block, or at the end.
func (c *cutter) flush() {
	text := strings.TrimRight(strings.Join(c.prose, "\n"), " \t\n")
	if text != "" {
		c.pieces = append(c.pieces, piece{line: c.start, text: source.Text{Value: text + "\n", Line: c.start, Exact: true}})
	}
	c.prose = nil
}
