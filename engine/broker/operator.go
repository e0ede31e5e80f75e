package broker

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// Roll is an operator's call: close the active segment of a partition now.
type Roll struct {
	Topic     string
	Partition int32
}

// Compact is an operator's call: the cleaner looks at a partition's log now,
// under its own conditions. What became of it is in LastPass.
type Compact struct {
	Topic     string
	Partition int32
}

// Retain is an operator's call: a retention check of a partition's log now.
type Retain struct {
	Topic     string
	Partition int32
}

// Stall stops the broker's replica fetchers: the process is up and answers, but
// copies nothing. Resume lets them run again.
type Stall struct{}

// Resume ends what Stall began.
type Resume struct{}

// Shutdown asks the broker to shut down in an orderly way.
type Shutdown struct{}

// call serves an operator.
func (b *Broker) call(ev sim.Call) {
	switch body := ev.Body.(type) {
	case Roll:
		b.roll(body)
	case Compact:
		if p, kerr := b.local(body.Topic, body.Partition); kerr == nil {
			b.askCleaner(p)
		}
	case Retain:
		if p, kerr := b.local(body.Topic, body.Partition); kerr == nil {
			p.retained = b.deleteOld(p)
			b.logChanged(p)
			b.scheduleUnlink()
		}
	case Stall:
		b.stalled = true
		b.emit(trace.FetcherStalled{Broker: b.ID})
	case Resume:
		b.resume()
	case Advertise:
		b.Advertised = body.Endpoints
	case Shutdown:
		b.leaving = true
		if wait := b.skippedBeatUnderWay(); wait > 0 {
			b.ctx.SetTimer("heartbeat", wait)
		} else {
			b.heartbeat()
		}
	}
}

func (b *Broker) roll(r Roll) {
	p, kerr := b.local(r.Topic, r.Partition)
	if kerr == nil {
		if err := p.log.Roll(); err != nil {
			b.choreFailed(p, "roll", err)
			return
		}
		b.logChanged(p)
	}
	if kerr != nil {
		b.refuse("roll", tp{r.Topic, r.Partition}, kerr)
	}
}

// resume lets the fetchers go on where they stopped: with the answer that came
// meanwhile, or with the next fetch.
func (b *Broker) resume() {
	b.stalled = false
	b.emit(trace.FetcherResumed{Broker: b.ID})
	for _, id := range slices.Sorted(maps.Keys(b.fetchers)) {
		f := b.fetchers[id]
		if f.held == nil {
			b.ask(f)
			continue
		}
		held := f.held.Msg.(*kmsg.FetchResponse)
		f.held = nil
		b.process(f, held)
	}
}
