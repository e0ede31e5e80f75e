package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// server is something that speaks Kafka's protocol.
type server struct {
	name string
	// start starts nodes on ports that count up from port.
	start func(nodes, port int) (*running, error)
}

// running is a started server.
type running struct {
	pids  string // by commas
	began time.Time
	stop  func() error
}

// process starts a program that serves until it is told to end.
func process(name string, args ...string) (*running, error) {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	r := &running{began: time.Now()}
	if err := c.Start(); err != nil {
		return nil, err
	}
	r.pids = strconv.Itoa(c.Process.Pid)
	r.stop = func() error {
		err := c.Process.Signal(syscall.SIGTERM)
		return errors.Join(err, c.Wait())
	}
	return r, nil
}

// build compiles a Go program of a folder into another.
func build(folder, into string) (string, error) {
	out, err := exec.Command("go", "build", "-C", folder, "-o", into, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build in %s: %w\n%s", folder, err, out)
	}
	return into, nil
}

func kafkalab(root, temp, dataDir string) (server, error) {
	program, err := build(root, filepath.Join(temp, "kafkalab"))
	return server{"kafkalab", func(nodes, port int) (*running, error) {
		args := []string{"broker", "--brokers", strconv.Itoa(nodes), "--listen", fmt.Sprintf("127.0.0.1:%d", port)}
		if dataDir == "" {
			return process(program, args...)
		}
		dir, err := os.MkdirTemp(dataDir, "bench-")
		if err != nil {
			return nil, err
		}
		r, err := process(program, append(args, "--data-dir", dir)...)
		if err != nil {
			return nil, err
		}
		stop := r.stop
		r.stop = func() error { return errors.Join(stop(), os.RemoveAll(dir)) }
		return r, nil
	}}, err
}

func kfake(root, temp string) (server, error) {
	program, err := build(filepath.Join(root, "engine", "wire", "bench", "kfake"), filepath.Join(temp, "kfake"))
	return server{"kfake", func(nodes, port int) (*running, error) {
		return process(program, strconv.Itoa(nodes), strconv.Itoa(port))
	}}, err
}

// oracle is where the script lies that starts Apache Kafka.
func oracle() string {
	if path := os.Getenv("KAFKALAB_ORACLE"); path != "" {
		return path
	}
	return filepath.Join("..", "shared", "oracle", "kafka")
}

// kafka starts nodes twice, since the first time their folders are made.
func kafka(script, temp string) server {
	return server{"kafka 4.4", func(nodes, port int) (*running, error) {
		dir, err := os.MkdirTemp(temp, "kafka-")
		if err != nil {
			return nil, err
		}
		down := func() error { return exec.Command(script, "down", dir).Run() }
		var began time.Time
		for range 2 {
			began = time.Now()
			up := exec.Command(script, "up", strconv.Itoa(nodes), dir, strconv.Itoa(port))
			// The nodes inherit what they write to: a pipe would be waited for.
			if err := up.Run(); err != nil {
				return nil, errors.Join(fmt.Errorf("%s up: %w", script, err), down())
			}
			if _, err := os.Stat(filepath.Join(dir, "again")); err == nil {
				break
			}
			if err := errors.Join(down(), os.WriteFile(filepath.Join(dir, "again"), nil, 0o644)); err != nil {
				return nil, err
			}
		}
		var pids []string
		for i := range nodes {
			pid, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("node-%d.pid", i+1)))
			if err != nil {
				return nil, errors.Join(err, down())
			}
			pids = append(pids, strings.TrimSpace(string(pid)))
		}
		return &running{pids: strings.Join(pids, ","), began: began, stop: func() error { return errors.Join(down(), os.RemoveAll(dir)) }}, nil
	}}
}

// awaitReady waits until a client sees so many brokers.
func awaitReady(ctx context.Context, address string, nodes int) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			break
		}
		if !pause(ctx) {
			return fmt.Errorf("%s does not listen: %w", address, ctx.Err())
		}
	}
	cl, err := kgo.NewClient(kgo.SeedBrokers(address))
	if err != nil {
		return err
	}
	defer cl.Close()
	for {
		resp, err := kmsg.NewPtrMetadataRequest().RequestWith(ctx, cl)
		if err == nil && len(resp.Brokers) == nodes {
			return nil
		}
		if !pause(ctx) {
			return fmt.Errorf("%s does not know %d brokers: %w", address, nodes, errors.Join(ctx.Err(), err))
		}
	}
}

// pause waits a little; false means that the time is up.
func pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(2 * time.Millisecond):
		return true
	}
}
