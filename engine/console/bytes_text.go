package console

import (
	"fmt"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/record"
)

// bytesPart is a part of a file in JSON: places are bytes of the file.
type bytesPart struct {
	Title   string       `json:"title"`
	Summary string       `json:"summary,omitempty"`
	At      int64        `json:"at"`
	Size    int          `json:"size"`
	CRC     *bytesCRC    `json:"crc,omitempty"`
	Damage  string       `json:"damage,omitempty"`
	Fields  []bytesField `json:"fields"`
	Bytes   []byte       `json:"bytes,omitempty"`
	// Unpacked are the fields of compressed records, with their places in what
	// decompressing gives.
	Unpacked []bytesField `json:"unpacked,omitempty"`
}

type bytesCRC struct {
	At       int64  `json:"at"`
	From     int64  `json:"from"`
	To       int64  `json:"to"`
	Stored   uint32 `json:"stored"`
	Computed uint32 `json:"computed"`
	Right    bool   `json:"right"`
}

type bytesField struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	At     int64  `json:"at"`
	Size   int    `json:"size"`
	Record *int   `json:"record,omitempty"`
	Value  string `json:"value"`
	Note   string `json:"note,omitempty"`
}

func newBytesPart(p engine.FilePart, withBytes bool) bytesPart {
	out := bytesPart{Title: p.Title, Summary: p.Summary, At: p.At, Size: len(p.Data), Fields: bytesFields(p.Fields, p.At)}
	if withBytes {
		out.Bytes = p.Data
	}
	if c := p.CRC; c != nil {
		out.CRC = &bytesCRC{c.At, c.From, c.To, c.Stored, c.Computed, c.Right()}
	}
	if p.Damage != nil {
		out.Damage = p.Damage.Error()
	}
	if p.Unpacked != nil {
		out.Unpacked = bytesFields(p.Unpacked.Fields, 0)
	}
	return out
}

func bytesFields(from []record.Field, at int64) []bytesField {
	out := make([]bytesField, 0, len(from))
	for _, f := range from {
		t := bytesField{Name: f.Name, Type: f.Type, At: at + int64(f.Offset), Size: f.Size, Value: f.Value, Note: f.Note}
		if f.Record >= 0 {
			t.Record = &f.Record
		}
		out = append(out, t)
	}
	return out
}

// partLine is a part in one line.
func partLine(p engine.FilePart) string {
	line := fmt.Sprintf("%s at byte %d, %d B", p.Title, p.At, len(p.Data))
	if p.Summary != "" {
		line += "  " + p.Summary
	}
	return line
}

// partLines are a part with its checksum, its damage, its fields and its bytes.
func partLines(p engine.FilePart) []string {
	lines := append([]string{partLine(p)}, damageLines(p)...)
	lines = append(lines, partFields(p, p.Fields)...)
	if u := p.Unpacked; u != nil {
		lines = append(lines, fmt.Sprintf("  the records, decompressed to %d B:", len(u.Data)))
		lines = append(lines, partFields(engine.FilePart{}, u.Fields)...)
	}
	return append(lines, hexLines(p)...)
}

// damageLines tell the checksum as it was checked, and what is wrong.
func damageLines(p engine.FilePart) (lines []string) {
	if c := p.CRC; c != nil {
		verdict := "right"
		if !c.Right() {
			verdict = "WRONG"
		}
		lines = append(lines, fmt.Sprintf("  crc over bytes %d-%d: stored 0x%08x, computed 0x%08x, %s", c.From, c.To-1, c.Stored, c.Computed, verdict))
	}
	if p.Damage != nil {
		lines = append(lines, "  damaged "+p.Damage.Error())
	}
	return lines
}

// partFields are fields below each other: byte of the file, size, name, type,
// value, and what that means.
func partFields(p engine.FilePart, fields []record.Field) (lines []string) {
	of := record.BatchHeader
	for _, f := range fields {
		if f.Record != of {
			if of = f.Record; of >= 0 {
				lines = append(lines, fmt.Sprintf("  record %d", of))
			}
		}
		line := fmt.Sprintf("  %8d %5d  %-21s %-7s %s", p.At+int64(f.Offset), f.Size, f.Name, f.Type, f.Value)
		if f.Note != "" {
			line += "  (" + f.Note + ")"
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// hexLines are the bytes of a part.
func hexLines(p engine.FilePart) (lines []string) {
	const width = 16
	for at := 0; at < len(p.Data); at += width {
		lines = append(lines, fmt.Sprintf("%8d  % x", p.At+int64(at), p.Data[at:min(at+width, len(p.Data))]))
	}
	return lines
}
