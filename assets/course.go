package assets

import (
	"embed"
	"io/fs"
)

//go:embed course
var course embed.FS

// Course is the built-in course: course.yaml and what it names.
func Course() fs.FS {
	sub, err := fs.Sub(course, "course")
	if err != nil {
		panic("assets: " + err.Error()) // only if the line above is wrong
	}
	return sub
}
