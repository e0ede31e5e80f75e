package engine

import (
	"kafkalab/engine/client"
)

// ProducerView is what one producer holds at one moment, with its name: see
// client.ProducerView for the fields and their units.
type ProducerView struct {
	Name string
	client.ProducerView
}

// What a ProducerView is made of.
type (
	QueueView     = client.QueueView
	FlightView    = client.FlightView
	RequestView   = client.RequestView
	UnroutedView  = client.UnroutedView
	ProducerBatch = client.BatchView
	ProducerHold  = client.Hold
)

// ProducerViews copies what the producers hold now: the named ones by name,
// then the plain client, if it has ever produced anything. Looking changes
// nothing: what runs on runs on as if nobody had looked.
func (c *Cluster) ProducerViews() []ProducerView {
	var list []ProducerView
	for _, name := range c.Producers() {
		list = append(list, ProducerView{name, c.producers[name].View(c.Now())})
	}
	app := c.clients[AppClient].View(c.Now())
	if s := app.Stats; s.Acked+s.Failed+s.InFlight > 0 || len(app.Queues)+len(app.Unrouted) > 0 {
		list = append(list, ProducerView{string(AppClient), app})
	}
	return list
}
