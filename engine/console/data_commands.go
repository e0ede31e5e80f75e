package console

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/client"
	"kafkalab/engine/config"
	"kafkalab/engine/record"
)

var dataCommands = []command{
	{"produce", "produce T[/P] key=K value=V count=N size=B header.H=V timestamp=MS tombstone acks=… batch=N wait=true", "writes records through the plain client", parseProduce},
	{"producer", "producer P acks=all enable.idempotence=true CONFIG=…", "a named producer with its own configs", parseProducer},
	{"retry", "retry P", "sends its last batch again, with the same sequence", parseRetry},
	{"consume", "consume T[/P] from=earliest|latest|OFFSET|time:MS max=N isolation=read_uncommitted|read_committed", "reads up to the high watermark", parseConsume},
	{"truncate", "truncate T/P before=OFFSET", "deletes records below an offset (DeleteRecords)", parseTruncate},
	{"roll", "roll T/P", "closes the active segment", parseRoll},
}

// Bounds of one produce: a script that asks for more has a typing error.
const (
	maxCount        = 10_000_000
	maxValueBytes   = 64 << 20
	maxCommandBytes = 1 << 30
)

// requestTimeoutMs is the producer's request.timeout.ms.
const requestTimeoutMs = 30000

func parseProduce(a *args) (action, error) {
	w, err := a.word("a topic or partition")
	if err != nil {
		return nil, err
	}
	as, named := a.take("as")
	cmd := client.Produce{TimeoutMs: requestTimeoutMs, Size: -1}
	if cmd.Topic, cmd.Partition, err = topicPart(w); err != nil {
		return nil, err
	}
	if err := producedRecords(a, &cmd); err != nil {
		return nil, err
	}
	if _, given := a.peek("acks"); given && named {
		return nil, wrong("acks", "acks is the producer's own: `producer %s acks=…` sets it", as)
	}
	if cmd.Acks, err = parseAcks(a); err != nil {
		return nil, err
	}
	batch, err := a.int("batch", 0, 1, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	wait, err := a.bool("wait", true)
	cmd.Batch, cmd.NoWait = int(batch), !wait
	if named {
		return engineAction{engine.ProduceAs{Name: as, Produce: cmd}, formatProduced}, err
	}
	return engineAction{engine.Produce{Produce: cmd}, formatProduced}, err
}

// nodeName is what a client may be called: what a path can name.
var nodeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func parseProducer(a *args) (action, error) {
	name, err := a.word("a name")
	if err != nil {
		return nil, err
	}
	if !nodeName.MatchString(name) {
		return nil, wrong(name, "%s is no name: letters, digits, - and _ are allowed, a letter first", name)
	}
	if id, ok := a.peek("transactional.id"); ok {
		return nil, notYet("transactional.id=" + id)
	}
	settings, err := a.configs(config.Producer)
	return engineAction{engine.NewProducer{Name: name, Configs: settings}, nil}, err
}

func parseRetry(a *args) (action, error) {
	name, err := a.word("a producer")
	return engineAction{engine.Retry{Name: name}, formatProduced}, err
}

// producedRecords reads what the records of a produce are made of.
func producedRecords(a *args, cmd *client.Produce) error {
	n, err := a.int("count", 1, 1, maxCount)
	if err != nil {
		return err
	}
	cmd.Count = int(n)
	if key, ok := a.take("key"); ok {
		cmd.Key = &key
	}
	value, hasValue := a.take("value")
	cmd.Value = value
	size, err := a.size("size", -1, maxValueBytes)
	if err != nil {
		return err
	}
	cmd.Size = int(size)
	if cmd.Tombstone, err = a.flag("tombstone"); err != nil {
		return err
	}
	switch {
	case hasValue && size >= 0:
		return wrong("size", "value and size are two ways to say the same: one is allowed")
	case cmd.Tombstone && (hasValue || size >= 0):
		return wrong("tombstone", "a tombstone has no value: value and size do not go with it")
	case n*max(size, int64(len(value)), 1) > maxCommandBytes:
		return wrong("count", "%d records of %d bytes: one produce may write %d bytes", n, max(size, int64(len(value))), maxCommandBytes)
	}
	if s, ok := a.take("timestamp"); ok {
		ms, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return wrong(s, "timestamp=%s: ms since 1970 are allowed, as 1767225600000", s)
		}
		cmd.Timestamp = &ms
	}
	return producedHeaders(a, cmd)
}

func producedHeaders(a *args, cmd *client.Produce) error {
	for i := 0; i < len(a.keys); i++ {
		name, ok := strings.CutPrefix(a.keys[i].key, "header.")
		if !ok {
			continue
		}
		if name == "" {
			return wrong(a.keys[i].key, "a header needs a name: header.H=V")
		}
		cmd.Headers = append(cmd.Headers, record.Header{Key: name, Value: []byte(a.keys[i].value)})
		a.keys = append(a.keys[:i], a.keys[i+1:]...)
		i--
	}
	return nil
}

