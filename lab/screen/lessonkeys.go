package screen

import "kafkalab/lab/kit/geom"

// Commands are the page's keys, and those that are the same on all pages. While
// text is typed in the panel, they are the panel's alone.
func (s *Lesson) Commands() Commands {
	var cs Commands
	st := s.panel()
	if st != nil && st.typing() {
		st.commands(&cs, s.page().perform)
		return cs
	}
	if st != nil && s.page().field() == nil {
		st.shutCommand(&cs, s.page().perform)
	}
	cs = append(cs, s.page().commands()...)
	s.tabs(&cs)
	s.page().look(&cs)
	s.everywhere(&cs)
	switch {
	case st == nil:
	case s.page().field() == nil:
		st.commands(&cs, s.page().perform)
	default:
		st.motions(&cs, s.page().perform)
	}
	if st != nil && s.page().field() == nil && st.nested() {
		return cs.panelFirst()
	}
	return cs
}

// everywhere lists the keys that work on every page, but for those that would
// be text.
func (s *Lesson) everywhere(cs *Commands) {
	p := s.page()
	free := func(letter rune) bool { return p.field() == nil || p.opens(letter) }
	word, to := s.away()
	cs.quiet(groupEverywhere, "esc", word, always(to))
	if sh := p.console(); sh != nil && free(':') {
		cs.add(groupEverywhere, ":", "console", always(Show{sh}))
	}
	if free('/') {
		cs.add(groupEverywhere, "/", "search", func() []Action { return act(Show{NewSearch(s.env)}) })
	}
	if free('?') {
		cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	}
	if free('q') {
		cs.add(groupEverywhere, "q", "quit", s.quit)
	}
}

// tabs lists the keys that go from column to column and from page to page.
func (s *Lesson) tabs(cs *Commands) {
	if s.paged() && s.side == geom.PageSays {
		cs.add(groupMove, "tab", "panel", func() []Action { s.side = geom.PageShows; return nil })
		if len(s.pages) > 1 {
			cs.quiet(groupMove, "shift+tab", "page before", s.backward)
		}
		return
	}
	if len(s.pages) == 1 {
		if s.paged() {
			cs.add(groupMove, "tab", "text", func() []Action { s.side = geom.PageSays; return nil })
		}
		return
	}
	next := s.pages[(s.at+1)%len(s.pages)].name()
	cs.add(groupMove, "tab", pageWord(next), func() []Action { return s.to(next) })
	if s.paged() {
		cs.quiet(groupMove, "shift+tab", "text", func() []Action { s.side = geom.PageSays; return nil })
		return
	}
	cs.quiet(groupMove, "shift+tab", "page before", s.backward)
}

func (s *Lesson) backward() []Action {
	return s.to(s.pages[(s.at+len(s.pages)-1)%len(s.pages)].name())
}

// pageWord is what a page is called on the key line.
func pageWord(p Page) string {
	if p == Check {
		return "checks"
	}
	return string(p)
}

// quit ends the lab, and asks before if something half done would be lost.
func (s *Lesson) quit() []Action {
	if s.page().half() {
		return act(Show{NewConfirm("This check is half answered. What you chose is not kept.", "quit", "stay", Quit{})})
	}
	return act(Quit{})
}
