package lessons

import (
	"strings"

	"kafkalab/quiz/source"
)

// commandsOf are the lines of a script that do something.
func commandsOf(script source.Text) []string {
	var list []string
	for line := range strings.Lines(script.Value) {
		if line = strings.TrimSpace(line); isCommand(line) {
			list = append(list, line)
		}
	}
	return list
}

func isCommand(line string) bool { return line != "" && !strings.HasPrefix(line, "#") }

// lineOf is the line of the file that holds command n of a script, from 0.
func lineOf(script source.Text, n int) int {
	for i, line := range strings.Split(script.Value, "\n") {
		if !isCommand(strings.TrimSpace(line)) {
			continue
		}
		if n == 0 {
			return script.LineAt(i)
		}
		n--
	}
	return script.Line
}
