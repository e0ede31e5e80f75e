// Command kfake serves franz-go's kfake, a broker for tests in memory that does
// not replicate, on so many nodes from a port on. It is a module of its own, so
// that kafkalab needs none of it.
//
//	go -C engine/wire/bench/kfake run . 3 21092
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/twmb/franz-go/pkg/kfake"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kfake:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: kfake NODES PORT")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	var ports []int
	for i := range n {
		ports = append(ports, port+i)
	}
	c, err := kfake.NewCluster(kfake.Ports(ports...))
	if err != nil {
		return err
	}
	defer c.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	return nil
}
