package cli

import (
	"github.com/spf13/afero"
	"github.com/spf13/cobra"

	"kafkalab/engine/dump"
	"kafkalab/engine/fidelity"
)

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
