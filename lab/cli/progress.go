package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/afero"
	"github.com/spf13/cobra"

	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

func progressCommand(f *flags) *cobra.Command {
	c := &cobra.Command{Use: "progress [show|reset [LESSON]|export]", Short: "Your progress", Example: "  kafkalab progress export > progress.csv", Args: usage(cobra.NoArgs)}
	show := &cobra.Command{Use: "show", Short: "Show it as a table", Example: "  kafkalab progress show", Args: usage(cobra.NoArgs)}
	show.RunE = func(cmd *cobra.Command, _ []string) error {
		course, store, err := openProgress(f, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		_, err = io.WriteString(cmd.OutOrStdout(), lessons.Table(course, store.Snapshot(), time.Now()))
		return err
	}
	c.RunE = show.RunE
	yes := false
	reset := &cobra.Command{Use: "reset [LESSON]", Short: "Set it back, whole or one lesson", Example: "  kafkalab progress reset offset-seek --yes", Args: usage(cobra.MaximumNArgs(1))}
	reset.Flags().BoolVar(&yes, "yes", false, "do not ask")
	reset.RunE = func(cmd *cobra.Command, args []string) error {
		return resetProgress(f, cmd, strings.Join(args, ""), yes)
	}
	export := &cobra.Command{Use: "export", Short: "Export it as CSV", Example: "  kafkalab progress export > progress.csv", Args: usage(cobra.NoArgs)}
	export.RunE = func(cmd *cobra.Command, _ []string) error {
		_, store, err := openProgress(f, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		return store.ExportCSV(cmd.OutOrStdout())
	}
	c.AddCommand(show, reset, export)
	return c
}

func resetProgress(f *flags, cmd *cobra.Command, lesson string, yes bool) error {
	course, store, err := openProgress(f, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if !store.Saving() {
		return exit(exitFailed) // why not was said when the file was opened
	}
	what := "all progress"
	if lesson != "" {
		if _, err := findLesson(course, lesson); err != nil {
			return err
		}
		what = "the progress of " + lesson
	}
	if !yes {
		fmt.Fprintf(cmd.OutOrStdout(), "Set back %s? [y/N] ", what)
		var answer string
		_, _ = fmt.Fscanln(cmd.InOrStdin(), &answer)
		if answer != "y" && answer != "yes" {
			fmt.Fprintln(cmd.OutOrStdout(), "nothing was changed")
			return exit(exitFailed)
		}
	}
	store.Reset(lesson)
	if err := store.Save(); err != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), err)
		return exit(exitFailed)
	}
	return nil
}

func openProgress(f *flags, errs io.Writer) (*lessons.Course, *progress.Store, error) {
	course, err := loadCourse(f)
	if err != nil {
		return nil, nil, err
	}
	store, message := progress.Open(afero.NewOsFs(), progressPath(f), course.Version, time.Now)
	if message != "" {
		fmt.Fprintln(errs, message)
	}
	return course, store, nil
}

func progressPath(f *flags) string {
	if f.progress != "" {
		return f.progress
	}
	return progress.DefaultPath()
}
