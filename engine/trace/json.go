package trace

import (
	"bytes"
	"encoding/json"
)

// PlainJSON is json.Marshal without its care for web pages: < > and & stay as
// they are, for people to read.
func PlainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
