package screen

import (
	"fmt"
	"strings"
)

// spokenDigits is how much of a request is shown of a line that gives one as
// hexadecimal: its key, version and correlation id. All of it is to be seen in
// the panel of messages.
const spokenDigits = 16

// Spoken is a command as it is shown: a request that arrives is cut short.
func Spoken(command string) string {
	head, digits, ok := cutLast(command)
	if !ok || !strings.HasPrefix(head, "arrive ") || len(digits) <= 2*spokenDigits {
		return command
	}
	return fmt.Sprintf("%s %s… (%d B)", head, digits[:spokenDigits], len(digits)/2)
}

// cutLast cuts a line before its last word.
func cutLast(line string) (head, word string, ok bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return line, "", false
	}
	return line[:i], line[i+1:], true
}
