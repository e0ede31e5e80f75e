package canvas

import (
	"testing"

	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

func TestMarkDifferent(t *testing.T) {
	c := New(41, 3)
	one, two := c.Region().Sub(geom.Rect{W: 20, H: 3}), c.Region().Sub(geom.Rect{X: 21, W: 20, H: 3})
	for y, row := range [][2]string{{"LEO 1 007 HW 5", "LEO 1 002 HW 5"}, {"broker-1 at 3", "broker-2 at 4"}, {"HW 9", "HW 10"}} {
		one.Put(0, y, row[0], theme.Text)
		two.Put(0, y, row[1], theme.Text)
	}
	MarkDifferent(one, two, theme.Underline)
	marked := ""
	for y := range 3 {
		for x := range 41 {
			if c.StyleAt(x, y)&theme.Underline != 0 {
				marked += string(c.cells[y*41+x].r)
			}
		}
		marked += "|"
	}
	if marked != "1 0071 002||910|" {
		t.Errorf("%q", marked)
	}
	MarkDifferent(one.Sub(geom.Rect{X: -3, W: 20, H: 3}), two, theme.Reverse) // a part outside: nothing is marked
	if c.StyleAt(0, 0)&theme.Reverse != 0 {
		t.Error("marked outside")
	}
}
