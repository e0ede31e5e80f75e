package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kafkalab/lessons"
)

func checkCommand(f *flags) *cobra.Command {
	watch := false
	c := &cobra.Command{
		Use: "check [DIR]", Short: "Lint a course by running it", Example: "  kafkalab check --watch mycourse", Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				f.course = args[0]
			}
			fsys, err := courseFS(f)
			if err != nil {
				return err
			}
			if watch && f.course == "" {
				return errors.New("--watch needs a course's folder: the built-in one does not change")
			}
			for {
				findings := lessons.Lint(fsys)
				for _, x := range findings {
					fmt.Fprintln(cmd.OutOrStdout(), x)
				}
				switch {
				case watch:
					if err := waitForChange(fsys); err != nil {
						return err
					}
					fmt.Fprintln(cmd.OutOrStdout(), "checked again")
				case len(findings) > 0:
					return exit(exitFailed)
				default:
					return nil
				}
			}
		},
	}
	c.Flags().BoolVar(&watch, "watch", false, "check again whenever a file changes")
	return c
}

// waitForChange looks at a folder's files until one is not what it was.
func waitForChange(fsys fs.FS) error {
	state := func() string {
		var b strings.Builder
		_ = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // a file that is just being replaced
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
		return b.String()
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	defer signal.Stop(interrupted)
	before := state()
	for {
		select {
		case <-interrupted:
			return exit(0)
		case <-time.After(300 * time.Millisecond):
			if state() != before {
				return nil
			}
		}
	}
}
