package screen

import (
	"slices"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/lessons"
)

// script is the lines that lead to where a cluster is: what its timeline did. Its
// truth is the timeline's journal; the script adds the lines that did nothing to
// the cluster. To go back and forward leaves no line; what was done in the past
// does, and with it the way back to there.
type script struct {
	first  string // the line that started the cluster, empty for none
	asides []aside
}

// aside is a line that is no command to the cluster, such as a note or an
// expectation, and the journal behind which it was run.
type aside struct {
	behind []engine.Entry
	line   string
}

// journalOf is the whole journal of a session's timeline, with what lies ahead
// when the learner stands in the past; nil before the cluster has begun.
func journalOf(tl *engine.Timeline) ([]engine.Entry, error) {
	if tl == nil {
		return nil, nil
	}
	if tl.AtPresent() {
		return tl.Journal(), nil
	}
	step := tl.Cluster().Step()
	if err := tl.GoTo(tl.Last()); err != nil {
		return nil, err
	}
	return tl.Journal(), tl.GoTo(step)
}

// add takes up a line that was run, with the timeline before it and after it.
// Lines of the journal's are there already, and what was looked at in the past is
// not part of the way.
func (s *script) add(line string, before, after *engine.Timeline, entries int) {
	if verb, _, _ := strings.Cut(line, " "); before == nil && verb == "cluster" {
		s.first = line
		return
	} else if verb == "rewind" || verb == "switch" || verb == "cluster" {
		return
	}
	if after == nil || before != nil && before != after || !after.AtPresent() || len(after.Journal()) > entries {
		return
	}
	s.asides = append(s.asides, aside{slices.Clone(after.Journal()), line})
}

// lines are the script of a journal. Where somebody went back within a command,
// how many steps that were is found out on a cluster of its own.
func (s *script) lines(journal []engine.Entry, open func() lessons.Session) ([]string, error) {
	var list []string
	if s.first != "" {
		list = append(list, s.first)
	}
	rehearsal := &rehearsal{open: open}
	list = append(list, s.behind(journal[:0])...)
	for i, e := range journal {
		list = append(list, console.JournalLine(e))
		if e.Cut > 0 {
			back, err := rehearsal.back(list, e.Cut)
			if err != nil {
				return nil, err
			}
			list = append(list, back...)
		}
		list = append(list, s.behind(journal[:i+1])...)
	}
	return joinTicks(list), nil
}

// behind are the asides that stand right behind a journal.
func (s *script) behind(journal []engine.Entry) (list []string) {
	for _, a := range s.asides {
		if slices.EqualFunc(a.behind, journal, func(x, y engine.Entry) bool { return x.Text == y.Text && x.Cut == y.Cut }) {
			list = append(list, a.line)
		}
	}
	return list
}

// rehearsal runs the lines of a script as far as they are known.
type rehearsal struct {
	open    func() lessons.Session
	session lessons.Session
	run     int // lines
}

// back are the lines that lead back to a step, after some others. A command may
// go on for a while after its last step: to come back to that very step, one
// more is gone first.
func (r *rehearsal) back(lines []string, step int64) ([]string, error) {
	at, err := r.upTo(lines)
	if err != nil || at > step {
		return []string{"rewind " + itoa(at-step)}, err
	}
	const onward = "step"
	if at, err = r.upTo(append(slices.Clone(lines), onward)); err != nil || at <= step {
		return nil, err // nothing happens any more: it is the end, too
	}
	return []string{onward, "rewind " + itoa(at-step)}, nil
}

// upTo runs what was not run yet, and gives the step at which the cluster then
// is.
func (r *rehearsal) upTo(lines []string) (int64, error) {
	if r.session == nil {
		r.session = r.open()
	}
	for ; r.run < len(lines); r.run++ {
		if _, err := r.session.Exec(lines[r.run]); err != nil {
			return 0, err
		}
	}
	h, ok := r.session.(history)
	if !ok || h.Timeline() == nil {
		return 0, errNoFutures
	}
	return h.Timeline().Cluster().Step(), nil
}
