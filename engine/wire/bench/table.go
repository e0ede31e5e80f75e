package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// table compares servers.
type table struct {
	options
	names, kafka, dataDir string
	port, rounds          int
}

// cluster is a server on so many nodes, and what it showed.
type cluster struct {
	server  string
	nodes   int
	ready   time.Duration // from its start on
	idleMB  float64
	results []row
}

// row is one case's medians.
type row struct {
	acks string
	size int
	result
}

// idle is how long a server is left alone before its memory is looked at.
const idle = 2 * time.Second

func (t *table) run(ctx context.Context, out io.Writer) (err error) {
	temp, err := os.MkdirTemp("", "kafkalab-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	servers, err := t.servers(temp)
	if err != nil {
		return err
	}
	var all []cluster
	for _, nodes := range []int{1, 3} {
		for _, s := range servers {
			c, err := t.measure(ctx, s, nodes)
			if err != nil {
				return fmt.Errorf("%s, %d nodes: %w", s.name, nodes, err)
			}
			all = append(all, c)
		}
	}
	return print(out, all)
}

// servers makes those that are asked for. Apache Kafka is left out, with a word,
// where its script is not there.
func (t *table) servers(temp string) ([]server, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var list []server
	for _, name := range strings.Split(t.names, ",") {
		var s server
		var err error
		switch name {
		case "kafkalab":
			s, err = kafkalab(root, temp, t.dataDir)
		case "kfake":
			s, err = kfake(root, temp)
		case "kafka":
			if _, err := os.Stat(t.kafka); err != nil {
				fmt.Fprintf(os.Stderr, "bench: without Apache Kafka: %v\n", err)
				continue
			}
			s = kafka(t.kafka, temp)
		default:
			err = fmt.Errorf("-servers %s: kafkalab, kfake and kafka are allowed", name)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// measure starts a server and runs all cases against it.
func (t *table) measure(ctx context.Context, s server, nodes int) (c cluster, err error) {
	c = cluster{server: s.name, nodes: nodes}
	r, err := s.start(nodes, t.port)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	o := t.options
	o.bootstrap, o.pids, o.replicas = fmt.Sprintf("127.0.0.1:%d", t.port), r.pids, nodes
	if err := awaitReady(ctx, o.bootstrap, nodes); err != nil {
		return c, err
	}
	c.ready = time.Since(r.began)
	time.Sleep(idle)
	c.idleMB = residentMB(r.pids)
	for _, size := range []int{100, 1024} {
		for _, acks := range []string{"1", "all"} {
			o.size, o.acks = size, acks
			o.records = max(t.records*100/size, t.records/5)
			fmt.Fprintf(os.Stderr, "%s, %d nodes, acks=%s, %d B\n", s.name, nodes, acks, size)
			m, err := t.median(ctx, o)
			if err != nil {
				return c, err
			}
			c.results = append(c.results, row{acks, size, m})
		}
	}
	return c, nil
}

// median runs a case several times.
func (t *table) median(ctx context.Context, o options) (m result, err error) {
	var all []result
	for range t.rounds {
		r, err := runOnce(ctx, o)
		if err != nil {
			return m, err
		}
		all = append(all, r)
	}
	middle := func(of func(result) float64) float64 {
		var list []float64
		for _, r := range all {
			list = append(list, of(r))
		}
		slices.Sort(list)
		return list[len(list)/2]
	}
	m.produced = middle(func(r result) float64 { return r.produced })
	m.consumed = middle(func(r result) float64 { return r.consumed })
	m.produceCPU = middle(func(r result) float64 { return r.produceCPU })
	m.consumeCPU = middle(func(r result) float64 { return r.consumeCPU })
	m.singleP50 = time.Duration(middle(func(r result) float64 { return float64(r.singleP50) }))
	return m, nil
}

// print writes both tables: what a server takes to be there, and what it does.
func print(out io.Writer, all []cluster) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "nodes\tserver\tstart to ready\tidle MB\t")
	for _, c := range all {
		fmt.Fprintf(w, "%d\t%s\t%.0f ms\t%.0f\t\n", c.nodes, c.server, float64(c.ready)/1e6, c.idleMB)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	fmt.Fprintln(w, "nodes\tacks\tbytes\tserver\tproduced k/s\tCPU s/M\tconsumed k/s\tCPU s/M\tone record\t")
	for _, nodes := range []int{1, 3} {
		for i := range all[0].results {
			for _, c := range all {
				if r := c.results[i]; c.nodes == nodes {
					fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%.0f\t%.2f\t%.0f\t%.2f\t%v\t\n", nodes, r.acks, r.size, c.server,
						r.produced/1e3, r.produceCPU, r.consumed/1e3, r.consumeCPU, r.singleP50.Round(time.Microsecond))
				}
			}
		}
	}
	return w.Flush()
}
