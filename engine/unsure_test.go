package engine

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// A new leader whose high watermark has not reached the start of its epoch does
// not know yet what is committed. It does not let the end of the log move back,
// but says that it does not know; old clients hear of a leader that is not there
// (KIP-207).
func TestUnsureLeader(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 3)
	c.produce("t", 5, -1)  // the followers have not heard of the high watermark yet
	c.do(Stall{Broker: 3}) // so that the next leader's stays where it is
	c.do(Stop{1, StopKill})
	c.tick(10_000) // its session is over
	v, _ := c.PartitionView("t", 0)
	if v.Leader != 2 || v.HW != 0 || v.LEO != 5 {
		t.Fatalf("leader %d, HW %d, LEO %d, want 2, 0 and 5", v.Leader, v.HW, v.LEO)
	}
	for _, want := range []struct {
		version   int16
		timestamp int64
		code      kerror.Code
		offset    int64
	}{
		{10, -1, kerror.OffsetNotAvailable, -1},
		{4, -1, kerror.LeaderNotAvailable, -1},
		{10, 0, kerror.OffsetNotAvailable, -1},
		{10, -3, kerror.OffsetNotAvailable, -1},
		{10, -2, kerror.None, 0},
	} {
		req := listOffsets(want.version, -1, "t", 0, want.timestamp)(nil)
		p := c.ask("broker-2", req).(*kmsg.ListOffsetsResponse).Topics[0].Partitions[0]
		if kerror.Code(p.ErrorCode) != want.code || p.Offset != want.offset {
			t.Errorf("v%d, %d: %s, offset %d; want %s, %d", want.version, want.timestamp, kerror.Code(p.ErrorCode), p.Offset, want.code, want.offset)
		}
	}
}
