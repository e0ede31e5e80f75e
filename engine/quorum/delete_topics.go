package quorum

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// deleteTopics takes topics out of the metadata, by name or by id. Their logs
// go when the brokers hear of it.
// Source: ControllerApis#deleteTopics.
func (c *Controller) deleteTopics(ctx *sim.Ctx, msg *kmsg.DeleteTopicsRequest) *kmsg.DeleteTopicsResponse {
	resp := kmsg.NewPtrDeleteTopicsResponse()
	asked := askedToDelete(msg)
	if !c.bool("delete.topic.enable") {
		code := kerror.TopicDeletionDisabled
		if msg.Version < 3 { // which does not know that code
			code = kerror.InvalidRequest
		}
		for _, a := range asked {
			resp.Topics = append(resp.Topics, deletion(a.name, a.id, &kerror.Error{Code: code}))
		}
		return resp
	}
	var records []metadata.Record
	for _, a := range namedOnce(c.deletable(asked)) {
		if a.kerr != nil {
			resp.Topics = append(resp.Topics, deletion(a.name, a.id, a.kerr))
			continue
		}
		records = append(records, &metadata.RemoveTopic{ID: a.topic.ID})
		resp.Topics = append(resp.Topics, deletion(&a.topic.Name, a.topic.ID, nil))
	}
	if len(records) > 0 {
		c.removeTopics(ctx, records)
	}
	return resp
}

// namedOnce refuses a topic that is named by its id and by its name.
func namedOnce(found []toDelete) (out []toDelete) {
	at := map[[16]byte]int{}
	for _, a := range found {
		if a.kerr != nil {
			out = append(out, a)
			continue
		}
		i, twice := at[a.topic.ID]
		if !twice {
			at[a.topic.ID] = len(out)
			out = append(out, a)
			continue
		}
		out[i].name, out[i].id = &a.topic.Name, a.topic.ID
		out[i].kerr = kerror.New(kerror.InvalidRequest, "The provided topic name maps to an ID that was already supplied.")
	}
	return out
}

func (c *Controller) removeTopics(ctx *sim.Ctx, records []metadata.Record) {
	var names []string
	for _, r := range records {
		names = append(names, c.image.TopicByID(r.(*metadata.RemoveTopic).ID).Name)
	}
	c.append(ctx, records...)
	for _, name := range names {
		ctx.Emit(trace.TopicDeleted{Topic: name})
	}
}

// toDelete is one topic of a request: how it was named, and what that means.
type toDelete struct {
	name  *string
	id    [16]byte
	topic *metadata.TopicImage
	kerr  *kerror.Error
}

// askedToDelete lists what a request names; before version 6 there were names
// only.
func askedToDelete(msg *kmsg.DeleteTopicsRequest) (asked []toDelete) {
	for i := range msg.TopicNames {
		asked = append(asked, toDelete{name: &msg.TopicNames[i]})
	}
	for i := range msg.Topics {
		asked = append(asked, toDelete{name: msg.Topics[i].Topic, id: msg.Topics[i].TopicID})
	}
	return asked
}

// deletable finds the topics, ids first, and says what is wrong with a name. A
// name or id that is given more than once is refused, once.
func (c *Controller) deletable(asked []toDelete) (out []toDelete) {
	names, ids, none := map[string]int{}, map[[16]byte]int{}, [16]byte{}
	for _, a := range asked {
		if a.name != nil && a.id == none {
			names[*a.name]++
		} else if a.name == nil && a.id != none {
			ids[a.id]++
		}
	}
	var byName []toDelete
	for _, a := range asked {
		switch {
		case a.name == nil && a.id == none:
			a.kerr = kerror.New(kerror.InvalidRequest, "Neither topic name nor id were specified.")
			out = append(out, a)
		case a.name != nil && a.id != none:
			a.kerr = kerror.New(kerror.InvalidRequest, "You may not specify both topic name and topic id.")
			out = append(out, a)
		case a.name != nil && names[*a.name] > 0:
			byName = append(byName, c.byName(a, names[*a.name] > 1))
			names[*a.name] = 0
		case a.name == nil && ids[a.id] > 0:
			out = append(out, c.byID(a, ids[a.id] > 1))
			ids[a.id] = 0
		}
	}
	return append(out, byName...)
}

func (c *Controller) byName(a toDelete, twice bool) toDelete {
	a.topic = c.image.Topic(*a.name)
	switch {
	case twice:
		a.kerr = kerror.New(kerror.InvalidRequest, "Duplicate topic name.")
	case a.topic == nil:
		a.kerr = kerror.New(kerror.UnknownTopicOrPartition, "This server does not host this topic-partition.")
	}
	return a
}

func (c *Controller) byID(a toDelete, twice bool) toDelete {
	a.topic = c.image.TopicByID(a.id)
	switch {
	case twice:
		a.kerr = kerror.New(kerror.InvalidRequest, "Duplicate topic id.")
	case a.topic == nil:
		a.kerr = kerror.New(kerror.UnknownTopicId, "This server does not host this topic ID.")
	}
	return a
}

func deletion(name *string, id [16]byte, kerr *kerror.Error) kmsg.DeleteTopicsResponseTopic {
	out := kmsg.NewDeleteTopicsResponseTopic()
	out.Topic, out.TopicID = name, id
	if kerr != nil {
		out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
	}
	return out
}
