package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kafkalab/assets"
	"kafkalab/engine/config"
	"kafkalab/lessons"
)

func lessonCommand(f *flags) *cobra.Command {
	step := 0
	c := &cobra.Command{
		Use: "lesson ID", Short: "Open the lab at one lesson", Example: "  kafkalab lesson offset-seek --step 3",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return openLab(f, args[0], step) },
	}
	c.Flags().IntVar(&step, "step", 0, "open at this `step`, from 1")
	return c
}

func lessonsCommand(f *flags) *cobra.Command {
	answers := false
	c := &cobra.Command{
		Use: "lessons", Short: "List the course", Example: "  kafkalab lessons --answers > key.txt", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			course, err := loadCourse(f)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), lessons.Listing(course, answers))
			return err
		},
	}
	c.Flags().BoolVar(&answers, "answers", false, "with checks, keys and explanations, for an instructor")
	return c
}

func courseFS(f *flags) (fs.FS, error) {
	if f.course == "" {
		return assets.Course(), nil
	}
	info, err := os.Stat(f.course)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder: a course is one, with course.yaml in it", f.course)
	}
	return os.DirFS(f.course), err
}

// loadCourse reads the course; one with faults is an error that names them.
func loadCourse(f *flags) (*lessons.Course, error) {
	fsys, err := courseFS(f)
	if err != nil {
		return nil, err
	}
	course, findings := lessons.LoadCourse(fsys)
	if len(findings) == 0 {
		return course, nil
	}
	for _, x := range findings {
		fmt.Fprintln(os.Stderr, x)
	}
	return nil, exit(exitUsage)
}

func findLesson(course *lessons.Course, id string) (*lessons.Lesson, error) {
	var ids []string
	for _, l := range course.Lessons() {
		if l.ID == id {
			return l, nil
		}
		ids = append(ids, l.ID)
	}
	if near := config.Nearest(id, ids); near != "" {
		return nil, fmt.Errorf("there is no lesson %s; did you mean %s?", id, near)
	}
	return nil, fmt.Errorf("there is no lesson %s; there are %s", id, strings.Join(ids, " "))
}
