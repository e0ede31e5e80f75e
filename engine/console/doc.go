// Package console is the command language of the lab: it reads a line, runs it
// on a cluster, and says what came of it. Scripts, lesson steps, generated
// questions, saved sessions and what a learner types are all lines of it.
//
// A Session is one conversation with a cluster and its forks. Commands stand
// in one table, each in the file of its kind; what the engine cannot serve yet
// stands there too, so that nothing is ignored in silence.
package console
