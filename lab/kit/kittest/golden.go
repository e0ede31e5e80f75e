package kittest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
)

var (
	update = flag.Bool("update", false, "write what is drawn into the golden files")
	frames = flag.String("frames", "", "write what is drawn into this folder, with colours, to be looked at with cat")
)

// Golden compares what a canvas shows with testdata/NAME.txt and checks that
// it is exact in every profile. What is compared is what a terminal without
// colours shows, where the parts of a bar differ in shape. Blanks at the ends
// of lines are not stored.
// With -update the file is written anew; with -frames DIR the coloured frame
// goes to DIR/NAME.ans, and as other terminals show it to DIR/NAME-*.ans.
func Golden(t *testing.T, name string, c *canvas.Canvas) {
	t.Helper()
	EveryProfile(t, c)
	lines := strings.Split(c.Render(Painter(t, "dark", theme.Dark, theme.Plain, false)), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", name+".txt")
	if *frames != "" {
		writeFrames(t, filepath.Join(*frames, name), c)
	}
	if *update {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to make it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// EveryProfile checks that a canvas is written exactly in each theme, on each
// kind of terminal, and in ASCII alone when that is asked for.
func EveryProfile(t *testing.T, c *canvas.Canvas) {
	t.Helper()
	w, h := c.Size()
	for _, name := range theme.Names {
		for p := theme.Plain; p <= theme.TrueColor; p++ {
			for _, ascii := range []bool{false, true} {
				frame := c.Render(Painter(t, name, theme.Dark, p, ascii))
				if err := Exact(frame, w, h); err != nil {
					t.Fatalf("theme %s, %v, ascii %v: %v", name, p, ascii, err)
				}
				if i := strings.IndexFunc(frame, func(r rune) bool { return r >= 0x80 }); ascii && i >= 0 {
					t.Fatalf("theme %s, %v: not ASCII: %q", name, p, frame[i:min(i+8, len(frame))])
				}
			}
		}
	}
}

// Painter is the painter of a theme by its name.
func Painter(t testing.TB, name string, bg theme.Background, p theme.Profile, ascii bool) *theme.Painter {
	t.Helper()
	th, p, err := theme.Choose(name, bg, p)
	if err != nil {
		t.Fatal(err)
	}
	return theme.NewPainter(th, p, ascii)
}

func writeFrames(t *testing.T, path string, c *canvas.Canvas) {
	t.Helper()
	for suffix, p := range map[string]*theme.Painter{
		"":                Painter(t, "dark", theme.Dark, theme.TrueColor, false),
		"-light":          Painter(t, "light", theme.Light, theme.TrueColor, false),
		"-contrast":       Painter(t, "contrast", theme.Dark, theme.TrueColor, false),
		"-contrast-light": Painter(t, "contrast", theme.Light, theme.TrueColor, false),
		"-256":            Painter(t, "dark", theme.Dark, theme.Ansi256, false),
		"-mono":           Painter(t, "none", theme.Dark, theme.TrueColor, false),
		"-16":             Painter(t, "dark", theme.Dark, theme.Ansi16, false),
		"-ascii":          Painter(t, "dark", theme.Dark, theme.Ansi256, true),
	} {
		write(t, path+suffix+".ans", c.Render(p))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
