// Package screen holds the screens of the lab: the course map, a lesson with
// its pages (read, step, live, check), what comes after it, the review of what
// is due, the sandbox, the drills, and the sheets that lie over them (keys,
// console, search, why, how true, predictions, two futures).
//
//	home, map, about        the course map
//	lesson, read, step, …   a lesson; each page is a type of its own
//	world, bench, sandbox   a cluster of the learner's own
//	visit                   a cluster that is open to real clients
//	script, files           what its timeline did, as lines; saved and opened
//	drill, drills           incidents
//	travel, fork, future    back and forward in time, two futures side by side
//	stage, transcript       what is seen of a cluster, one lens at a time
//	search, find            what can be found in a course
//
// A screen is a plain struct. It has what it needs from an Env, is given keys
// one at a time, fills the region it is given, and asks for everything else by
// returning actions: the app opens screens, writes down progress, ends.
//
// What a key does and what is shown of it stand in one place: a screen lists
// the commands that work now, each a binding with what it does. The key line,
// the sheet of keys and the dispatch are made from that one list, so a key that
// is shown works, and a key that does nothing is not shown.
package screen
