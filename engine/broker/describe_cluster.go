package broker

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// Kinds of endpoints of which DescribeCluster asks (EndpointType).
const (
	endpointBroker     = 1
	endpointController = 2
)

// describeCluster tells which brokers there are (KIP-700); from version 2 on
// also those that are fenced, if asked (KIP-1073).
// Source: KafkaApis#handleDescribeCluster, AuthHelper#computeDescribeClusterResponse.
func (b *Broker) describeCluster(msg *kmsg.DescribeClusterRequest) *kmsg.DescribeClusterResponse {
	resp := kmsg.NewPtrDescribeClusterResponse()
	resp.ControllerID = -1
	switch msg.EndpointType {
	case endpointBroker:
	case endpointController:
		return refuseEndpoint(msg, resp, kerror.MismatchedEndpointType,
			"The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER")
	default:
		return refuseEndpoint(msg, resp, kerror.UnsupportedEndpointType, fmt.Sprintf("Unsupported endpoint type %d", msg.EndpointType))
	}
	resp.ClusterID, resp.ControllerID = b.meta.ClusterID, b.anyBroker("cluster.controller")
	if msg.IncludeClusterAuthorizedOperations {
		resp.ClusterAuthorizedOperations = clusterOperations
	}
	for _, id := range b.image.BrokerIDs() {
		if !b.image.Live(id) && !msg.IncludeFencedBrokers {
			continue
		}
		im := b.image.Brokers[id]
		x := kmsg.NewDescribeClusterResponseBroker()
		x.NodeID, x.Host, x.Port, x.Rack, x.IsFenced = id, im.Host, im.Port, im.Rack, im.Fenced
		resp.Brokers = append(resp.Brokers, x)
	}
	return resp
}

// refuseEndpoint: version 0 knows none of the newer codes.
func refuseEndpoint(msg *kmsg.DescribeClusterRequest, resp *kmsg.DescribeClusterResponse, code kerror.Code, why string) *kmsg.DescribeClusterResponse {
	if msg.Version == 0 {
		code = kerror.InvalidRequest
	}
	resp.ErrorCode, resp.ErrorMessage = int16(code), &why
	return resp
}
