// Command kafkalab is an interactive terminal lab that teaches how Apache Kafka
// works inside, on a real engine: a whole cluster in one process.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kafkalab/assets"
	"kafkalab/engine/config"
	"kafkalab/engine/console"
	"kafkalab/engine/dump"
	"kafkalab/engine/fidelity"
	"kafkalab/engine/wire"
	"kafkalab/lab"
	"kafkalab/lab/kit/theme"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

const version = "0.1.0"

// Exit statuses, as spec'd for every command.
const (
	exitFailed = 1 // what was asked for was done and found wanting
	exitUsage  = 2 // the command line is wrong
)

// exit is an error that has said what it has to say.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

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

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
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

// usageText is what is wrong with a command line, with what is near it or
// allowed instead.
func usageText(root *cobra.Command, args []string, text string) string {
	cmd, _, err := root.Find(args)
	if err != nil {
		cmd = root
	}
	var names []string
	word, dashes := "", ""
	switch {
	case strings.HasPrefix(text, "unknown flag: --"):
		word, dashes = strings.TrimPrefix(text, "unknown flag: --"), "--"
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	case strings.HasPrefix(text, "unknown command"):
		text = strings.Split(text, "\n")[0]
		if quoted := strings.Split(text, `"`); len(quoted) > 1 {
			word = quoted[1]
		}
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
	}
	near := config.Nearest(word, names)
	switch {
	case near != "":
		return text + "; did you mean " + dashes + near + "?"
	case dashes == "" && len(names) > 0:
		return text + "; there are " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s; %s --help shows what is allowed", text, cmd.CommandPath())
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

func runCommand() *cobra.Command {
	o := console.RunOptions{}
	realTime := false
	var trace string
	c := &cobra.Command{
		Use: "run FILE|-", Short: "Run a lab script", Example: "  kafkalab run --json --trace SegmentRolled script.lab",
		Long: "Runs a lab script without a screen. The exit status is 0 when every expect held,\n1 when one failed, 2 when the script cannot be read, 3 when the engine broke an\ninvariant.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if realTime {
				o.Pace = wire.RealTime(wire.SystemClock())
			}
			script, name, err := readScript(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			if trace != "" {
				o.Trace = strings.Split(trace, ",")
			}
			o.Name, o.HasSeed = name, cmd.Flags().Changed("seed") || os.Getenv("KAFKALAB_SEED") != ""
			if status := console.RunScript(script, o, cmd.OutOrStdout(), cmd.ErrOrStderr()); status != 0 {
				return exit(status)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&o.JSON, "json", false, "one JSON object a line")
	c.Flags().StringVar(&trace, "trace", "", "show events of these `kinds`, as A,B or all")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "wins over the script's seed=")
	c.Flags().StringVar(&o.DataDir, "data-dir", "", "keep the nodes' log directories in this `folder`")
	c.Flags().BoolVar(&realTime, "real-time", false, "tie virtual time to the wall clock")
	return c
}

func readScript(name string, stdin io.Reader) (script, shown string, err error) {
	var b []byte
	if name == "-" {
		b, err = io.ReadAll(stdin)
		return string(b), "-", err
	}
	b, err = os.ReadFile(name)
	return string(b), name, err
}

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

func dumpCommand() *cobra.Command {
	o := dump.Options{}
	c := &cobra.Command{
		Use: "dump FILE…", Short: "Decode files of Kafka's log directories", Args: usage(cobra.MinimumNArgs(1)),
		Long:    "Decodes log, index, timeindex, txnindex, snapshot and checkpoint files, ours or\nApache Kafka's, line for line as kafka-dump-log prints them.",
		Example: "  kafkalab dump --records data/broker-1/orders-0/*.log",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !dump.Files(cmd.OutOrStdout(), afero.NewOsFs(), args, o) {
				return exit(exitFailed)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&o.Records, "records", false, "with the records of logs")
	c.Flags().BoolVar(&o.JSON, "json", false, "one JSON object a file")
	return c
}

func fidelityCommand() *cobra.Command {
	return &cobra.Command{
		Use: "fidelity", Short: "What is exact, simplified, absent", Example: "  kafkalab fidelity | grep -A3 absent", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return fidelity.Write(cmd.OutOrStdout()) },
	}
}

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

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Example: "  kafkalab version", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "kafkalab %s (Apache Kafka 4.4)\n", version)
			return err
		},
	}
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
		ASCII: f.ascii || theme.NeedsASCII(os.Getenv), Start: lab.Start{Lesson: lesson, Step: step}, Fidelity: fidelity.Rows(),
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
