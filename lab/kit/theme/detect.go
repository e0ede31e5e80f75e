package theme

import (
	"strconv"
	"strings"
)

// Profile is what a terminal can show, from less to more.
type Profile int

// Profiles.
const (
	Plain     Profile = iota // text alone: a dumb terminal, a file, a test
	Mono                     // bold, underline and reverse, but no colour
	Ansi16                   // the terminal's own sixteen colours
	Ansi256                  // the 256-colour palette
	TrueColor                // 24 bits
)

// String names a profile.
func (p Profile) String() string {
	if p < Plain || p > TrueColor {
		return "?"
	}
	return [...]string{"plain", "mono", "16 colours", "256 colours", "true colour"}[p]
}

// Detect finds out what a terminal can show and what its background is, from
// the environment alone: to ask the terminal would delay the first frame, and
// some never answer. tty tells if the output is a terminal.
//
// NO_COLOR (no-color.org) and CLICOLOR=0 leave bold and underline;
// CLICOLOR_FORCE wins over them being asked of something that is no terminal.
func Detect(env func(string) string, tty bool) (Profile, Background) {
	return profileOf(env, tty), backgroundOf(env)
}

func profileOf(env func(string) string, tty bool) Profile {
	force := env("CLICOLOR_FORCE") != "" && env("CLICOLOR_FORCE") != "0"
	if !tty && !force {
		return Plain
	}
	p := capability(env)
	if p == Plain && force {
		p = Ansi16
	}
	if env("NO_COLOR") != "" || env("CLICOLOR") == "0" && !force {
		return min(p, Mono)
	}
	return p
}

// capability is what TERM and the variables that terminals set about
// themselves promise.
func capability(env func(string) string) Profile {
	term := env("TERM")
	switch {
	case term == "dumb":
		return Plain
	case term == "":
		// Windows sets no TERM; its consoles have known 24 bits since 2017.
		if env("WT_SESSION") != "" || env("OS") == "Windows_NT" {
			return TrueColor
		}
		return Plain
	case trueColor(env, term):
		return TrueColor
	case strings.Contains(term, "256color"), env("TERM_PROGRAM") == "Apple_Terminal", env("COLORTERM") != "":
		return Ansi256
	case strings.HasPrefix(term, "vt"):
		return Mono
	}
	return Ansi16
}

// trueColorTerms set no COLORTERM of their own, or lose it over SSH.
var trueColorTerms = []string{"xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "rio"}

func trueColor(env func(string) string, term string) bool {
	switch env("COLORTERM") {
	case "truecolor", "24bit":
		// GNU screen passes the variable on from the terminal around it, but
		// not the colours; tmux passes both, and says who it is.
		return !strings.HasPrefix(term, "screen") || env("TERM_PROGRAM") == "tmux"
	}
	switch env("TERM_PROGRAM") {
	case "iTerm.app", "vscode", "WezTerm", "ghostty":
		return true
	}
	if env("WT_SESSION") != "" || strings.HasSuffix(term, "-direct") {
		return true
	}
	for _, t := range trueColorTerms {
		if strings.HasPrefix(term, t) {
			return true
		}
	}
	return false
}

// backgroundOf reads COLORFGBG, "15;0" or "15;default;0": its last field is
// the background's number among the sixteen colours, of which 7 and those from
// 9 on are light.
func backgroundOf(env func(string) string) Background {
	v := env("COLORFGBG")
	n, err := strconv.Atoi(v[strings.LastIndexByte(v, ';')+1:])
	if err == nil && (n == 7 || n >= 9 && n <= 15) {
		return Light
	}
	return Dark
}

// NeedsASCII tells if a terminal is known not to have the lab's signs: the
// Linux console, whose font is too small, and a locale that names a character
// set other than UTF-8. A locale that names none says nothing about the
// terminal, as in most containers.
func NeedsASCII(env func(string) string) bool {
	if env("TERM") == "linux" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := env(name); locale != "" {
			_, charset, named := strings.Cut(locale, ".")
			charset, _, _ = strings.Cut(strings.ToLower(charset), "@")
			return named && charset != "utf-8" && charset != "utf8"
		}
	}
	return false
}
