package cli

import (
	"errors"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"

	"kafkalab/engine/fidelity"
	"kafkalab/lab"
	"kafkalab/lab/kit/theme"
	"kafkalab/quiz/progress"
)

func openLab(f *flags, lesson string, step int) error {
	course, err := loadCourse(f)
	if err != nil {
		return err
	}
	if lesson != "" {
		if _, err := findLesson(course, lesson); err != nil {
			return err
		}
	}
	profile, background := theme.Detect(os.Getenv, true)
	look, profile, err := theme.Choose(f.theme, background, profile)
	if err != nil {
		return err
	}
	if !f.plain && !isTerminal(os.Stdout) {
		return errors.New("the lab needs a terminal for its output; --plain is the course as lines of text")
	}
	store, notice := progress.Open(afero.NewOsFs(), progressPath(f), course.Version, time.Now)
	o := lab.Options{
		Course: course, Store: store, Notice: notice, Now: time.Now, Theme: look, Profile: profile,
		ASCII: f.ascii || theme.NeedsASCII(os.Getenv), Start: lab.Start{Lesson: lesson, Step: step}, Fidelity: fidelity.Rows(), Door: openDoor,
	}
	if f.plain {
		return lab.Plain(os.Stdin, os.Stdout, o)
	}
	model, err := lab.New(o)
	if err != nil {
		return err
	}
	_, err = tea.NewProgram(model, tea.WithAltScreen(), tea.WithMouseCellMotion()).Run()
	return err
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
