package screen

import "kafkalab/engine/console"

// timeShell is a shell whose lines may be run in the past.
type timeShell struct {
	shell  Shell
	travel *travel
	visit  *Visit
}

// Exec runs one line; in the past it makes a branch.
func (s timeShell) Exec(line string) (console.Output, error) {
	s.visit.Before()
	return s.travel.run(func() (console.Output, error) { return s.shell.Exec(line) })
}
