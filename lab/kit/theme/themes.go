package theme

// The themes are Go data, not files: their completeness is checked by the
// compiler and a test, they cost nothing at start, and no wrong one can appear
// at run time. A theme of another file format would have to be read before the
// first frame.
//
// The 256-colour column is not always the nearest colour: where two hues share
// it, one steps aside. The 16-colour column is chosen for legibility on the
// palettes in use: no dark blue on dark, no yellow on light.

// mono is what stands in for the hues that need it where there is no colour.
// Actors (Violet, Blue, Green) do without: their names stand beside them.
func mono(hue Style) Style {
	switch hue {
	case Focus:
		return Bold | Underline
	case Teal:
		return Bold
	case Amber:
		return Underline
	case Red:
		return Reverse
	}
	return 0
}

func darkTheme() Theme {
	return Theme{
		Name: "dark", For: Dark,
		inks: [hueCount]ink{
			Text:   {rgb: 0xD7DBE3, x256: 253, x16: 39},
			Bright: {rgb: 0xF2F4F8, x256: 255, x16: 97},
			Muted:  {rgb: 0x8A92A3, x256: 246, x16: 37},
			Faint:  {rgb: 0x4A5162, x256: 240, x16: 90},
			Rule:   {rgb: 0x353B49, x256: 237, x16: 90},
			Focus:  {rgb: 0x8FB8FF, x256: 111, x16: 94, attr: Bold},
			Teal:   {rgb: 0x5CC8B4, x256: 79, x16: 36},
			Amber:  {rgb: 0xE8B45A, x256: 179, x16: 33},
			Red:    {rgb: 0xF27A8B, x256: 210, x16: 91},
			Violet: {rgb: 0xC3A2F5, x256: 183, x16: 95},
			Blue:   {rgb: 0x7FB2F0, x256: 75, x16: 94},
			Green:  {rgb: 0x9BD27A, x256: 114, x16: 32},
		},
		selected: ink{rgb: 0x262C3A, x256: 236},
	}
}

func lightTheme() Theme {
	return Theme{
		Name: "light", For: Light,
		inks: [hueCount]ink{
			Text:   {rgb: 0x2B2F3A, x256: 236, x16: 39},
			Bright: {rgb: 0x0B0D12, x256: 232, x16: 30},
			Muted:  {rgb: 0x5C6473, x256: 241, x16: 90},
			Faint:  {rgb: 0xA4ABB8, x256: 248, x16: 90},
			Rule:   {rgb: 0xC9CED8, x256: 251, x16: 90},
			Focus:  {rgb: 0x1D57C9, x256: 26, x16: 34, attr: Bold},
			Teal:   {rgb: 0x0A7565, x256: 23, x16: 36},
			Amber:  {rgb: 0x966000, x256: 94, x16: 39, attr: Underline},
			Red:    {rgb: 0xBE2640, x256: 125, x16: 31},
			Violet: {rgb: 0x7339C4, x256: 92, x16: 35},
			Blue:   {rgb: 0x1F67B0, x256: 25, x16: 34},
			Green:  {rgb: 0x3A731C, x256: 22, x16: 32},
		},
		selected: ink{rgb: 0xE4E9F2, x256: 254},
	}
}

func contrastDark() Theme {
	return Theme{
		Name: "contrast", For: Dark, shapes: true,
		inks: [hueCount]ink{
			Text:   {rgb: 0xFFFFFF, x256: 231, x16: 97},
			Bright: {rgb: 0xFFFFFF, x256: 231, x16: 97},
			Muted:  {rgb: 0xD4D8E0, x256: 252, x16: 37},
			Faint:  {rgb: 0x9DA5B4, x256: 248, x16: 37},
			Rule:   {rgb: 0x9DA5B4, x256: 248, x16: 37},
			Focus:  {rgb: 0xA8CBFF, x256: 153, x16: 94, attr: Bold | Underline},
			Teal:   {rgb: 0x5FF0D4, x256: 86, x16: 96},
			Amber:  {rgb: 0xFFCB6B, x256: 221, x16: 93},
			Red:    {rgb: 0xFF9AA8, x256: 217, x16: 91},
			Violet: {rgb: 0xDCC4FF, x256: 183, x16: 95},
			Blue:   {rgb: 0x8CC4FF, x256: 117, x16: 94},
			Green:  {rgb: 0xB4F28C, x256: 156, x16: 92},
		},
		selected: ink{rgb: 0x2D3A55, x256: 237},
	}
}

func contrastLight() Theme {
	return Theme{
		Name: "contrast", For: Light, shapes: true,
		inks: [hueCount]ink{
			Text:   {rgb: 0x000000, x256: 16, x16: 39},
			Bright: {rgb: 0x000000, x256: 16, x16: 39},
			Muted:  {rgb: 0x33383F, x256: 237, x16: 39},
			Faint:  {rgb: 0x5A616E, x256: 241, x16: 90},
			Rule:   {rgb: 0x5A616E, x256: 241, x16: 90},
			Focus:  {rgb: 0x0A3EA0, x256: 19, x16: 34, attr: Bold | Underline},
			Teal:   {rgb: 0x00554A, x256: 23, x16: 36},
			Amber:  {rgb: 0x653E00, x256: 58, x16: 39, attr: Underline},
			Red:    {rgb: 0x960E28, x256: 88, x16: 31},
			Violet: {rgb: 0x541C9E, x256: 54, x16: 35},
			Blue:   {rgb: 0x0E4A85, x256: 24, x16: 34},
			Green:  {rgb: 0x245207, x256: 22, x16: 32},
		},
		selected: ink{rgb: 0xDDE5F5, x256: 254},
	}
}
