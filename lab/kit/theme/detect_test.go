package theme_test

import (
	"strings"
	"testing"

	"kafkalab/lab/kit/theme"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		env  string // NAME=VALUE, blanks between
		tty  bool
		want theme.Profile
		bg   theme.Background
	}{
		{"", true, theme.Plain, theme.Dark},
		{"TERM=dumb COLORTERM=truecolor", true, theme.Plain, theme.Dark},
		{"TERM=xterm-256color", false, theme.Plain, theme.Dark},
		{"TERM=xterm", true, theme.Ansi16, theme.Dark},
		{"TERM=linux", true, theme.Ansi16, theme.Dark},
		{"TERM=vt220", true, theme.Mono, theme.Dark},
		{"TERM=xterm-256color", true, theme.Ansi256, theme.Dark},
		{"TERM=xterm-256color COLORTERM=truecolor", true, theme.TrueColor, theme.Dark},
		{"TERM=xterm COLORTERM=24bit", true, theme.TrueColor, theme.Dark},
		{"TERM=xterm COLORTERM=yes", true, theme.Ansi256, theme.Dark},
		{"TERM=screen-256color COLORTERM=truecolor", true, theme.Ansi256, theme.Dark},
		{"TERM=screen-256color COLORTERM=truecolor TERM_PROGRAM=tmux", true, theme.TrueColor, theme.Dark},
		{"TERM=tmux-256color COLORTERM=truecolor", true, theme.TrueColor, theme.Dark},
		{"TERM=xterm-kitty", true, theme.TrueColor, theme.Dark},
		{"TERM=xterm-256color TERM_PROGRAM=Apple_Terminal", true, theme.Ansi256, theme.Dark},
		{"TERM=xterm-256color TERM_PROGRAM=vscode", true, theme.TrueColor, theme.Dark},
		{"WT_SESSION=x", true, theme.TrueColor, theme.Dark},
		{"TERM=xterm-256color NO_COLOR=1", true, theme.Mono, theme.Dark},
		{"TERM=xterm-256color NO_COLOR=", true, theme.Ansi256, theme.Dark},
		{"TERM=dumb NO_COLOR=1", true, theme.Plain, theme.Dark},
		{"TERM=xterm-256color CLICOLOR=0", true, theme.Mono, theme.Dark},
		{"TERM=xterm-256color CLICOLOR=1", true, theme.Ansi256, theme.Dark},
		{"TERM=xterm-256color CLICOLOR_FORCE=1", false, theme.Ansi256, theme.Dark},
		{"CLICOLOR_FORCE=1", false, theme.Ansi16, theme.Dark},
		{"TERM=xterm-256color CLICOLOR_FORCE=0", false, theme.Plain, theme.Dark},
		{"TERM=xterm CLICOLOR_FORCE=1 NO_COLOR=1", false, theme.Mono, theme.Dark},
		{"TERM=xterm COLORFGBG=15;0", true, theme.Ansi16, theme.Dark},
		{"TERM=xterm COLORFGBG=0;15", true, theme.Ansi16, theme.Light},
		{"TERM=xterm COLORFGBG=0;default;15", true, theme.Ansi16, theme.Light},
		{"TERM=xterm COLORFGBG=15;8", true, theme.Ansi16, theme.Dark},
		{"TERM=xterm COLORFGBG=0;7", true, theme.Ansi16, theme.Light},
		{"TERM=xterm COLORFGBG=15;default", true, theme.Ansi16, theme.Dark},
		{"TERM=xterm COLORFGBG=99", true, theme.Ansi16, theme.Dark},
		{"TERM=xterm COLORFGBG=;", true, theme.Ansi16, theme.Dark},
	} {
		p, bg := theme.Detect(environment(c.env), c.tty)
		if p != c.want || bg != c.bg {
			t.Errorf("%q, terminal %v: %v background %v, want %v background %v", c.env, c.tty, p, bg, c.want, c.bg)
		}
	}
}

// environment reads NAME=VALUE with blanks between.
func environment(text string) func(string) string {
	env := map[string]string{}
	for _, f := range strings.Fields(text) {
		name, value, _ := strings.Cut(f, "=")
		env[name] = value
	}
	return func(name string) string { return env[name] }
}

func TestNeedsASCII(t *testing.T) {
	for env, want := range map[string]bool{
		"":                              false,
		"TERM=linux LANG=en_US.UTF-8":   true,
		"LANG=en_US.UTF-8":              false,
		"LANG=C":                        false,
		"LANG=C.utf8":                   false,
		"LANG=ja_JP.eucJP":              true,
		"LANG=de_DE.ISO-8859-15@euro":   true,
		"LC_ALL=C.UTF-8 LANG=ru.KOI8-R": false,
		"LC_CTYPE=ru.KOI8-R LANG=C":     true,
	} {
		if got := theme.NeedsASCII(environment(env)); got != want {
			t.Errorf("%q: %v", env, got)
		}
	}
}

func BenchmarkNewPainter(b *testing.B) {
	th, p, err := theme.Choose("dark", theme.Dark, theme.TrueColor)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		theme.NewPainter(th, p, false)
	}
}
