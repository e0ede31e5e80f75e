package storage

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// TextError is what is wrong with one of the text files of a log directory or of
// a partition's folder: a checkpoint, or partition.metadata.
type TextError struct {
	File string // path in the log directory, empty for bare bytes
	Line int    // from 1, 0 for the file as a whole
	What string // what is wrong and what is allowed
	// Unchecked tells that Kafka's reader does not expect it: it fails with an
	// exception of its own (NumberFormatException, IllegalArgumentException)
	// that is not an IOException, and so is not taken for a failure of the disk.
	Unchecked bool
}

func (e *TextError) Error() string {
	s := e.What
	if e.Line > 0 {
		s = fmt.Sprintf("line %d: %s", e.Line, s)
	}
	if e.File != "" {
		s = e.File + ": " + s
	}
	return s
}

func badLine(line int, format string, args ...any) *TextError {
	return &TextError{Line: line, What: fmt.Sprintf(format, args...)}
}

// unchecked is badLine for what Kafka's reader does not expect.
func unchecked(line int, format string, args ...any) *TextError {
	e := badLine(line, format, args...)
	e.Unchecked = true
	return e
}

// inFile names the file of a TextError.
func inFile(name string, err error) error {
	if e, ok := err.(*TextError); ok {
		e.File = name
		return e
	}
	return err
}

// javaLines cuts a text into lines as Java's BufferedReader does: at \n, \r or
// both; a line end at the end begins none.
func javaLines(data []byte) []string {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

var javaBlanks = regexp.MustCompile(`[ \t\n\x0b\f\r]+`)

// javaFields cuts a line at blanks as Java's Pattern#split does: one at the
// beginning makes an empty field, one at the end makes none.
func javaFields(line string) []string {
	fields := javaBlanks.Split(line, -1)
	for len(fields) > 1 && fields[len(fields)-1] == "" {
		fields = fields[:len(fields)-1]
	}
	return fields
}

// numbers reads fields as whole numbers of so many bits.
func numbers(line int, fields []string, bits ...int) ([]int64, error) {
	list := make([]int64, len(bits))
	for i, field := range fields {
		n, err := strconv.ParseInt(field, 10, bits[i])
		if err != nil {
			return nil, unchecked(line, "%q is no number of %d bits", field, bits[i])
		}
		list[i] = n
	}
	return list, nil
}
