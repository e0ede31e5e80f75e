package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"kafkalab/engine/record"
)

// cutText cuts a text into its lines; a JSON object is one part whatever lines
// it has.
func (x *Parts) cutText(src *source) *Damage {
	all, damage := src.all()
	if damage != nil {
		return damage
	}
	if x.name.kind == jsonKind {
		x.add(0, 0, decodeObject)
		return nil
	}
	decode := decodePropertyLine
	if x.name.kind != propertiesKind {
		decode = decodeCheckpointLine
	}
	for n, l := range linesOf(all) {
		x.add(l.at, n, decode)
	}
	return nil
}

// line is the line that a part is.
func (p *Part) line(n int) textLine {
	p.Title = fmt.Sprintf("line %d", n+1)
	text := strings.TrimSuffix(strings.TrimSuffix(string(p.Data), "\n"), "\r")
	p.Summary = text
	return textLine{p.At, text}
}

// word adds a field for a stretch of the line.
func (p *Part) word(name, kind string, at, size int, note string) {
	if size <= 0 {
		return
	}
	if name == "" {
		name = "no name"
	}
	p.Fields = append(p.Fields, record.Field{
		Name: name, Type: kind, Offset: at, Size: size, Record: record.BatchHeader, Value: javaString(p.Data[at : at+size]), Note: note,
	})
}

func decodeCheckpointLine(x *Parts, src *source, n int, p *Part) {
	l := p.line(n)
	form := offsetsForm
	if x.name.kind == epochsKind {
		form = epochsForm
	}
	if _, p.Damage = form.read(n, l); p.Damage != nil {
		p.word(record.Unreadable, "text", 0, len(l.text), p.Damage.What)
		return
	}
	switch n {
	case 0:
		p.word("version", "int32", 0, len(l.text), "of this format")
	case 1:
		p.word("entries", "int32", 0, len(l.text), "how many lines follow")
		if all, damage := src.all(); damage == nil {
			p.Damage = countDamage(linesOf(all))
		}
	default:
		at := 0
		for i, w := range strings.Fields(l.text) {
			at += strings.Index(l.text[at:], w)
			p.word(form.words[i], form.kinds[i], at, len(w), wordNotes[x.name.plain()+" "+form.words[i]])
			at += len(w)
		}
	}
}

// wordNotes say what a word of a checkpoint means, by the file's name and the
// word's.
var wordNotes = map[string]string{
	"leader-epoch-checkpoint epoch":           "of a leader of this partition",
	"leader-epoch-checkpoint startOffset":     "the log's end when it became leader: what it wrote begins there",
	"recovery-point-offset-checkpoint offset": "the first offset not known to be flushed: after a crash, recovery begins in its segment",
	"log-start-offset-checkpoint offset":      "the first offset that can be read, inside the first segment",
	"replication-offset-checkpoint offset":    "the high watermark, written every 5 s",
	"cleaner-offset-checkpoint offset":        "the first dirty offset: up to it the cleaner has been",
}

func decodePropertyLine(x *Parts, _ *source, n int, p *Part) {
	l := p.line(n)
	if isComment(l.text) {
		p.word("comment", "text", 0, len(l.text), "")
		return
	}
	pr, damage := readProperty(l, x.name.sign())
	if p.Damage = damage; damage != nil {
		p.word(record.Unreadable, "text", 0, len(l.text), damage.What)
		return
	}
	key := strings.Index(l.text, pr.Key)
	p.word("name", "text", key, len(pr.Key), "")
	from := key + len(pr.Key)
	from += strings.Index(l.text[from:], strings.TrimSpace(x.name.sign())) + 1
	p.word(pr.Key, "text", from+strings.Index(l.text[from:], pr.Value), len(pr.Value), valueNotes[pr.Key])
}

// valueNotes say what the value of a property or of a JSON object means.
var valueNotes = map[string]string{
	"version":      "of this format",
	"topic_id":     "the topic's id: a folder of a deleted topic of the same name is told by it",
	"node.id":      "the broker whose directory this is",
	"cluster.id":   "another cluster's broker does not start on this directory",
	"directory.id": "of this log directory",
	"brokerEpoch":  "of the life that ended cleanly",
	"leaderId":     "the leader that this voter knows, -1 for none",
	"leaderEpoch":  "the newest epoch that this voter knows",
	"votedId":      "whom it gave its vote in that epoch, -1 for none",
	"data_version": "of this format",
}

func decodeObject(_ *Parts, _ *source, _ int, p *Part) {
	p.Title, p.Summary = "object", string(bytes.TrimSpace(p.Data))
	if p.Damage = checkObject(p.Data); p.Damage != nil {
		p.word(record.Unreadable, "text", 0, len(p.Data), p.Damage.What)
		return
	}
	d := json.NewDecoder(bytes.NewReader(p.Data))
	d.Token() // the brace: it is an object
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return
		}
		name := fmt.Sprint(key)
		p.word(name, "JSON", int(d.InputOffset())-len(value), len(value), valueNotes[name])
	}
}

// plain is the file's name without what its stage adds.
func (n fileName) plain() string { return strings.TrimSuffix(n.base, n.stage) }
