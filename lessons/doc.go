// Package lessons reads a course, checks it, and runs one lesson at a time.
//
// A course is a folder of data: LoadCourse reads it, Lint runs all of it on the
// engine, Cursor takes a learner through a lesson. Nothing here knows a
// terminal; nothing here makes up a number: what a lesson says of a cluster is
// read off the engine at that moment.
//
// # The folder
//
//	course.yaml          title, version, sections: a list of title and lessons (ids in order);
//	                     alike: a list of what is easily confused, see Alike
//	lessons/<id>.md      one lesson
//	drills/<id>.md       one incident drill
//	glossary.md          a paragraph a term: `term (other words): definition. See also: term, term.`
//	misconceptions.txt   an id, a tab, a belief, and behind another tab what is so: what the
//	                     options of checks may name
//	README.md            for those who write the course
//
// # A lesson
//
// Front matter between two lines `---`: id, title, section, minutes, needs (ids
// of lessons, advice only), objectives, panels (names of Panels). Then Markdown,
// in which fenced blocks are the machine:
//
//	```setup          a script: the cluster of the lesson. Prose before it is the Read page
//	```step TITLE     one step; the prose before it is read with it
//	```live           the page to play in; the prose before it is read there
//	```check ID       one knowledge check, see package quiz
//
// Other fenced blocks are prose. The file ends with one line for the job: `For
// the job: …`. Texts may hold {expressions}, `{{` and `}}` are braces. Links go to
// lesson:ID, glossary:TERM, or the web.
//
// # A step
//
//	predict:   the question; without it the step asks nothing
//	answer:    an expression, or a list of them: the first is what happened, each is right
//	unit:      of a number in the answer (ms, B, broker): it may be typed, or not
//	choose:    instead of answer: words, each with an expression that holds when it is the right one
//	run:       a script of a few commands
//	say:       what happened, and why
//	focus:     what is lit: a panel, or a thing in one (isr.broker-3)
//	partition, seek, group, producer:  what the panels show where the cluster does not tell:
//	           orders/0 or orders/0@1; orders/0@1 1085, the lookup in the index; a group; a producer
//
// # The live page
//
//	actions:   the keys that are offered, of Actions
//	goal:      in words; done: an expression that holds once it is reached
//	solution:  a script that gets there, for Lint
//	panel:     where to act, else the lesson's first; partition, group, producer as in a step
//
// # A drill
//
// Front matter with id, title, minutes, needs; the story; one block ```drill:
//
//	setup:     a script that breaks a cluster
//	symptoms:  a script whose output is seen first
//	goal:      an expression that holds once it is repaired: looked at after each of the learner's lines
//	solution:  a script, the shortest repair known
//	wrong:     a list of scripts that people try, each with a comment that says why it is no repair
//	hints:     a list of texts
//	report:    label: expression, shown at the end
package lessons
