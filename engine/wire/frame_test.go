package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// Frames come out as they went in, however the bytes are cut on their way, and
// whatever is left in the buffers of those before.
func TestFramesAsSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 300)).Draw(t, "frames")
		if rapid.Bool().Draw(t, "large") {
			frames = append(frames, bytes.Repeat([]byte{1, 2, 3}, rapid.IntRange(firstRead/3, 4*firstRead).Draw(t, "thirds")))
			frames = append(frames, frames[len(frames)-1][5:], bytes.Repeat([]byte{7}, rapid.IntRange(1, 10*firstRead).Draw(t, "more")))
		}
		var sent []byte
		for _, f := range frames {
			sent = append(sent, framed(f)...)
		}
		src := io.Reader(bytes.NewReader(sent))
		if rapid.Bool().Draw(t, "halves") {
			src = iotest.HalfReader(src)
		}
		r := frameReader{max: MaxFrame, src: src, used: &sync.Pool{}}
		for i, f := range frames {
			got, err := r.next()
			if err != nil || !bytes.Equal(got, f) {
				t.Fatalf("frame %d: %d bytes, %v; want %d", i, len(got), err, len(f))
			}
			for j := range got {
				got[j] = 0xdd
			}
			r.giveBack(got)
		}
		if _, err := r.next(); err != io.EOF {
			t.Fatalf("after the last frame: %v", err)
		}
	})
}

// A length that is not possible, and an end inside a frame, are told apart.
func TestBrokenFrames(t *testing.T) {
	size := func(n int32) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }
	for _, c := range []struct {
		name string
		sent []byte
		want error
	}{
		{"nothing", nil, io.EOF},
		{"half a length", []byte{0, 0}, io.ErrUnexpectedEOF},
		{"negative", size(-1), &SizeError{-1, MaxFrame}},
		{"most negative", size(-1 << 31), &SizeError{-1 << 31, MaxFrame}},
		{"too large", size(MaxFrame + 1), &SizeError{MaxFrame + 1, MaxFrame}},
		{"only a length", size(4), io.ErrUnexpectedEOF},
		{"half a frame", append(size(4), 1, 2), io.ErrUnexpectedEOF},
	} {
		r := frameReader{max: MaxFrame, src: bytes.NewReader(c.sent)}
		_, err := r.next()
		var wrong, want *SizeError
		if errors.As(c.want, &want) {
			if !errors.As(err, &wrong) || *wrong != *want {
				t.Errorf("%s: %v, want %v", c.name, err, c.want)
			}
		} else if err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// A frame takes room as it comes: a peer that promises 100 MB and sends a few
// bytes holds 64 KiB.
func TestFrameGrowsAsItComes(t *testing.T) {
	room := 0
	r := frameReader{max: MaxFrame, src: bytes.NewReader(framed(make([]byte, MaxFrame))[:firstRead+4]), room: func(n int) error { room += n; return nil }}
	if _, err := r.next(); err != io.ErrUnexpectedEOF {
		t.Fatal(err)
	}
	if room != 8*firstRead {
		t.Errorf("%d bytes were made room for, want %d", room, 8*firstRead)
	}
	full := errors.New("no room")
	r = frameReader{max: MaxFrame, src: bytes.NewReader(framed(make([]byte, 100))), room: func(int) error { return full }}
	if _, err := r.next(); err != full {
		t.Errorf("without room: %v", err)
	}
}

// FuzzFrames reads any bytes as frames: what comes out was in there.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0, 2, 1, 2, 0, 0, 0, 0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte{6, 0x40, 0, 0, 1, 2, 3})
	f.Fuzz(func(t *testing.T, sent []byte) {
		r := frameReader{max: MaxFrame, src: bytes.NewReader(sent)}
		var seen []byte
		for {
			frame, err := r.next()
			if err != nil {
				break
			}
			seen = append(seen, framed(frame)...)
		}
		if !bytes.HasPrefix(sent, seen) {
			t.Fatalf("%x was read as %x", sent, seen)
		}
	})
}

// What is written in turns is what there was to write, no turn too long.
func TestCutParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := net.Buffers(rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 20)).Draw(t, "parts"))
		want, n := slices.Concat(parts...), rapid.IntRange(1, 30).Draw(t, "n")
		var got []byte
		for len(parts) > 0 {
			var front net.Buffers
			front, parts = cutParts(parts, n)
			part := slices.Concat(front...)
			if len(part) > n || len(part) < n && len(parts) > 0 {
				t.Fatalf("a turn of %d bytes, want %d", len(part), n)
			}
			got = append(got, part...)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%x, want %x", got, want)
		}
	})
}
