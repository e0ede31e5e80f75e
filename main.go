// Command kafkalab is an interactive terminal lab that teaches how Apache Kafka
// works inside, on a real engine: a whole cluster in one process.
package main

import (
	"os"

	"kafkalab/lab/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:])) }
