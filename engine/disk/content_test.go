package disk

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plainFile is a file as content should be one, made of nothing but slices.
type plainFile struct {
	now, synced []byte
	stable      int
	touched     bool // below the synced end
}

func (p *plainFile) write(b []byte, off int) {
	if off < len(p.synced) {
		p.stable, p.touched = min(p.stable, off), true
	}
	if grow := off + len(b) - len(p.now); grow > 0 {
		p.now = append(p.now, make([]byte, grow)...)
	}
	copy(p.now[off:], b)
}

func (p *plainFile) truncate(size int) {
	if size > len(p.now) {
		p.now = append(p.now, make([]byte, size-len(p.now))...)
	}
	if size < len(p.synced) {
		p.stable, p.touched = min(p.stable, size), true
	}
	p.now = p.now[:size]
}

func (p *plainFile) sync() {
	p.synced, p.stable, p.touched = slices.Clone(p.now), len(p.now), false
}

func (p *plainFile) crash(keep int) {
	if keep > 0 {
		p.now = slices.Clone(p.now[:p.stable+keep])
	} else {
		p.now = slices.Clone(p.synced)
	}
	p.sync()
}

// lentSlice is what a reader holds, and what it read then.
type lentSlice struct{ held, read []byte }

// TestContentIsAFile drives a content and a plain file side by side; what was
// lent or given away on the way must stay as it was.
func TestContentIsAFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, want := &content{}, &plainFile{}
		var lent []lentSlice
		keep := func(b []byte) { lent = append(lent, lentSlice{b, slices.Clone(b)}) }
		sizes := rapid.SampledFrom([]int{0, 1, 7, 61, 700, 1024, leastAdopted - 1, leastAdopted, 3 * leastAdopted, 40_000})
		mark := byte(0)
		data := func() []byte {
			mark++
			return bytes.Repeat([]byte{mark, 0x80 | mark>>1, 3}, 1+sizes.Draw(t, "size")/3)
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(*rapid.T) {
				b := data()
				c.ensure(len(b))
				c.append(b[:len(b)/2])
				c.append(b[len(b)/2:])
				want.write(b, len(want.now))
			},
			"adopt": func(*rapid.T) {
				b := data()
				keep(b)
				c.adopt(b)
				want.write(b, len(want.now))
			},
			"write": func(t *rapid.T) {
				off, b := rapid.IntRange(0, len(want.now)+2000).Draw(t, "off"), data()
				c.writeAt(b, int64(off))
				want.write(b, off)
			},
			"slice": func(t *rapid.T) {
				off := rapid.IntRange(0, len(want.now)).Draw(t, "off")
				n := min(sizes.Draw(t, "n"), len(want.now)-off)
				b, err := c.slice(int64(off), n)
				if err != nil || !bytes.Equal(b, want.now[off:off+n]) {
					t.Fatalf("slice of %d at %d of %d: %v, the bytes differ", n, off, len(want.now), err)
				}
				keep(b)
			},
			"truncate": func(t *rapid.T) {
				size := rapid.IntRange(0, len(want.now)+3000).Draw(t, "to")
				c.truncate(int64(size))
				want.truncate(size)
			},
			"flip": func(t *rapid.T) {
				if len(want.now) == 0 {
					t.Skip("nothing to flip")
				}
				off := rapid.IntRange(0, len(want.now)-1).Draw(t, "off")
				c.flip(int64(off), 0x41)
				want.now[off] ^= 0x41
				if off < len(want.synced) {
					want.synced[off] ^= 0x41
				}
			},
			"sync": func(*rapid.T) { c.sync(); want.sync() },
			"crash": func(t *rapid.T) {
				n := rapid.IntRange(0, int(c.unsynced())).Draw(t, "keep")
				c.crash(int64(n))
				want.crash(n)
			},
			"": func(t *rapid.T) {
				got := make([]byte, c.size+1)
				if n, err := c.readAt(got, 0); n != len(want.now) || err != io.EOF || !bytes.Equal(got[:n], want.now) {
					t.Fatalf("read %d bytes of %d, %v", n, len(want.now), err)
				}
				if u := int64(len(want.now) - min(want.stable, len(want.now))); c.unsynced() != u {
					t.Fatalf("%d bytes unsynced, want %d", c.unsynced(), u)
				}
				for i, l := range lent {
					if !bytes.Equal(l.held, l.read) {
						t.Fatalf("slice %d has changed since it was lent", i)
					}
				}
			},
		})
	})
}

func TestSliceIsOneOfTheFile(t *testing.T) {
	c := &content{}
	for range 3 {
		c.append(bytes.Repeat([]byte{1}, 300_000))
	}
	a, err := c.slice(10, 100_000)
	b, _ := c.slice(10, 100_000)
	if err != nil || &a[0] != &b[0] {
		t.Errorf("a slice within an extent is copied (%v)", err)
	}
	if _, err := c.slice(899_999, 2); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a slice past the end: %v", err)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = c.slice(10, 100_000) }); n != 0 {
		t.Errorf("a slice takes %v allocations", n)
	}
}
