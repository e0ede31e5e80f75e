package console

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/config"
	"kafkalab/engine/dump"
	"kafkalab/engine/kerror"
)

var lookCommands = []command{
	{"show", "show cluster|topic|log|index|bytes|events|sequence [T/P|T/P@B|EVENT …] [OFFSET|file=FILE] [segment=BASE] [entry=N]", "prints a panel as text", parseShow},
	{"dump", "dump T/P@B [segment=BASE] [file=log|index|timeindex|txnindex|snapshot] [records]", "a file of a log, decoded", parseDump},
}

var dumpFiles = []string{"log", "index", "timeindex", "txnindex", "snapshot"}

type dumpAction struct {
	name    engine.ReplicaName
	segment int64 // -1 for all
	file    string
	records bool
}

func parseDump(a *args) (action, error) {
	w, err := a.word("a replica, as orders/0@1")
	if err != nil {
		return nil, err
	}
	d := dumpAction{file: "log"}
	if d.name.Topic, d.name.Partition, d.name.Broker, err = replica(w); err != nil {
		return nil, err
	}
	if d.segment, err = a.int("segment", -1, 0, math.MaxInt64); err != nil {
		return nil, err
	}
	if file, ok := a.take("file"); ok {
		if !slices.Contains(dumpFiles, file) {
			e := wrong(file, "file=%s: one of %s is allowed", file, strings.Join(dumpFiles, " "))
			e.Nearest = config.Nearest(file, dumpFiles)
			return nil, e
		}
		d.file = file
	}
	d.records, err = a.flag("records")
	return d, err
}

func (d dumpAction) run(s *Session, text string) (Output, error) {
	fs, dir, ok := s.Cluster().Folder(d.name)
	if !ok {
		return refusal(kerror.UnknownTopicOrPartition, "there is no replica %s/%d on broker-%d", d.name.Topic, d.name.Partition, d.name.Broker), nil
	}
	// By their names: a snapshot may lie at the log's end, where no segment begins.
	var names []string
	folder, _ := s.Cluster().ReplicaFiles(d.name)
	for _, f := range folder {
		if base, ext, ok := segmentFile(f.Name); ok && ext == d.file && (d.segment < 0 || base == d.segment) {
			names = append(names, f.Path)
		}
	}
	var out strings.Builder
	contents := []dump.Content{}
	for _, name := range names {
		dump.Files(&out, fs, []string{name}, dump.Options{Records: d.records})
		contents = append(contents, dump.Read(fs, name, dump.Options{Records: d.records}))
	}
	if len(contents) == 0 {
		return Output{Result: dump.Content{}, Text: []string{d.missing(dir)}}, nil
	}
	var result any = contents
	if len(contents) == 1 {
		result = contents[0]
	}
	return Output{Result: result, Text: strings.Split(strings.TrimRight(out.String(), "\n"), "\n")}, nil
}

// missing says that there is no file of a kind, which is no error: only a
// segment that has been rolled to has a snapshot, only one with an aborted
// transaction a txnindex.
func (d dumpAction) missing(dir string) string {
	if d.segment < 0 {
		return fmt.Sprintf("%s has no .%s file", dir, d.file)
	}
	return fmt.Sprintf("%s has no file %020d.%s", dir, d.segment, d.file)
}

// refusal is a result that is only an error.
func refusal(code kerror.Code, format string, args ...any) Output {
	e := kerror.New(code, format, args...)
	return Output{Err: e, Text: []string{errorLine(e)}}
}

// showing is one thing that show can print.
type showing struct {
	what string
	of   string // what it wants to be told: "", topic, replica, or event, which may be left out
	show func(c *engine.Cluster, r engine.ReplicaName, offset int64) (any, []string)
	// parse reads the words of a showing that has keys of its own.
	parse func(*args) (action, error)
}

var showings = []showing{
	{what: "cluster", show: showCluster},
	{what: "topic", of: "topic", show: showTopic},
	{what: "log", of: "replica", show: showLog},
	{what: "index", of: "replica", show: showIndex},
	{what: "bytes", parse: parseShowBytes},
	{what: "isr", of: "topic", show: showISR},
	{what: "cleaner", of: "replica", show: showCleaner},
	{what: "retention", of: "replica", show: showRetention},
	{what: "events", show: showEvents},
	{what: "sequence", of: "event", show: showSequence},
}

// laterShowings are panels of the language that are not there yet.
var laterShowings = []string{"group", "txn", "quorum", "lag", "metrics"}

type showAction struct {
	showing
	replica engine.ReplicaName
	offset  int64
}

func parseShow(a *args) (action, error) {
	what, err := a.word("what to show")
	if err != nil {
		return nil, err
	}
	if slices.Contains(laterShowings, what) {
		return nil, notYet("show " + what)
	}
	at := slices.IndexFunc(showings, func(s showing) bool { return s.what == what })
	if at < 0 {
		var names []string
		for _, s := range showings {
			names = append(names, s.what)
		}
		e := wrong(what, "show %s: one of %s is allowed", what, strings.Join(names, " "))
		e.Nearest = config.Nearest(what, names)
		return nil, e
	}
	if parse := showings[at].parse; parse != nil {
		return parse(a)
	}
	act := showAction{showing: showings[at], offset: -1}
	if act.of == "" || act.of == "event" && len(a.words) == 0 {
		return act, nil
	}
	if act.of == "event" {
		act.offset, err = eventNumber(a)
		return act, err
	}
	w, err := a.word("a " + map[string]string{"topic": "topic", "replica": "partition or replica, as orders/0@1"}[act.of])
	if err != nil {
		return nil, err
	}
	if act.replica, err = showTarget(w); err != nil {
		return nil, err
	}
	if act.of == "topic" || len(a.words) == 0 {
		return act, nil
	}
	act.offset, err = offsetWord(a)
	return act, err
}

func offsetWord(a *args) (int64, error) {
	w, err := a.word("an offset")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		return 0, wrong(w, "%s is no offset: a whole number is", w)
	}
	return n, nil
}

// eventNumber reads the id of an event, as show sequence lists it.
func eventNumber(a *args) (int64, error) {
	w, err := a.word("the number of an event")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil || n < 1 {
		return 0, wrong(w, "%s is no event: a number as show sequence lists it is", w)
	}
	return n, nil
}

// showTarget reads T, T/P or T/P@B; the broker is 0 for the leader's.
func showTarget(w string) (engine.ReplicaName, error) {
	if strings.Contains(w, "@") {
		topic, p, b, err := replica(w)
		return engine.ReplicaName{Topic: topic, Partition: p, Broker: b}, err
	}
	topic, p, err := topicPart(w)
	return engine.ReplicaName{Topic: topic, Partition: max(p, 0)}, err
}

func (a showAction) run(s *Session, text string) (Output, error) {
	c := s.Cluster()
	name := a.replica
	if a.of != "" && a.of != "event" {
		p, ok := c.PartitionView(name.Topic, name.Partition)
		if !ok {
			return refusal(kerror.UnknownTopicOrPartition, "there is no %s/%d", name.Topic, name.Partition), nil
		}
		if name.Broker == 0 {
			name.Broker = p.Leader
		}
		if a.of != "topic" && c.Segments(name) == nil {
			return refusal(kerror.UnknownTopicOrPartition, "there is no replica %s/%d on broker-%d", name.Topic, name.Partition, name.Broker), nil
		}
	}
	result, lines := a.show(c, name, a.offset)
	return Output{Result: snaked(result), Text: lines}, nil
}
