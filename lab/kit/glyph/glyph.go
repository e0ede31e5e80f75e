// Package glyph is the one table of signs the lab draws with. Each is a
// constant, one cell wide on every terminal that has the plain box, block and
// arrow characters, and has a twin in ASCII. Screens draw the glyph; whoever
// writes the frame puts the twin in its place when --ascii asks for it, so a
// screen never has to choose.
package glyph

import "strings"

// The signs, by what they say.
const (
	Done      = '✓' // cleared, committed
	Wrong     = '✗' // an abort marker; not this
	Half      = '◐' // begun
	Todo      = '○' // not begun
	Filled    = '●' // there: a step that is done, a replica in sync
	Here      = '◉' // the step we are at
	Gone      = '◌' // stalled, not answering
	Closed    = '▸' // a section that can be opened; the head of an arrow
	Opened    = '▾' // a section that is open
	Bullet    = '•'
	Dagger    = '†' // a tombstone
	Null      = '∅' // no value
	Prompt    = '›'
	Ellipsis  = '…'
	Dot       = '·' // nothing here; between keys
	Play      = '►' // not ▶, which some terminals draw as an emoji of two cells
	PlayBack  = '◄'
	Up        = '▲' // points at something above
	Down      = '▼'
	ArrowUp   = '↑'
	ArrowDown = '↓'
	ArrowLeft = '←'
	Arrow     = '→' // becomes, goes to

	Full   = '█' // there
	Bar    = '▇' // the same in a bar: bars below each other stay apart
	Dark   = '▓'
	Medium = '▒'
	Light  = '░' // left out
	Square = '■'
	Hollow = '□'

	LeftHalf  = '▌' // the bar at the left of the selected row
	RightHalf = '▐'
	Cursor    = '▏' // the cursor after typed text
	Thick     = '━' // a thin progress bar

	Horizontal  = '─'
	Vertical    = '│'
	TeeDown     = '┬'
	TeeUp       = '┴'
	TeeRight    = '├'
	TeeLeft     = '┤'
	Cross       = '┼'
	TopLeft     = '┌'
	TopRight    = '┐'
	BottomLeft  = '└'
	BottomRight = '┘'
)

// Glyph is a sign and the ASCII character that stands for it.
type Glyph struct {
	Rune rune
	Twin byte
}

// Table lists all signs, among them those that prose and Kafka's own terms
// need (≤, ×, µ), ordered by Rune. It is read only.
var Table = [...]Glyph{
	{'°', 'o'}, {'±', '~'}, {'²', '2'}, {'³', '3'}, {'µ', 'u'}, {'·', '.'}, {'×', 'x'}, {'÷', '/'},
	{'–', '-'}, {'—', '-'}, {'‘', '\''}, {'’', '\''}, {'“', '"'}, {'”', '"'}, {'†', 't'}, {'•', '*'}, {'…', '~'}, {'›', '>'},
	{'€', 'E'},
	{'←', '<'}, {'↑', '^'}, {'→', '>'}, {'↓', 'v'}, {'↔', '-'}, {'↵', '$'}, {'⇥', '>'},
	{'∅', '0'}, {'∈', 'e'}, {'−', '-'}, {'∞', '8'}, {'≈', '~'}, {'≠', '!'}, {'≤', '<'}, {'≥', '>'},
	{'─', '-'}, {'━', '='}, {'│', '|'}, {'┌', '+'}, {'┐', '+'}, {'└', '+'}, {'┘', '+'},
	{'├', '+'}, {'┤', '+'}, {'┬', '+'}, {'┴', '+'}, {'┼', '+'},
	{'▁', '_'}, {'▂', '_'}, {'▃', '-'}, {'▄', '-'}, {'▅', '='}, {'▆', '='}, {'▇', '#'}, {'█', '#'},
	{'▌', '|'}, {'▏', '|'}, {'▐', '|'}, {'░', '.'}, {'▒', '='}, {'▓', '%'}, {'▚', 'x'},
	{'■', '#'}, {'□', 'o'}, {'▲', '^'}, {'▸', '>'}, {'►', '>'}, {'▼', 'v'}, {'▾', 'v'}, {'◄', '<'},
	{'◉', '@'}, {'○', 'o'}, {'◌', ':'}, {'●', '*'}, {'◐', '%'},
	{'✓', '+'}, {'✗', 'x'},
}

// ASCII is the ASCII character for r: the twin of a sign, the letter below an
// accent, r itself if it is ASCII already, and ? for what has none. Control
// characters become ?, too.
func ASCII(r rune) rune {
	if r >= ' ' && r < 0x7F {
		return r
	}
	lo, hi := 0, len(Table)
	for lo < hi {
		mid := (lo + hi) / 2
		if Table[mid].Rune < r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(Table) && Table[lo].Rune == r {
		return rune(Table[lo].Twin)
	}
	if r >= 0xC0 && int(r) < 0xC0+len(letters) {
		return rune(letters[r-0xC0])
	}
	return '?'
}

// letters holds the base letters of U+00C0 to U+017F.
const letters = "AAAAAAACEEEEIIII" + "DNOOOOOxOUUUUYTs" + // À to ß
	"aaaaaaaceeeeiiii" + "dnooooo/ouuuuyty" + // à to ÿ
	"AaAaAaCcCcCcCcDd" + "DdEeEeEeEeEeGgGg" + // Ā to ğ
	"GgGgHhHhIiIiIiIi" + "IiJjJjKkkLlLlLlL" + // Ġ to Ŀ
	"lLlNnNnNnnNnOoOo" + "OoOoRrRrRrSsSsSs" + // ŀ to ş
	"SsTtTtTtUuUuUuUu" + "UuUuWwYyYZzZzZzs" // Š to ſ

// Spell is s in ASCII for text that is not yet placed in cells, prose and
// plain output: signs for which one character says too little are spelled out,
// ≤ as <=, → as ->. In a frame, where each sign must keep its one cell, ≤
// becomes < : so a panel in which the difference matters writes "at most".
func Spell(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '≤':
			b.WriteString("<=")
		case '≥':
			b.WriteString(">=")
		case '≠':
			b.WriteString("!=")
		case '→':
			b.WriteString("->")
		case '←':
			b.WriteString("<-")
		case Ellipsis:
			b.WriteString("...")
		case '∞':
			b.WriteString("infinity")
		case '\n':
			b.WriteByte('\n')
		default:
			b.WriteRune(ASCII(r))
		}
	}
	return b.String()
}
