package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// execute runs a command line and returns what it says and its error.
func execute(args ...string) (out string, root *cobra.Command, err error) {
	root = rootCommand()
	var b bytes.Buffer
	root.SetOut(&b)
	root.SetErr(&b)
	root.SetIn(strings.NewReader(""))
	root.SetArgs(args)
	err = root.Execute()
	return b.String(), root, err
}

// Every help page fits the smallest terminal and has an example.
func TestHelpFitsTheScreen(t *testing.T) {
	var pages func(c *cobra.Command)
	seen := 0
	pages = func(c *cobra.Command) {
		words := append(strings.Fields(c.CommandPath())[1:], "--help")
		page, _, err := execute(words...)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
		if len(lines) > 24 {
			t.Errorf("%s --help has %d lines", c.CommandPath(), len(lines))
		}
		for _, l := range lines {
			if n := len([]rune(l)); n > 80 {
				t.Errorf("%s --help has a line of %d columns: %s", c.CommandPath(), n, l)
			}
		}
		if !strings.Contains(page, "Example: kafkalab ") {
			t.Errorf("%s --help has no example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			pages(sub)
		}
	}
	_, root, _ := execute("version")
	pages(root)
	if seen < 15 {
		t.Errorf("only %d pages were read", seen)
	}
}

// A wrong command line is an error that names what is wrong and what is near
// it or allowed.
func TestWrongCommandLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"rn", `unknown command "rn" for "kafkalab"; did you mean run?`},
		{"help foo", `unknown command "foo" for "kafkalab"; `},
		{"completion foo", "there are bash, fish, powershell, zsh"},
		{"progress shw", "did you mean show?"},
		{"run --jsn x", "unknown flag: --jsn; did you mean --json?"},
		{"run", "accepts 1 arg(s), received 0; kafkalab run --help shows what is allowed"},
		{"run no-such-file", "no-such-file: no such file"},
		{"run --seed x y", "invalid argument"},
		{"broker --brokers 10", "--brokers 10: 1 to 9 are possible"},
		{"broker --listen 9092", "--listen 9092: HOST:PORT is allowed"},
		{"broker --listen 127.0.0.1:65535", "a port from 0 to 65533 is allowed with 3 brokers"},
		{"broker --listen 0.0.0.0:9092", "--yes-expose agrees to that"},
		{"broker --listen :9092", "--yes-expose agrees to that"},
		{"broker --script no-such-file", "no-such-file: no such file"},
		{"broker --lisen x", "did you mean --listen?"},
		{"lesson ofset-seek", "there is no lesson ofset-seek; did you mean offset-seek?"},
		{"--theme drak", `theme "drak"`},
		{"check cli_test.go", "cli_test.go is no folder"},
		{"version now", "kafkalab version --help shows what is allowed"},
	} {
		args := strings.Fields(c.line)
		_, root, err := execute(args...)
		if err == nil {
			t.Errorf("kafkalab %s is taken", c.line)
			continue
		}
		text := err.Error()
		if errors.As(err, new(usageError)) {
			text = usageText(root, args, text)
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("kafkalab %s says %q, not %q", c.line, text, c.want)
		}
	}
}