func parseAcks(a *args) (int16, error) {
	s, ok := a.take("acks")
	if !ok || s == "all" {
		return -1, nil
	}
	n, err := strconv.ParseInt(s, 10, 16)
	if err != nil {
		return 0, wrong(s, "acks=%s: 0, 1 or all is allowed", s)
	}
	return int16(n), nil
}

func formatProduced(r engine.Result) []string {
	p, ok := r.(engine.Produced)
	if !ok {
		return nil
	}
	var out []string
	for _, part := range p.Parts {
		switch {
		case part.Err != nil:
			out = append(out, errorLine(part.Err))
		case part.Base < 0:
			out = append(out, fmt.Sprintf("sent %s: %s, not answered", part.Partition, count(part.Count, "record")))
		default:
			out = append(out, fmt.Sprintf("produced %s: %s, acks=%s, %d ms", part.Partition, offsets(part), p.Acks, p.LatencyMs))
		}
	}
	return out
}

func offsets(p engine.ProducedPart) string {
	if p.Count == 1 {
		return fmt.Sprintf("offset %d", p.Base)
	}
	return fmt.Sprintf("offsets %d-%d", p.Base, p.Base+int64(p.Count)-1)
}

func parseConsume(a *args) (action, error) {
	w, err := a.word("a topic or partition")
	if err != nil {
		return nil, err
	}
	var cmd client.Consume
	if cmd.Topic, cmd.Partition, err = topicPart(w); err != nil {
		return nil, err
	}
	if s, ok := a.take("from"); ok {
		if cmd.From, err = parseFrom(s); err != nil {
			return nil, err
		}
	}
	most, err := a.int("max", 0, 1, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	cmd.Max = int(most)
	switch s, ok := a.take("isolation"); {
	case !ok || s == "read_uncommitted":
	case s == "read_committed":
		cmd.ReadCommitted = true
	default:
		return nil, wrong(s, "isolation=%s: read_uncommitted or read_committed is allowed", s)
	}
	return engineAction{engine.Consume{Consume: cmd}, formatConsumed}, nil
}

func parseFrom(s string) (client.From, error) {
	switch s {
	case "earliest":
		return client.From{Kind: client.FromEarliest}, nil
	case "latest":
		return client.From{Kind: client.FromLatest}, nil
	}
	kind, digits := client.FromOffset, s
	if ms, ok := strings.CutPrefix(s, "time:"); ok {
		kind, digits = client.FromTime, ms
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || (kind == client.FromTime && n < 0) {
		return client.From{}, wrong(s, "from=%s: earliest, latest, an offset, or time:MS with ms since 1970 is allowed", s)
	}
	return client.From{Kind: kind, Number: n}, nil
}

func formatConsumed(r engine.Result) []string {
	c, ok := r.(engine.Consumed)
	if !ok {
		return nil
	}
	var out []string
	for _, rec := range c.Records {
		out = append(out, recordLine(rec))
	}
	for _, p := range c.Parts {
		if p.Err != nil {
			out = append(out, errorLine(p.Err))
			continue
		}
		line := fmt.Sprintf("%s, next offset %d, high watermark %d", count(p.Count, "record"), p.Next, p.HW)
		if len(c.Parts) > 1 {
			line = p.Partition + ": " + line
		}
		out = append(out, line)
	}
	return out
}

func recordLine(r engine.ConsumedRecord) string {
	line := fmt.Sprintf("%s %d %s:%d key=%s value=%s", r.Partition, r.Offset, r.TimestampType, r.Timestamp, orNull(r.Key), orNull(r.Value))
	if len(r.Headers) == 0 {
		return line
	}
	var headers []string
	for _, h := range r.Headers {
		headers = append(headers, h.Key+":"+orNull(h.Value))
	}
	return line + " headers=" + strings.Join(headers, ",")
}

func orNull(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func parseTruncate(a *args) (action, error) {
	w, err := a.word("a partition")
	if err != nil {
		return nil, err
	}
	var cmd client.DeleteRecords
	if cmd.Topic, cmd.Partition, err = partition(w); err != nil {
		return nil, err
	}
	if cmd.Before, err = a.int("before", math.MinInt64, math.MinInt64+1, math.MaxInt64); err != nil {
		return nil, err
	}
	if cmd.Before == math.MinInt64 {
		return nil, wrong("", "truncate needs before=OFFSET")
	}
	return engineAction{engine.Truncate{DeleteRecords: cmd}, func(r engine.Result) []string {
		t, ok := r.(engine.Truncated)
		if !ok {
			return nil
		}
		return []string{fmt.Sprintf("truncated %s: starts at %d", t.Partition, t.Start)}
	}}, nil
}

func parseRoll(a *args) (action, error) {
	w, err := a.word("a partition")
	if err != nil {
		return nil, err
	}
	topic, n, err := partition(w)
	return engineAction{engine.Roll{Topic: topic, Partition: n}, nil}, err
}
