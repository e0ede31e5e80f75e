// Package lab is the terminal: the one model of the program, which owns the
// screens, gives them keys one at a time, and performs what they ask for.
//
//	app.go       the model: messages in, frames out
//	options.go   what the model is made from
//	route.go     from actions to screens
//	notes.go     from actions to the progress file
//	mouse.go     clicks and the wheel
//	guests.go    real clients of a cluster that is open
//	plain*.go    the same course as lines of text, without a screen
//
// The screens are in package screen, the panels in package panel, what both are
// made of in package kit. Nothing here runs by itself: there are no ticks, and
// the only commands are the one that saves progress and, while a cluster is open
// to real clients, the one that waits for them.
package lab
