package dump

import (
	"fmt"
)

// Damage is something wrong in a file.
type Damage struct {
	At   int64  `json:"at"`   // byte of the file
	What string `json:"what"` // what is wrong there
}

// Error tells the damage without the file's name.
func (d Damage) Error() string { return fmt.Sprintf("at %d: %s", d.At, d.What) }

// damagef makes a Damage at a byte.
func damagef(at int64, format string, args ...any) *Damage {
	return &Damage{At: at, What: fmt.Sprintf(format, args...)}
}
