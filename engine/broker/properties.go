package broker

import (
	"fmt"
	"maps"
	"strconv"

	"kafkalab/engine/config"
)

// properties are what server.properties of this broker would say: the configs
// that it was given, and those that say who and where it is. Nothing here
// depends on the latter; they are there to be described.
func (b *Broker) properties() map[string]string {
	host, port := string(b.Name(b.ID)), int32(listenerPort)
	b.endpoint(b.ID, &host, &port) // where programs outside find it, if they do
	p := map[string]string{
		"node.id": strconv.Itoa(int(b.ID)), "process.roles": "broker", "controller.listener.names": "CONTROLLER",
		"listeners": fmt.Sprintf("PLAINTEXT://:%d", port), "advertised.listeners": fmt.Sprintf("PLAINTEXT://%s:%d", host, port),
		"log.dirs": b.logDir(),
	}
	if b.Rack != "" {
		p["broker.rack"] = b.Rack
	}
	maps.Copy(p, b.Static)
	return p
}

// described are the broker's configs as it tells them of itself.
func (b *Broker) described() config.Values {
	return config.NewBroker(config.Layers{Static: b.properties(), ClusterWide: b.image.ClusterConfigs(), PerBroker: b.image.BrokerConfigs(b.ID)})
}

// logDir is the path of the log directory.
func (b *Broker) logDir() string {
	if b.LogDir != "" {
		return b.LogDir
	}
	return "/tmp/kafka-logs/" + string(b.Name(b.ID))
}

// listenerPort is that of the one listener by which nodes know each other.
const listenerPort = 9092
