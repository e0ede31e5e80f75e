package engine

import (
	"fmt"
	"maps"
	"slices"

	"kafkalab/engine/client"
	"kafkalab/engine/config"
	"kafkalab/engine/sim"
)

// NewProducer makes a named producer with its own configs.
type NewProducer struct {
	Name    string
	Configs []client.Setting
}

func (cmd NewProducer) run(c *Cluster) (Result, error) {
	set := map[string]string{}
	for _, s := range cmd.Configs {
		set[s.Name] = s.Value
	}
	if kerr := config.ValidateClient(config.Producer, set); kerr != nil {
		return Done{Err: kerr}, nil
	}
	name := sim.NodeID(cmd.Name)
	if c.loop.Has(name) {
		return nil, fmt.Errorf("there is a node %s already: a producer needs a name of its own", name)
	}
	p := client.NewProducer(client.Options{Bootstrap: c.bootstrap(), Name: BrokerName}, config.NewClient(config.Producer, set))
	c.producers[cmd.Name] = p
	c.loop.Add(name, p)
	c.loop.Life(name, sim.Start{}, c.Now())
	return Done{}, nil
}

func (c *Cluster) bootstrap() []sim.NodeID {
	var names []sim.NodeID
	for _, b := range c.brokers {
		names = append(names, BrokerName(b.ID))
	}
	return names
}

// Producers lists the named producers, by name.
func (c *Cluster) Producers() []string { return slices.Sorted(maps.Keys(c.producers)) }

// ProduceAs writes records through a named producer, and waits until each has
// its offset or is given up.
type ProduceAs struct {
	Name string
	client.Produce
}

func (cmd ProduceAs) run(c *Cluster) (Result, error) {
	if c.producers[cmd.Name] == nil {
		return nil, fmt.Errorf("there is no producer %s: `producer %s` makes one", cmd.Name, cmd.Name)
	}
	out, _ := c.call(sim.NodeID(cmd.Name), cmd.Produce).(*client.Produced)
	return c.produced(cmd.Topic, out), nil
}

// Retry has a producer send its last batch again, with the same sequence.
type Retry struct{ Name string }

func (cmd Retry) run(c *Cluster) (Result, error) {
	if c.producers[cmd.Name] == nil {
		return nil, fmt.Errorf("there is no producer %s: `producer %s` makes one", cmd.Name, cmd.Name)
	}
	out, _ := c.call(sim.NodeID(cmd.Name), client.Retry{}).(*client.Produced)
	topic := ""
	if out != nil {
		topic = out.Topic
	}
	return c.produced(topic, out), nil
}
