package broker

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
)

// dispatch hands a request to the file of its API.
func (b *Broker) dispatch(req sim.Request) {
	if req.Conn == sim.ConnSocket && !b.readable(req) {
		return
	}
	switch msg := req.Msg.(type) {
	case *kmsg.ProduceRequest:
		b.produce(req, msg)
	case *kmsg.FetchRequest:
		b.fetch(req, msg)
	case *kmsg.ListOffsetsRequest:
		b.reply(req.Origin, b.listOffsets(msg))
	case *kmsg.MetadataRequest:
		b.metadataRequest(req, msg)
	case *kmsg.DescribeConfigsRequest:
		b.reply(req.Origin, b.describeConfigs(msg))
	case *kmsg.DeleteRecordsRequest:
		b.deleteRecords(req, msg)
	case *kmsg.OffsetForLeaderEpochRequest:
		b.reply(req.Origin, b.offsetForLeaderEpoch(msg))
	case *kmsg.InitProducerIDRequest:
		b.reply(req.Origin, b.initProducerID(msg))
	case *kmsg.ApiVersionsRequest:
		b.reply(req.Origin, b.apiVersions(msg))
	case *kmsg.DescribeClusterRequest:
		b.reply(req.Origin, b.describeCluster(msg))
	case *kmsg.DescribeTopicPartitionsRequest:
		b.reply(req.Origin, b.describeTopicPartitions(msg))
	case *kmsg.DescribeLogDirsRequest:
		b.reply(req.Origin, b.describeLogDirs(msg))
	case *kmsg.IncrementalAlterConfigsRequest:
		b.alterConfigs(req, msg)
	case *kmsg.AlterConfigsRequest:
		b.alterConfigsOld(req, msg)
	case *kmsg.CreateTopicsRequest, *kmsg.DeleteTopicsRequest, *kmsg.CreatePartitionsRequest, *kmsg.ElectLeadersRequest:
		b.forward(req)
	default:
		panic(fmt.Sprintf("broker: no handler for %T", msg))
	}
}

// response takes the answer to something that the broker itself asked.
func (b *Broker) response(ev sim.Response) {
	switch ev.Conn {
	case sim.ConnMetadata:
		b.metadataFetched(ev)
	case sim.ConnHeartbeat:
		b.lifecycle(ev)
	case sim.ConnFetcher:
		b.fetched(ev)
	case sim.ConnForwarding:
		b.forwarded(ev)
	case sim.ConnPartition:
		b.altered(ev)
	case sim.ConnProducerIDs:
		b.gotProducerIDs(ev)
	case sim.ConnResync:
		b.resynced(ev)
	}
}

// timer takes up what a timer of the broker's was set for.
func (b *Broker) timer(key string) {
	kind, rest, _ := strings.Cut(key, "/")
	switch kind {
	case "heartbeat":
		b.heartbeat()
	case "produce":
		b.produceTimedOut(rest)
	case "fetch":
		b.fetchTimedOut(rest)
	case "round":
		b.fetchAgain(rest)
	case "refetch":
		b.refetch(rest)
	case "backoff":
		b.backoffOver(rest)
	case "delete":
		b.deleteTimedOut(rest)
	case "checkpoint":
		b.checkpoint(rest)
	case "isr":
		b.shrinkIsrs()
	case "alter":
		b.sendChanges()
	case "giveup":
		b.giveUp()
	case "register":
		b.register()
	case "rejoin":
		b.rejoin(rest)
	case "lost":
		b.fetchLost(rest)
	case "remeta":
		b.fetchMetadata()
	case "retain":
		b.retain()
	case "expire":
		b.expireProducers()
	case "clean":
		b.wakeCleaner()
	case "pass":
		b.clean()
	case "unlink":
		b.unlink()
	}
}
