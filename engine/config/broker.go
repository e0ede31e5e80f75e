package config

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"kafkalab/engine/kerror"
)

// ValidateBroker asks whether a broker or controller would start with these
// properties. What has to be given and is not (node.id, process.roles) is not
// missed: the engine gives it.
func ValidateBroker(static map[string]string) *kerror.Error {
	broker := NewBroker(Layers{Static: static})
	refusal := broker.checkAll()
	if refusal == "" {
		refusal = broker.checkBroker()
	}
	if refusal != "" {
		return kerror.New(kerror.InvalidConfig, "%s", refusal)
	}
	return nil
}

// checkBroker holds the rules between a broker's configs, in the order in
// which Kafka comes to them (GroupCoordinatorConfig, then
// KafkaConfig#validateValues). Rules about listeners, security and clients'
// addresses are left out: the engine has no use for those configs.
func (v Values) checkBroker() (refusal string) {
	checks := []func(Values) string{
		Values.checkGroups, Values.checkPairs, Values.checkNodeID, Values.checkLog, Values.checkReplication,
		Values.checkCordoned, Values.checkConnections, Values.checkTopicDefaults,
	}
	for _, check := range checks {
		if refusal = check(v); refusal != "" {
			return refusal
		}
	}
	return ""
}

// required is the message of Scala's require.
func required(words string) string { return "requirement failed: " + words }

func (v Values) checkGroups() (refusal string) {
	const assignors = "group.consumer.assignors"
	for _, name := range v.List(assignors) {
		c, known := classes()[name]
		switch {
		case name == "uniform" || name == "range" || c.implements == "ConsumerGroupPartitionAssignor":
		case !known:
			return invalid(assignors, name, "Class cannot be found")
		default:
			return invalid(assignors, name, "Class is not an instance of ConsumerGroupPartitionAssignor")
		}
	}
	if codec := v.Int("offsets.topic.compression.codec"); codec < 0 || codec > 4 {
		return fmt.Sprintf("Unknown compression type id: %d", codec)
	}
	return ""
}

// pair is a rule between two broker configs.
type pair struct{ left, op, right string }

var pairs = sync.OnceValue(func() []pair {
	var all []pair
	for _, line := range dataLines("rules.tsv") {
		if col := strings.Split(line, "\t"); len(col) == 3 {
			all = append(all, pair{col[0], col[1], col[2]})
		}
	}
	return all
})

func (v Values) checkPairs() (refusal string) {
	for _, p := range pairs() {
		left, right := v.Int(p.left), v.Int(p.right)
		switch {
		case p.op == ">=" && left < right:
			return p.left + " must be greater than or equal to " + p.right
		case p.op == "<=" && left > right:
			return p.left + " must be less than or equal to " + p.right
		case p.op == "<" && left >= right:
			return p.left + " must be less than " + p.right
		}
	}
	if n := len(v.List("group.share.assignors")); n != 1 {
		return fmt.Sprintf("group.share.assignors must contain exactly one assignor, but found %d", n)
	}
	if !slices.Contains(v.List("group.coordinator.rebalance.protocols"), "classic") {
		return "Disabling the 'classic' protocol is not supported."
	}
	return ""
}

func (v Values) checkNodeID() (refusal string) {
	if v.Has("node.id") && v.Int("node.id") != v.Int("broker.id") {
		return "`node.id` and `broker.id` must be set to the same value. `broker.id` is deprecated, please use `node.id` instead."
	}
	return ""
}

func (v Values) checkLog() (refusal string) {
	topic := NewTopic(nil, v)
	retention := topic.Int("retention.ms")
	threads, buffer := v.Int("log.cleaner.threads"), v.Int("log.cleaner.dedupe.buffer.size")
	switch {
	case topic.Int("segment.ms") < 1:
		return required("log.roll.ms must be greater than or equal to 1")
	case topic.Int("segment.jitter.ms") < 0:
		return required("log.roll.jitter.ms must be greater than or equal to 0")
	case retention < 1 && retention != -1:
		return required("log.retention.ms must be unlimited (-1) or, greater than or equal to 1")
	case threads == 0:
		return "/ by zero" // Kafka divides before it looks
	case buffer/threads <= 1<<20:
		return required("log.cleaner.dedupe.buffer.size must be at least 1MB per cleaner thread.")
	}
	return ""
}

// checkTopicDefaults: what topics inherit has to be sound for a topic
// (LogConfig#validateBrokerLogConfigValues).
func (v Values) checkTopicDefaults() (refusal string) { return NewTopic(nil, v).checkLags() }

func (v Values) checkReplication() (refusal string) {
	wait := v.Int("replica.fetch.wait.max.ms")
	switch {
	case wait > v.Int("replica.socket.timeout.ms"):
		return required("replica.socket.timeout.ms should always be at least replica.fetch.wait.max.ms to prevent unnecessary socket timeouts")
	case wait > v.Int("replica.lag.time.max.ms"):
		return required("replica.fetch.wait.max.ms should always be less than or equal to replica.lag.time.max.ms to prevent frequent changes in ISR")
	}
	return ""
}

// checkCordoned: only folders that the broker has can be cordoned off
// (KIP-1066); * is all of them.
func (v Values) checkCordoned() (refusal string) {
	dirs, cordoned := v.List("log.dirs"), v.List("cordoned.log.dirs")
	if !v.Has("log.dirs") {
		dirs = v.List("log.dir")
	}
	if slices.Contains(cordoned, "*") {
		if len(cordoned) > 1 {
			return required("When cordoned.log.dirs is set to *, it must not contain other values")
		}
		return ""
	}
	missing := slices.DeleteFunc(cordoned, func(dir string) bool { return slices.Contains(dirs, dir) })
	if len(missing) > 0 {
		return required("All entries in cordoned.log.dirs must be present in log.dirs or log.dir. Missing entries : " + strings.Join(missing, ", "))
	}
	return ""
}

func (v Values) checkConnections() (refusal string) {
	delay, idle := v.Int("connection.failed.authentication.delay.ms"), v.Int("connections.max.idle.ms")
	queued := v.Int("queued.max.request.bytes")
	switch {
	case queued > 0 && queued < v.Int("socket.request.max.bytes"):
		return required("queued.max.request.bytes must be larger or equal to socket.request.max.bytes")
	case v.Int("max.connections.per.ip") == 0 && v.String("max.connections.per.ip.overrides") == "":
		return required("max.connections.per.ip can be set to zero only if max.connections.per.ip.overrides property is set.")
	case idle >= 0 && delay >= idle:
		return required(fmt.Sprintf("connection.failed.authentication.delay.ms=%d should always be less than connections.max.idle.ms=%d"+
			" to prevent failed authentication responses from timing out", delay, idle))
	}
	return ""
}
