package cli

import (
	"kafkalab/engine"
	"kafkalab/engine/wire"
	"kafkalab/lab/screen"
)

// labPort is where a lab's broker-1 is reached, unless somebody else is there:
// Kafka's own port.
const labPort = 9092

// openDoor opens a lab's cluster to real clients on this machine, and to nobody
// else.
func openDoor(line *engine.Timeline) (screen.Door, error) {
	return asDoor(wire.OpenDoor(line, wire.DoorOptions{
		Address: wire.Address{Host: "127.0.0.1", Port: labPort}, Else: true, Edge: wire.DefaultOptions(), Clock: wire.SystemClock(),
	}))
}

// asDoor keeps a nil pointer from becoming a door.
func asDoor(d *wire.Door, err error) (screen.Door, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}
