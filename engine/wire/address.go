package wire

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"

	"kafkalab/engine/broker"
)

// Address is where a cluster is to listen.
type Address struct {
	Host string
	Port int // of broker-1, the others count up; 0 lets each take a free one
}

// ParseAddress reads HOST:PORT for n brokers.
func ParseAddress(s string, n int) (Address, error) {
	host, digits, err := net.SplitHostPort(s)
	if err != nil {
		return Address{}, fmt.Errorf("--listen %s: HOST:PORT is allowed, as 127.0.0.1:9092", s)
	}
	port, err := strconv.Atoi(digits)
	if err != nil || port < 0 || port+n-1 > 65535 {
		return Address{}, fmt.Errorf("--listen %s: a port from 0 to %d is allowed with %d brokers", s, 65536-n, n)
	}
	return Address{Host: host, Port: port}, nil
}

// Local tells whether only this machine can reach the address.
func (a Address) Local(ctx context.Context) (bool, error) {
	if a.Host == "" {
		return false, nil
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", a.Host)
	if err != nil {
		return false, fmt.Errorf("--listen %s: %w", a.Host, err)
	}
	for _, ip := range ips {
		if !ip.Unmap().IsLoopback() {
			return false, nil
		}
	}
	return true, nil
}

// Advertised is the host that clients are told. One that stands for all of the
// machine's addresses means nothing elsewhere: the machine's name is told, as
// Kafka does.
func (a Address) Advertised() (string, error) {
	if ip := net.ParseIP(a.Host); a.Host != "" && (ip == nil || !ip.IsUnspecified()) {
		return a.Host, nil
	}
	return os.Hostname()
}

// endpointsOf are listeners' addresses, as clients are told them.
func endpointsOf(at Address, addrs []string) ([]broker.Endpoint, error) {
	host, err := at.Advertised()
	if err != nil {
		return nil, err
	}
	var ends []broker.Endpoint
	for _, addr := range addrs {
		_, digits, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		port, err := strconv.ParseUint(digits, 10, 16)
		if err != nil {
			return nil, err
		}
		ends = append(ends, broker.Endpoint{Host: host, Port: int32(port)})
	}
	return ends, nil
}
