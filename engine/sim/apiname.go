package sim

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// kafkaSpelling turns kmsg's names of requests into Kafka's.
var kafkaSpelling = strings.NewReplacer("ProducerID", "ProducerId", "ACL", "Acl", "SASL", "Sasl", "ISR", "Isr", "SCRAM", "Scram",
	"AlterPartitionAssignments", "AlterPartitionReassignments")

// APIName is Kafka's name of a request (ApiMessageType).
func APIName(key int16) string { return kafkaSpelling.Replace(kmsg.NameForKey(key)) }
