package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"kafkalab/engine"
	"kafkalab/engine/wire"
)

// Exit statuses of the broker command beyond those of every command.
const (
	exitBroken      = 3   // the engine broke an invariant
	exitInterrupted = 130 // a second interrupt did not wait for the shutdown
)

// brokerFlags are those of `kafkalab broker`.
type brokerFlags struct {
	listen, dataDir, script, record string
	brokers                         int
	seed                            uint64
	expose                          bool
}

func brokerCommand() *cobra.Command {
	f := &brokerFlags{}
	c := &cobra.Command{
		Use: "broker", Short: "Serve real clients", Args: usage(cobra.NoArgs),
		Long:    "Serves real clients: each broker has a listener, on ports that count up from\nthat of --listen (0 takes free ones); `ready ADDR,…` is printed when all serve.\nCtrl-C shuts the brokers down in an orderly way, a second one ends at once.",
		Example: "  kafkalab broker --listen 127.0.0.1:9092 --brokers 3",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(cmd)
			if err != nil {
				return err
			}
			return serve(o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:9092", "`address` of broker-1, 127.0.0.1:9092 if not given")
	c.Flags().Lookup("listen").DefValue = "" // the line says it
	c.Flags().IntVar(&f.brokers, "brokers", engine.Defaults().Brokers, "how many; wins over the script's")
	c.Flags().StringVar(&f.dataDir, "data-dir", "", "keep the nodes' log directories in this `folder`")
	c.Flags().StringVar(&f.script, "script", "", "run this `file` before serving")
	c.Flags().StringVar(&f.record, "record", "", "write what clients do into this `file`, as a script")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "wins over the script's seed=")
	c.Flags().BoolVar(&f.expose, "yes-expose", false, "agree that other machines can reach it")
	return c
}

// options checks the command line.
func (f *brokerFlags) options(cmd *cobra.Command) (wire.ServeOptions, error) {
	o := wire.ServeOptions{
		Seed: f.seed, HasSeed: cmd.Flags().Changed("seed"), DataDir: f.dataDir, Record: f.record,
		ScriptName: f.script, Edge: wire.DefaultOptions(), Clock: wire.SystemClock(), Keep: wire.KeptEvents,
	}
	if f.brokers < 1 || f.brokers > engine.MaxBrokers {
		return o, fmt.Errorf("--brokers %d: 1 to %d are possible", f.brokers, engine.MaxBrokers)
	}
	if f.script == "" || cmd.Flags().Changed("brokers") {
		o.Brokers = f.brokers
	}
	var err error
	if o.Address, err = wire.ParseAddress(f.listen, f.brokers); err != nil {
		return o, err
	}
	local, err := o.Address.Local(cmd.Context())
	if err == nil && !local && !f.expose {
		err = fmt.Errorf("--listen %s lets other machines in, and nobody is asked for a password: --yes-expose agrees to that", f.listen)
	}
	if err == nil && f.script != "" {
		o.Script, _, err = readScript(f.script, cmd.InOrStdin())
	}
	return o, err
}

// serve runs until it is interrupted.
func serve(o wire.ServeOptions, out, errs io.Writer) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		<-signals
		stop()
		<-signals
		os.Exit(exitInterrupted)
	}()
	o.Warn = errs
	err := wire.Serve(ctx, o, out)
	if err == nil {
		return nil
	}
	fmt.Fprintf(errs, "kafkalab: %v\n", err)
	if broken := new(wire.Broken); errors.As(err, &broken) {
		fmt.Fprintf(errs, "%s", broken.Stack)
		return exit(exitBroken)
	}
	return exit(exitFailed)
}
