package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/kerror"
)

// NewClient gives the configs of a producer or consumer with what it makes of
// them itself: a producer with acks=1 and nothing said about idempotence is
// not idempotent, acks=all is -1 (ProducerConfig and
// ConsumerConfig#postProcessParsedConfig). The addresses and serializers that
// Kafka requires are the engine's own.
func NewClient(scope Scope, set map[string]string) Values {
	v := Values{scope: scope, own: set}
	derived := map[string]string{}
	if _, capped := set["reconnect.backoff.max.ms"]; !capped && v.isSet("reconnect.backoff.ms") {
		derived["reconnect.backoff.max.ms"] = v.String("reconnect.backoff.ms")
	}
	switch scope {
	case Producer:
		v.deriveProducer(derived)
	case Consumer:
		if !v.Has("group.id") && !v.isSet("enable.auto.commit") {
			derived["enable.auto.commit"] = "false"
		}
	}
	v.derived = derived
	return v
}

// isSet tells whether the user said anything about a config.
func (v Values) isSet(name string) bool {
	_, ok := v.own[name]
	return ok
}

func (v Values) deriveProducer(derived map[string]string) {
	if v.String("acks") == "all" {
		derived["acks"] = "-1"
	}
	if !v.isSet("enable.idempotence") && (v.Int("retries") == 0 || !v.acksAll()) {
		derived["enable.idempotence"] = "false"
	}
	if floor := v.deliveryFloor(); !v.isSet("delivery.timeout.ms") && v.Int("delivery.timeout.ms") < floor {
		derived["delivery.timeout.ms"] = strconv.FormatInt(floor, 10)
	}
}

func (v Values) acksAll() bool { return v.String("acks") == "all" || v.String("acks") == "-1" }

// deliveryFloor is the least time, in milliseconds, in which a record can be
// sent once (KafkaProducer#configureDeliveryTimeout).
func (v Values) deliveryFloor() int64 {
	linger := min(v.Int("linger.ms"), math.MaxInt32)
	return min(linger+v.Int("request.timeout.ms"), math.MaxInt32)
}

// ValidateClient asks whether Kafka's Java client would start with these
// settings, and answers with the message of its exception.
func ValidateClient(scope Scope, set map[string]string) *kerror.Error {
	v := NewClient(scope, set)
	refusal := Values{scope: scope, own: set}.checkAll()
	if refusal == "" {
		refusal = v.checkSasl()
	}
	if refusal == "" {
		switch scope {
		case Producer:
			refusal = v.checkProducer()
		case Consumer:
			refusal = v.checkConsumer()
		}
	}
	if refusal != "" {
		return kerror.New(kerror.InvalidConfig, "%s", refusal)
	}
	return nil
}

func (v Values) checkSasl() (refusal string) {
	protocol := strings.ToUpper(v.String("security.protocol"))
	if strings.HasPrefix(protocol, "SASL_") && v.String("sasl.mechanism") == "" {
		return invalid("sasl.mechanism", "null",
			"When the security.protocol configuration enables SASL, mechanism must be non-null and non-empty string.")
	}
	return ""
}

// checkProducer holds what idempotence and transactions ask of a producer
// (ProducerConfig#postProcessAndValidateIdempotenceConfigs), then what
// KafkaProducer does.
func (v Values) checkProducer() (refusal string) {
	asked := v.isSet("enable.idempotence")
	wanted := !asked || v.Bool("enable.idempotence")
	inFlight := v.Int("max.in.flight.requests.per.connection")
	switch {
	case wanted && asked && v.Int("retries") == 0:
		return "Must set retries to non-zero when using the idempotent producer."
	case wanted && asked && !v.acksAll():
		return "Must set acks to all in order to use the idempotent producer. Otherwise we cannot guarantee idempotence."
	case wanted && inFlight > 5:
		return fmt.Sprintf("To use the idempotent producer, max.in.flight.requests.per.connection must be set to at most 5. Current value is %d.", inFlight)
	case !v.Bool("enable.idempotence") && v.isSet("transactional.id"):
		return "Cannot set a transactional.id without also enabling idempotence."
	case v.Bool("transaction.two.phase.commit.enable") && v.isSet("transaction.timeout.ms"):
		return "Cannot set transaction.timeout.ms when transaction.two.phase.commit.enable is set to true. Transactions will not expire with two-phase commit enabled."
	case v.isSet("partitioner.class") && classes()[v.String("partitioner.class")].implements != "Partitioner":
		return "class " + v.String("partitioner.class") + " is not an instance of org.apache.kafka.clients.producer.Partitioner"
	case v.Int("delivery.timeout.ms") < v.deliveryFloor():
		return "delivery.timeout.ms should be equal to or larger than linger.ms + request.timeout.ms"
	}
	return ""
}

// checkConsumer holds what ConsumerConfig and KafkaConsumer ask.
func (v Values) checkConsumer() (refusal string) {
	if !v.Has("group.id") && v.Bool("enable.auto.commit") {
		return "enable.auto.commit cannot be set to true when default group id (null) is used."
	}
	if refusal = v.checkProtocol(); refusal != "" {
		return refusal
	}
	switch {
	case v.Has("group.id") && v.String("group.id") == "":
		return "The configured group.id should not be an empty string or whitespace."
	case !v.Has("group.id") || v.protocol() != "CLASSIC":
		return ""
	}
	if refusal = v.checkAssignors(); refusal != "" {
		return refusal
	}
	if v.Int("heartbeat.interval.ms") >= v.Int("session.timeout.ms") {
		return "Heartbeat must be set lower than the session timeout"
	}
	return ""
}

func (v Values) protocol() string { return strings.ToUpper(v.String("group.protocol")) }

// checkProtocol: with the consumer protocol (KIP-848) the broker keeps the
// time-outs and assigns, so that a consumer cannot ask for its own
// (ConsumerConfig#checkUnsupportedConfigsPostProcess).
func (v Values) checkProtocol() (refusal string) {
	unsupported := map[string][]string{
		"CLASSIC": {"group.remote.assignor", "share.acknowledgement.mode", "share.acquire.mode"},
		"CONSUMER": {
			"partition.assignment.strategy", "heartbeat.interval.ms", "session.timeout.ms",
			"share.acknowledgement.mode", "share.acquire.mode",
		},
	}[v.protocol()]
	var wrong []string
	for _, name := range unsupported {
		if trim(v.own[name]) != "" {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) > 0 {
		return strings.Join(wrong, ", ") + " cannot be set when group.protocol=" + v.protocol()
	}
	return ""
}

// checkAssignors is ConsumerPartitionAssignor#getAssignorInstances.
func (v Values) checkAssignors() (refusal string) {
	names := v.List("partition.assignment.strategy")
	at := slices.IndexFunc(names, func(name string) bool { return classes()[name].implements != "ConsumerPartitionAssignor" })
	switch {
	case at < 0:
		return ""
	case !knownClass(names[at]):
		return names[at] + " ClassNotFoundException exception occurred"
	}
	return "class " + names[at] + " is not an instance of org.apache.kafka.clients.consumer.ConsumerPartitionAssignor"
}
