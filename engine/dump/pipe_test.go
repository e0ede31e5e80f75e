//go:build unix

package dump

import (
	"bytes"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"
)

// Nobody writes into the pipe: opening it would wait for ever.
func TestPipeIsNoFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), zero+".log")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip("no pipes here: ", err)
	}
	var out bytes.Buffer
	if Files(&out, afero.NewOsFs(), []string{name}, Options{}) || !strings.Contains(out.String(), "is no plain file") {
		t.Errorf("%s", &out)
	}
}
