package theme

import "fmt"

// Background is whether a terminal's background is dark or light.
type Background int

// Backgrounds. Dark is what is assumed when nothing tells.
const (
	Dark Background = iota
	Light
)

// ink is how one hue looks in each profile.
type ink struct {
	rgb  uint32 // 0xRRGGBB
	x256 uint8  // index into the 256-colour palette
	x16  uint8  // SGR parameter: 30-37, 90-97, or 39 for the terminal's own
	attr Style  // attributes that help out in 16 colours
}

// Theme is a table from hues to looks. It is a value without behaviour.
type Theme struct {
	Name string
	// For is the background the theme is made for.
	For Background
	// shapes lets the parts of a bar differ in shape as well as in colour, as
	// they do where there is no colour.
	shapes   bool
	inks     [hueCount]ink
	selected ink // the ground of what is selected; 16 colours and fewer reverse it
}

// Names are the names that Choose knows, in the order to offer them.
var Names = []string{"auto", "dark", "light", "contrast", "none"}

// Choose finds a theme by name for a terminal. "auto" (or "") is dark or light
// by its background, "contrast" the high contrast for it, and "none" shows no
// colour whatever the profile: so it gives the profile to paint with, too.
// Another name is an error that lists those allowed.
func Choose(name string, bg Background, p Profile) (Theme, Profile, error) {
	byBackground := func(dark, light func() Theme) Theme {
		if bg == Light {
			return light()
		}
		return dark()
	}
	switch name {
	case "", "auto":
		return byBackground(darkTheme, lightTheme), p, nil
	case "dark":
		return darkTheme(), p, nil
	case "light":
		return lightTheme(), p, nil
	case "contrast":
		return byBackground(contrastDark, contrastLight), p, nil
	case "none":
		return byBackground(darkTheme, lightTheme), min(p, Mono), nil
	}
	return Theme{}, Plain, fmt.Errorf("theme %q: there is none of that name, choose one of %v", name, Names)
}
