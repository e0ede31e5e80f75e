package metadata

import (
	"maps"
	"slices"
	"strconv"
)

// Image is a cluster as its metadata log describes it up to some offset. Every
// node replays the log into an image of its own; none is shared.
type Image struct {
	Brokers  map[int32]*Broker
	Features map[string]int16
	// NextProducerID is where the next block of producer ids begins.
	NextProducerID int64
	topics         map[string]*TopicImage
	byID           map[[16]byte]*TopicImage
	configs        map[resource]map[string]string
	// ConfigRevision goes up whenever a config changes, so that what is made of
	// configs is made anew only then.
	ConfigRevision int64
}

type resource struct {
	kind int8
	name string
}

// Broker is a registered broker.
type Broker struct {
	ID          int32
	Epoch       int64
	Incarnation [16]byte
	Fenced      bool
	Leaving     bool // in controlled shutdown
	Host        string
	Port        int32
	Rack        *string
	LogDirs     [][16]byte
}

// TopicImage is a topic with its partitions, by number from 0.
type TopicImage struct {
	Name       string
	ID         [16]byte
	Partitions []*PartitionImage
}

// PartitionImage is the controller's word on a partition.
type PartitionImage struct {
	Replicas       []int32 // in assignment order
	Isr            []int32 // as stored
	Leader         int32   // NoLeader when there is none
	LeaderEpoch    int32
	PartitionEpoch int32
	Recovering     bool // its leader was elected uncleanly and has not said yet that it is well
}

// NewImage is the image of an empty log.
func NewImage() *Image {
	return &Image{
		Brokers: map[int32]*Broker{}, Features: map[string]int16{},
		topics: map[string]*TopicImage{}, byID: map[[16]byte]*TopicImage{},
		configs: map[resource]map[string]string{},
	}
}

// Apply replays one record. Records about things that are not there change
// nothing: the log's writer has checked them.
func (im *Image) Apply(rec Record) {
	switch rec := rec.(type) {
	case *RegisterBroker:
		im.register(rec)
	case *BrokerRegistrationChange:
		if b := im.Brokers[rec.BrokerID]; b != nil {
			if rec.Fenced != 0 {
				b.Fenced = rec.Fenced > 0
			}
			b.Leaving = b.Leaving || rec.Leaving
		}
	case *Topic:
		t := &TopicImage{Name: rec.Name, ID: rec.ID}
		im.topics[rec.Name], im.byID[rec.ID] = t, t
	case *RemoveTopic:
		im.removeTopic(rec.ID)
	case *Partition:
		if t := im.byID[rec.TopicID]; t != nil && int(rec.PartitionID) == len(t.Partitions) {
			t.Partitions = append(t.Partitions, &PartitionImage{
				Replicas: rec.Replicas, Isr: rec.Isr, Leader: rec.Leader,
				LeaderEpoch: rec.LeaderEpoch, PartitionEpoch: rec.PartitionEpoch,
			})
		}
	case *PartitionChange:
		im.changePartition(rec)
	case *Config:
		im.setConfig(rec)
		im.ConfigRevision++
	case *ProducerIDs:
		im.NextProducerID = rec.NextProducerID
	case *FeatureLevel:
		im.Features[rec.Name] = rec.Level
	}
}

func (im *Image) register(rec *RegisterBroker) {
	b := &Broker{
		ID: rec.BrokerID, Epoch: rec.BrokerEpoch, Incarnation: rec.IncarnationID,
		Fenced: rec.Fenced, Rack: rec.Rack, LogDirs: rec.LogDirs,
	}
	if len(rec.EndPoints) > 0 {
		b.Host, b.Port = rec.EndPoints[0].Host, int32(rec.EndPoints[0].Port)
	}
	im.Brokers[rec.BrokerID] = b
}

func (im *Image) removeTopic(id [16]byte) {
	t := im.byID[id]
	if t == nil {
		return
	}
	delete(im.byID, id)
	delete(im.topics, t.Name)
	delete(im.configs, resource{ResourceTopic, t.Name})
}

func (im *Image) changePartition(rec *PartitionChange) {
	p := im.Partition(rec.TopicID, rec.PartitionID)
	if p == nil {
		return
	}
	if rec.Isr != nil {
		p.Isr = rec.Isr
	}
	if rec.Replicas != nil {
		p.Replicas = rec.Replicas
	}
	if rec.Leader != nil {
		p.Leader = *rec.Leader
		p.LeaderEpoch++
	}
	if rec.Recovery != nil {
		p.Recovering = *rec.Recovery == 1
	}
	p.PartitionEpoch++
}

func (im *Image) setConfig(rec *Config) {
	key := resource{rec.ResourceType, rec.ResourceName}
	if im.configs[key] == nil {
		im.configs[key] = map[string]string{}
	}
	if rec.Value == nil {
		delete(im.configs[key], rec.Name)
		return
	}
	im.configs[key][rec.Name] = *rec.Value
}

// Topic finds a topic by name, nil if there is none.
func (im *Image) Topic(name string) *TopicImage { return im.topics[name] }

// TopicByID finds a topic by id, nil if there is none.
func (im *Image) TopicByID(id [16]byte) *TopicImage { return im.byID[id] }

// Partition finds a partition, nil if there is none.
func (im *Image) Partition(id [16]byte, p int32) *PartitionImage {
	t := im.byID[id]
	if t == nil || p < 0 || int(p) >= len(t.Partitions) {
		return nil
	}
	return t.Partitions[p]
}

// Topics lists the topics by name.
func (im *Image) Topics() []*TopicImage {
	list := make([]*TopicImage, 0, len(im.topics))
	for _, name := range slices.Sorted(maps.Keys(im.topics)) {
		list = append(list, im.topics[name])
	}
	return list
}

// BrokerIDs lists the registered brokers, ascending.
func (im *Image) BrokerIDs() []int32 { return slices.Sorted(maps.Keys(im.Brokers)) }

// Active tells whether a broker is registered, not fenced and not leaving: it
// may lead, and be in ISRs.
func (im *Image) Active(id int32) bool {
	b := im.Brokers[id]
	return b != nil && !b.Fenced && !b.Leaving
}

// Live tells whether a broker is registered and not fenced: clients are told
// of it.
func (im *Image) Live(id int32) bool {
	b := im.Brokers[id]
	return b != nil && !b.Fenced
}

// TopicConfigs are the overrides of a topic; the map is the image's own.
func (im *Image) TopicConfigs(name string) map[string]string {
	return im.configs[resource{ResourceTopic, name}]
}

// ClusterConfigs are the dynamic configs of all brokers; the map is the
// image's own.
func (im *Image) ClusterConfigs() map[string]string { return im.configs[resource{ResourceBroker, ""}] }

// BrokerConfigs are a broker's own dynamic configs; the map is the image's
// own.
func (im *Image) BrokerConfigs(id int32) map[string]string {
	return im.configs[resource{ResourceBroker, strconv.Itoa(int(id))}]
}
