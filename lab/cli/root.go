// Package cli is the command line of kafkalab: it parses flags, puts the parts of
// the house together, and runs them.
package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit statuses, as spec'd for every command.
const (
	exitFailed = 1 // what was asked for was done and found wanting
	exitUsage  = 2 // the command line is wrong
)

const version = "0.1.0"

// exit is an error that has said what it has to say.
type exit int

// usageError is a command line that cobra cannot take.
type usageError struct{ error }

// usage makes the errors of an argument check usage errors.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// Run is the whole program: it does what a command line asks for and gives the exit
// status.
func Run(args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	err := root.Execute()
	var status exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	text := err.Error()
	if errors.As(err, new(usageError)) {
		text = usageText(root, args, text)
	}
	fmt.Fprintf(os.Stderr, "kafkalab: %s\n", text)
	return exitUsage
}

// flags are those that all commands share.
type flags struct {
	course, progress, theme string
	ascii, plain            bool
}

func rootCommand() *cobra.Command {
	f := &flags{}
	root := &cobra.Command{
		Use:           "kafkalab",
		Short:         "An interactive lab on the internals of Apache Kafka",
		Long:          "An interactive lab on Apache Kafka's internals. Without a command it opens.",
		Example:       "  kafkalab lesson offset-seek --step 3",
		Args:          usage(cobra.NoArgs),
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return mirrorEnvironment(cmd) },
		RunE:              func(*cobra.Command, []string) error { return openLab(f, "", 0) },
	}
	p := root.PersistentFlags()
	p.StringVar(&f.course, "course", "", "a course's `folder` instead of the built-in one")
	p.StringVar(&f.progress, "progress", "", "the `file` that keeps your progress")
	p.StringVar(&f.theme, "theme", "", "colours by `name`: dark, light, contrast, none, auto")
	p.BoolVar(&f.ascii, "ascii", false, "draw without box and block characters")
	p.BoolVar(&f.plain, "plain", false, "the course as lines of text")
	cobra.AddTemplateFunc("trim", strings.TrimSpace)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate("{{with or .Long .Short}}{{.}}\n\n{{end}}{{.UsageString}}")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.SetHelpCommand(helpCommand())
	root.AddCommand(lessonCommand(f), lessonsCommand(f), runCommand(), checkCommand(f), brokerCommand(),
		dumpCommand(), fidelityCommand(), progressCommand(f), versionCommand())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short, c.Example = "Completion for your shell", "  kafkalab completion zsh > _kafkalab"
			c.Long = "Writes a script that completes kafkalab's command lines in your shell; each\nshell's --help says where to put it."
			c.Args, c.RunE = usage(cobra.NoArgs), func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range c.Commands() {
				shell.Short, shell.Long, shell.Example = "The script for "+shell.Name(), "", "  kafkalab completion "+shell.Name()
			}
		}
	}
	return root
}

// usageTemplate keeps every help page within 24 lines of 80 columns.
const usageTemplate = `Usage:   {{.UseLine}}{{if .HasAvailableSubCommands}} [COMMAND]{{end}}
{{- if .HasExample}}
Example: {{trim .Example}}{{end}}
{{- if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasParent}}

"kafkalab --help" shows the flags that all commands share.
{{- end}}
`

// helpCommand shows a command's help, as its --help does.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about a command", Example: "  kafkalab help run", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError{fmt.Errorf("unknown command %q for %q", strings.Join(args, " "), "kafkalab")}
			}
			return about.Help()
		},
	}
}

// mirrorEnvironment takes KAFKALAB_NAME for a flag --name that is not given.
func mirrorEnvironment(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := "KAFKALAB_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value, ok := os.LookupEnv(name); ok && !f.Changed && err == nil {
			if e := f.Value.Set(value); e != nil {
				err = fmt.Errorf("%s=%s: %w", name, value, e)
			}
		}
	})
	return err
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Example: "  kafkalab version", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "kafkalab %s (Apache Kafka 4.4)\n", version)
			return err
		},
	}
}

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }
