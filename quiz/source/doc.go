// Package source reads what a course is written in: strict YAML with the line
// of every word kept, and texts with {expressions} in them. What is wrong with
// a file is gathered, not returned at the first error, so that an author sees
// all of it in one go: Finding is one line of that list.
//
// It knows neither lessons nor questions; both read their files through it.
package source
