package sim

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// kafkaSpelling turns kmsg's names of requests into Kafka's.
var kafkaSpelling = strings.NewReplacer("ProducerID", "ProducerId", "ACL", "Acl", "SASL", "Sasl", "ISR", "Isr", "SCRAM", "Scram",
	"AlterPartitionAssignments", "AlterPartitionReassignments")

// apiNames are the names of the requests that kmsg knows, by key.
var apiNames = func() []string {
	names := make([]string, kmsg.MaxKey+1)
	for key := range names {
		names[key] = kafkaSpelling.Replace(kmsg.NameForKey(int16(key)))
	}
	return names
}()

// APIName is Kafka's name of a request (ApiMessageType).
func APIName(key int16) string {
	if key < 0 || int(key) >= len(apiNames) {
		return kmsg.NameForKey(key)
	}
	return apiNames[key]
}
