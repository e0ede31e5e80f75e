package lessons

import (
	"testing"

	"kafkalab/assets"
)

// The course that the program carries is ready to be taught: every script runs,
// every number can be computed, every option is what it says.
func TestBuiltInCourse(t *testing.T) {
	for _, f := range Lint(assets.Course()) {
		t.Error(f)
	}
}
