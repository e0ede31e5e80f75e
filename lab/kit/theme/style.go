// Package theme is the vocabulary of the lab's colours. A screen says what a
// thing is (a leader, an open transaction, a label); a Theme says how that
// looks, a Profile what the terminal can show, and a Painter, made from both,
// turns the one into the other when a frame is written. So screens know no
// colour, a change of theme needs no redraw of theirs, and nothing here is
// state of the package.
package theme

// Style is what a cell means and how much it stands out: one hue, any
// attributes and Selected, joined by |, such as Teal|Bold. The zero Style is
// plain Text. Two hues cannot be joined.
type Style uint16

// The hues. Use the names of ideas below where one fits.
const (
	Text   Style = iota // values, prose
	Bright              // what the eye should find first: names, titles
	Muted               // labels, and what is there to read once
	Faint               // what is absent, or still to come
	Rule                // lines between parts of a screen
	Focus               // what the learner is doing now: cursor, prediction
	Teal                // committed, right, cleared
	Amber               // not yet: open, waiting, due
	Red                 // lost, aborted, refused
	Violet              // a leader
	Blue                // a follower
	Green               // a consumer
	hueCount

	hueMask Style = 0xF
)

// The attributes. Selected is the ground of the row or field that the learner
// is on.
const (
	Selected Style = 1 << (iota + 4)
	Bold
	Underline
	Reverse

	styleCount = 1 << (iota + 4)
	attrs      = Bold | Underline | Reverse
	base       = attrs | Selected
)

// The ideas of the lab and their styles: one colour for one idea, in prose,
// panels, charts and events alike.
const (
	Name   = Bright | Bold // the name of a thing; a heading
	Label  = Muted         // what a value is called
	Strong = Text | Bold   // a value to look at
	Key    = Amber | Bold  // a key that works now

	Committed = Teal // below the high watermark
	Cleared   = Teal
	Right     = Teal

	Open    = Amber // not yet committed, or a transaction under way
	Waiting = Amber
	Due     = Amber

	Lost      = Red
	Aborted   = Red
	Refused   = Red
	Tombstone = Red

	Leader   = Violet
	Follower = Blue
	Consumer = Green
)

// Hue is the hue of s alone, without attributes and ground.
func (s Style) Hue() Style { return s & hueMask }

var hueNames = [hueCount]string{
	"Text", "Bright", "Muted", "Faint", "Rule", "Focus", "Teal", "Amber", "Red", "Violet", "Blue", "Green",
}

// String names a style for tests and messages: Teal|Bold.
func (s Style) String() string {
	name := "?"
	if s.Hue() < hueCount {
		name = hueNames[s.Hue()]
	}
	for _, a := range []struct {
		bit  Style
		name string
	}{{Selected, "Selected"}, {Bold, "Bold"}, {Underline, "Underline"}, {Reverse, "Reverse"}} {
		if s&a.bit != 0 {
			name += "|" + a.name
		}
	}
	return name
}
