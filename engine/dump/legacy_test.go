package dump

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A batch with a damaged magic is told as kafka-dump-log tells it: in one line, as
// a message of the format that the magic says.
func TestDamagedMagicIsTold(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "storage", "transactions", "txn-mixed", "00000000000000000004.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		at   int
		to   byte
		want string
	}{
		{16, 0, "offset: 4 position: 0 NoTimestampType: -1 size: 78 magic: 0 compresscodec: gzip crc: 0 isvalid: false"},
		{16, 1, "offset: 4 position: 0 CreateTime: -3003267631953215488 size: 78 magic: 1 compresscodec: gzip crc: 0 isvalid: false"},
		{94, 0, "offset: 5 position: 78 NoTimestampType: -1 size: 73 magic: 0 compresscodec: none crc: 0 isvalid: false"},
		{94, 1, "offset: 5 position: 78 LogAppendTime: -6688586517213872128 size: 73 magic: 1 compresscodec: none crc: 0 isvalid: false"},
	} {
		var out bytes.Buffer
		if Bytes(&out, "00000000000000000004.log", spoil(data, tt.at, tt.to), Options{}) {
			t.Errorf("byte %d = %d is taken for sound", tt.at, tt.to)
		}
		if !strings.Contains(out.String(), "\n"+tt.want+"\n") {
			t.Errorf("byte %d = %d:\n%s\nwant %s", tt.at, tt.to, &out, tt.want)
		}
	}
}
