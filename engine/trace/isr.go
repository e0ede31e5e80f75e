package trace

import "fmt"

// IsrShrunk is a follower that the leader wants out of the ISR, at a run of
// its check: it lacks records, and has lacked them for too long.
type IsrShrunk struct {
	Partition    string `json:"partition"`
	Broker       int32  `json:"broker"`
	LastCaughtUp int64  `json:"last_caught_up"` // virtual ms
	LagMs        int64  `json:"lag_ms"`         // since then
	TimeMs       int64  `json:"time_ms"`        // of the check
	LimitMs      int64  `json:"limit_ms"`       // replica.lag.time.max.ms
	LEO          int64  `json:"leo"`            // the follower's, as the leader knows it
	LeaderLEO    int64  `json:"leader_leo"`
}

func (i IsrShrunk) Line() string {
	return fmt.Sprintf("wants broker-%d out of the ISR of %s: at %d of %d, last caught up %d ms ago, over %d", i.Broker, i.Partition, i.LEO, i.LeaderLEO, i.LagMs, i.LimitMs)
}

// IsrExpanded is a follower that the leader wants in the ISR again.
type IsrExpanded struct {
	Partition string `json:"partition"`
	Broker    int32  `json:"broker"`
	LEO       int64  `json:"leo"`
	HW        int64  `json:"hw"`
}

func (i IsrExpanded) Line() string {
	return fmt.Sprintf("wants broker-%d in the ISR of %s: it has reached %d, the high watermark is %d", i.Broker, i.Partition, i.LEO, i.HW)
}

// IsrSettled is an ISR change that came back from the controller.
type IsrSettled struct {
	Partition string  `json:"partition"`
	Isr       []int32 `json:"isr"`
	Error     string  `json:"error"` // NONE when it was committed
}

func (i IsrSettled) Line() string {
	if i.Error != "NONE" {
		return fmt.Sprintf("hears %s for its ISR change of %s", i.Error, i.Partition)
	}
	return fmt.Sprintf("hears that the ISR of %s is %s", i.Partition, idsText(i.Isr))
}

// FetcherStalled and FetcherResumed are a broker whose replica fetchers stop
// running, and run again.
type FetcherStalled struct {
	Broker int32 `json:"broker"`
}

func (f FetcherStalled) Line() string { return "stops fetching" }

// FetcherResumed ends what FetcherStalled began.
type FetcherResumed struct {
	Broker int32 `json:"broker"`
}

func (f FetcherResumed) Line() string { return "fetches again" }

// Diverged is a follower whose log and the leader's part ways.
type Diverged struct {
	Partition   string `json:"partition"`
	Epoch       int32  `json:"epoch"`      // the largest that both may have
	EndOffset   int64  `json:"end_offset"` // where it ends on the leader
	TruncatedTo int64  `json:"truncated_to"`
}

func (d Diverged) Line() string {
	return fmt.Sprintf("hears that epoch %d of %s ends at %d on the leader, and truncates to %d", d.Epoch, d.Partition, d.EndOffset, d.TruncatedTo)
}

// NodeDown is a node that ended, NodeUp one that started.
type NodeDown struct {
	Node string `json:"name"`
	How  string `json:"how"` // kill, crash, shutdown
}

func (n NodeDown) Line() string { return fmt.Sprintf("%s is down (%s)", n.Node, n.How) }

// NodeUp is a node that started.
type NodeUp struct {
	Node string `json:"name"`
}

func (n NodeUp) Line() string { return n.Node + " starts" }
