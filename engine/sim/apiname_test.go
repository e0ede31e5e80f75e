package sim

import "testing"

// Requests go by Kafka's names, where kmsg's differ.
func TestAPINames(t *testing.T) {
	for key, want := range map[int16]string{
		0: "Produce", 4: "LeaderAndIsr", 17: "SaslHandshake", 22: "InitProducerId", 29: "DescribeAcls", 45: "AlterPartitionReassignments",
		51: "AlterUserScramCredentials", 56: "AlterPartition", 67: "AllocateProducerIds",
	} {
		if got := APIName(key); got != want {
			t.Errorf("request %d is %s, Kafka says %s", key, got, want)
		}
		if got, ok := APIKey(want); !ok || got != key {
			t.Errorf("%s is request %d", want, got)
		}
	}
}
