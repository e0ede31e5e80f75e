// Package quiz asks and grades knowledge checks. A question is data of a lesson;
// what is right is computed by the engine, for each asking anew:
//
//	q, findings := quiz.Parse(file, line, id, lesson, yaml)
//	in, err := q.Instance(q.Vary.Draw(rnd), rnd, quiz.Engine)   // runs the case
//	result, err := in.Grade(quiz.Reply{Text: "57 840"})
//
// Its randomness is passed in: the same source gives the same instance and the
// same order of options. The values of an instance go into the progress file as
// n=4,s=2; Vary.Parse reads them back, to ask the same again.
//
// Package quiz/progress keeps what was answered and when it comes back, package
// quiz/source reads YAML with the lines kept.
//
// # A check
//
//	kind:       choice, multi, number, order or script
//	ask:        the question
//	why:        read with the answer
//	source:     the class, KIP or config that says so
//	objective:  which of the lesson's, from 1; lesson: its id, if anything
//	vary:       {n: 3..9, mode: [range, uniform]}: {n} and {mode} stand for one of these everywhere below and above
//	given:      a script: the cluster that is asked about; shown: true lets the learner see it
//	case:       a script that plays what is asked, after given
//	options:    choice, multi: text, right, why, misconception, shows (holds after the case if and only if right)
//	answer:     number: an expression; unit: may be typed, or not
//	near:       number: EXPR: explanation, or EXPR: {why, misconception}
//	items:      order: in the right order
//	goal:       script: an expression; solution: a script that gets there
//
// Texts may hold {expressions}, filled in after given and case have run; `{{` and
// `}}` are braces.
package quiz
