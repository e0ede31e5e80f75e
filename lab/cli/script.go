package cli

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kafkalab/engine/console"
	"kafkalab/engine/wire"
)

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
