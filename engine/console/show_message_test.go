package console_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"kafkalab/engine/console"
)

// A message of the list is shown with all its fields, by its event's number.
func TestShowMessage(t *testing.T) {
	s := console.NewSession(console.Options{})
	out, err := s.Run("topic create t\nproduce t count=3\nshow sequence")
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile(`event (\d+) +app +──▶ broker-1 +Produce v13  \d+ B  acks=-1 t-0 3 records`).FindStringSubmatch(strings.Join(out[2].Text, "\n"))
	if listed == nil {
		t.Fatalf("no produce in\n%s", strings.Join(out[2].Text, "\n"))
	}
	shown, err := s.Exec("show sequence " + listed[1])
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(shown.Text, "\n")
	for _, want := range []string{
		"Produce request v13  app to broker-1", "\n  RequestApiKey  0  Produce", "\n  TransactionalId  null", "\n  Acks  -1  all in-sync replicas",
		"\n  TopicData  1 of TopicProduceData\n    [0]\n      TopicId  ", "  t\n      PartitionData  1 of PartitionProduceData",
		"\n          Index  0", "\n          Records  3 records from base offset 0  ", "_tagged_fields  0",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	data, err := json.Marshal(shown.Result)
	if err != nil || !strings.Contains(string(data), `{"name":"Acks","type":"int16","at":`) || strings.Contains(string(data), "Payload") {
		t.Errorf("%v\n%s", err, data)
	}
	for _, line := range []string{"show sequence x", "show sequence 0", "show sequence 1 2"} {
		if _, err := s.Exec(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
	if out, err := s.Exec("show sequence 999999"); err != nil || !strings.Contains(out.Text[0], "event 999999 sent no message") {
		t.Errorf("%v %v", out.Text, err)
	}
}
