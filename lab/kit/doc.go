// Package kit is what the lab's screens and panels are made of. It knows
// nothing of Kafka and nothing of bubbletea's loop: it measures text, divides
// rectangles, and fills them.
//
//	cell      what a character is and how wide: Clean, Width, Wrap, Thin
//	geom      rectangles and the layout of a screen, as pure functions
//	theme     hues and ideas, themes, terminals; the Painter that writes them
//	glyph     the table of signs and their ASCII twins
//	canvas    the grid a frame is drawn on: Region, Pen, Line, rules
//	widget    frame, key line, bars, list, table, input, help sheet, modal
//	markdown  prose to styled lines
//	keys      what a terminal sends, one key at a time
//	kittest   goldens, and what every frame must be
//
// A screen draws like this, from top to bottom, every time:
//
//	l := geom.Arrange(w, h, geom.Plan{Left: 38, Aside: true})
//	c.Reset(w, h)
//	r := c.Region()
//	widget.Frame{Title: title, Status: status, Keys: bindings}.Draw(r, l)
//	says := r.Sub(l.Inner(l.Says))
//	says.PutLines(0, 0, prose)
//	panel.Draw(r.Sub(l.Inner(l.Shows)))
//	return c.Render(painter)
//
// Rules that keep frames right:
//
//   - Draw into the region you were given. It clips; it never grows.
//   - Style leaves. Text that is put carries one style; a selected row is drawn
//     first and washed then (widget.Select).
//   - Say what a thing is (theme.Leader, theme.Open), not how it looks.
//   - Use signs of package glyph. Whether they are written as ASCII is decided
//     when the frame is written.
//   - Colour is never the only sign: put a word or a glyph beside it.
//   - Whatever comes from outside may be put as it is: a canvas shows no unsafe
//     character. To cut or align it first, use package cell, which measures
//     what will be drawn.
package kit
