package screen

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/afero"

	"kafkalab/engine/console"
)

// fileWords are the lines of the console that are the lab's own, not the
// cluster's: save FILE, open FILE. mine is false for every other line.
func (s *Sandbox) fileWords(line string) (out console.Output, mine bool, err error) {
	verb, file, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(line), ":"), " ")
	file = strings.Trim(strings.TrimSpace(file), `"'`)
	if verb != "save" && verb != "open" {
		return out, false, nil
	}
	out.Command = verb + " " + file
	if file == "" {
		return console.Output{Command: verb}, true, fmt.Errorf("%s needs a file, as %s orders.lab", verb, verb)
	}
	var told string
	if verb == "save" {
		told, err = s.save(file)
	} else {
		told, err = s.open(file)
	}
	if err == nil {
		out.Text = []string{told}
	}
	return out, true, err
}

// save writes the lines that lead to this moment into a file.
func (s *Sandbox) save(file string) (told string, err error) {
	lines, err := s.world.lines()
	if err != nil {
		return "", err
	}
	if len(lines) == 0 {
		return "", errors.New("there is nothing to save: no line was run")
	}
	if err := afero.WriteFile(s.env.Files, file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		return "", fileError(file, err)
	}
	return fmt.Sprintf("saved %s: %s", file, plural(len(lines), "line")), nil
}

// largestScript bounds what is opened, in bytes.
const largestScript = 16 << 20

// open runs a script on a fresh cluster, which takes the place of this one. A
// script that cannot be read leaves everything as it is.
func (s *Sandbox) open(file string) (told string, err error) {
	info, err := s.env.Files.Stat(file)
	switch {
	case err != nil:
		return "", fileError(file, err)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder; a script is a file", file)
	case info.Size() > largestScript:
		return "", fmt.Errorf("%s has %d bytes; a script of at most %d is allowed", file, info.Size(), largestScript)
	}
	data, err := afero.ReadFile(s.env.Files, file)
	if err != nil {
		return "", fileError(file, err)
	}
	if bad := console.Check(string(data)); len(bad) > 0 {
		said := bad[0].Message
		if bad[0].Nearest != "" {
			said += "; did you mean " + bad[0].Nearest + "?"
		}
		return "", fmt.Errorf("%s:%d: %s", file, bad[0].Line, said)
	}
	return s.play(file, string(data))
}

// play runs a script that can be read.
func (s *Sandbox) play(file, text string) (told string, err error) {
	fresh := newWorld(s.env, allPanels(), sandboxActions)
	fresh.shell.words = s.fileWords
	fresh.deck.also = fresh.visit.keyWords
	ran := 0
	for i, line := range strings.Split(text, "\n") {
		out, err := fresh.Exec(strings.TrimSpace(line))
		if err != nil {
			return "", fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		if out.Result != nil {
			ran++
		}
	}
	if !fresh.begun() {
		return "", fmt.Errorf("%s has no command", file)
	}
	s.world.visit.Close("")
	fresh.shell.entries, fresh.shell.history, fresh.shell.at = s.world.shell.entries, s.world.shell.history, s.world.shell.at
	*s.world.shell = *fresh.shell // the console that is open goes on, with the new cluster
	fresh.shell = s.world.shell
	fresh.deck.shell = fresh.shell
	s.world = fresh
	return fmt.Sprintf("opened %s: %s", file, plural(ran, "line")), nil
}

// fileError names the file and what is wrong with it.
func fileError(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file or folder", file)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: not allowed", file)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("%s: %w", file, path.Err)
	}
	return fmt.Errorf("%s: %w", file, err)
}
