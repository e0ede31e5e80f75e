package lessons

import "kafkalab/quiz/source"

// links finds what leads nowhere, and ids that stand twice, once all is read.
func (l *loader) links() {
	checks := map[string]string{}
	for _, lesson := range l.course.Lessons() {
		d := &source.Decoder{File: lesson.File}
		for _, need := range lesson.front.Needs {
			l.need(d, need, lesson.ID)
		}
		for _, t := range lesson.prose() {
			l.course.checkLinks(d, t)
		}
		for _, q := range lesson.Checks {
			if before := checks[q.ID]; before != "" {
				d.Add(q.Line-1, "check %s stands twice, first in %s", q.ID, before)
			}
			checks[q.ID] = lesson.File
		}
		l.findings = append(l.findings, d.Findings...)
	}
	for _, drill := range l.course.Drills {
		d := &source.Decoder{File: drill.File}
		for _, need := range drill.needs {
			l.need(d, need, "")
		}
		l.course.checkLinks(d, drill.Story)
		l.findings = append(l.findings, d.Findings...)
	}
}

func (l *loader) need(d *source.Decoder, need source.Text, self string) {
	if need.Value == self {
		d.Add(need.Line, "needs: the lesson itself")
		return
	}
	if _, ok := l.lessons[need.Value]; !ok {
		d.Add(need.Line, "needs: %s", source.Unknown("lesson", need.Value, sortedKeys(l.lessons)))
	}
}

// prose are all texts of a lesson that are Markdown.
func (l *Lesson) prose() []source.Text {
	texts := []source.Text{l.Read, l.Job}
	for _, s := range l.Steps {
		texts = append(texts, s.Prose, s.Say)
	}
	if l.Live != nil {
		texts = append(texts, l.Live.Prose, l.Live.Goal)
	}
	for _, q := range l.Checks {
		texts = append(texts, q.Ask, q.Why)
		for _, o := range q.Options {
			texts = append(texts, o.Text, o.Why)
		}
	}
	return texts
}
