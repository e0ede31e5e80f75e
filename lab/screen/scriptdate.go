package screen

import (
	"fmt"
	"regexp"
	"strconv"

	"kafkalab/engine"
	"kafkalab/engine/console"
)

// dated is the script of a cluster that was brought to another date, as one is
// that real clients have come to: its first line says so.
func (s *script) dated(tl *engine.Timeline) *script {
	if tl == nil {
		return s
	}
	if o := tl.Cluster().Options(); o.Start != engine.Epoch {
		return &script{first: console.ClusterLine(o), asides: s.asides}
	}
	return s
}

var tickLine = regexp.MustCompile(`^tick (\d{1,15})ms$`)

// joinTicks writes ticks that follow each other as one: while real clients may
// come in, time passes in small parts.
func joinTicks(lines []string) (joined []string) {
	sum := func(line string) int64 {
		m := tickLine.FindStringSubmatch(line)
		if m == nil {
			return -1
		}
		ms, _ := strconv.ParseInt(m[1], 10, 64) // of 15 digits at most
		return ms
	}
	for _, line := range lines {
		if n := len(joined); n > 0 && sum(line) >= 0 && sum(joined[n-1]) >= 0 {
			joined[n-1] = fmt.Sprintf("tick %dms", sum(joined[n-1])+sum(line))
			continue
		}
		joined = append(joined, line)
	}
	return joined
}
