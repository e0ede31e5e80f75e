package engine

import "errors"

// ErrDates is why a timeline keeps its date: on another day it would have gone
// another way, since some of its records carry times of their own.
var ErrDates = errors.New("the cluster's records carry times of their own: on another date it would not be the same")

// Redate gives the timeline's time 0 another date, in ms since the Unix epoch:
// all that has happened happens again, on that day. A program outside stamps its
// records with its own clock, and a broker refuses what lies more than an hour
// ahead of its own (message.timestamp.after.max.ms), so a cluster that it comes
// to has to live today. The error is ErrDates, or why the journal cannot be run
// again; the timeline is then as it was.
func (t *Timeline) Redate(start int64) error {
	opts, journal, c := t.opts, t.journal, t.cluster
	t.opts.Start = start
	err := t.replay(journal)
	if err == nil && (t.cluster.Now() != c.Now() || t.cluster.Step() != c.Step() || t.cluster.LastEvent() != c.LastEvent()) {
		err = ErrDates
	}
	if err != nil {
		t.opts, t.journal, t.cluster = opts, journal, c
	}
	return err
}
