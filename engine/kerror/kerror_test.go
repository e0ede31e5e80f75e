package kerror

import "testing"

func TestCodesFollowTheTable(t *testing.T) {
	for code, name := range map[Code]string{
		UnknownServerError:        "UNKNOWN_SERVER_ERROR",
		None:                      "NONE",
		NotEnoughReplicas:         "NOT_ENOUGH_REPLICAS",
		UnknownTopicId:            "UNKNOWN_TOPIC_ID",
		ControllerIdNotRegistered: "CONTROLLER_ID_NOT_REGISTERED",
	} {
		if code.String() != name {
			t.Errorf("code %d is %s, want %s", int16(code), code, name)
		}
		if back, ok := ByName(name); !ok || back != code {
			t.Errorf("%s is code %d, want %d", name, back, code)
		}
	}
	if got := Code(137).String(); got != "ERROR_137" {
		t.Errorf("a code Kafka does not have prints as %s", got)
	}
	if !NotEnoughReplicas.Retriable() || OffsetOutOfRange.Retriable() {
		t.Error("retriable is read from the wrong row")
	}
	if int(ControllerIdNotRegistered) != len(table)-2 {
		t.Errorf("the table has holes: %d rows, last code %d", len(table), ControllerIdNotRegistered)
	}
}
