package broker

import "github.com/twmb/franz-go/pkg/kmsg"

// Endpoint is where programs outside reach a broker.
type Endpoint struct {
	Host string
	Port int32
}

// Advertise is an operator's call: programs outside are told these addresses,
// of broker 1 and on, in place of those by which nodes know each other. It is
// what a second listener with its own advertised.listeners does in Kafka: who
// asks through it is told its addresses.
type Advertise struct{ Endpoints []Endpoint }

// advertise puts the addresses for programs outside into an answer to one.
func (b *Broker) advertise(resp kmsg.Response) {
	switch resp := resp.(type) {
	case *kmsg.MetadataResponse:
		for i := range resp.Brokers {
			x := &resp.Brokers[i]
			b.endpoint(x.NodeID, &x.Host, &x.Port)
		}
	case *kmsg.DescribeClusterResponse:
		for i := range resp.Brokers {
			x := &resp.Brokers[i]
			b.endpoint(x.NodeID, &x.Host, &x.Port)
		}
	case *kmsg.FindCoordinatorResponse:
		b.endpoint(resp.NodeID, &resp.Host, &resp.Port)
		for i := range resp.Coordinators {
			x := &resp.Coordinators[i]
			b.endpoint(x.NodeID, &x.Host, &x.Port)
		}
	case *kmsg.ProduceResponse: // the leaders of KIP-951
		for i := range resp.Brokers {
			x := &resp.Brokers[i]
			b.endpoint(x.NodeID, &x.Host, &x.Port)
		}
	case *kmsg.FetchResponse:
		for i := range resp.Brokers {
			x := &resp.Brokers[i]
			b.endpoint(x.NodeID, &x.Host, &x.Port)
		}
	}
}

func (b *Broker) endpoint(id int32, host *string, port *int32) {
	if id >= 1 && int(id) <= len(b.Advertised) {
		*host, *port = b.Advertised[id-1].Host, b.Advertised[id-1].Port
	}
}
