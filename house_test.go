package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"kafkalab/engine/fidelity"
)

// layers is the house from the top down: a package may import those of lower
// layers only. The longest prefix decides.
var layers = []struct {
	prefix string
	level  int
}{
	{"kafkalab", 90}, {"kafkalab/lab/cli", 86},
	{"kafkalab/lab", 80}, {"kafkalab/lab/screen", 76}, {"kafkalab/lab/panel", 74}, {"kafkalab/lab/kit", 70},
	{"kafkalab/lessons", 62}, {"kafkalab/quiz", 60},
	{"kafkalab/engine/wire", 52}, {"kafkalab/engine/console", 50}, {"kafkalab/engine/check", 46}, {"kafkalab/engine", 44},
	{"kafkalab/engine/broker", 40}, {"kafkalab/engine/quorum", 40}, {"kafkalab/engine/client", 40},
	{"kafkalab/engine/dump", 36}, {"kafkalab/engine/metadata", 34}, {"kafkalab/engine/fetchsession", 32}, {"kafkalab/engine/storage", 30}, {"kafkalab/engine/record", 28},
	{"kafkalab/engine/sim", 20}, {"kafkalab/engine/disk", 20}, {"kafkalab/engine/trace", 16}, {"kafkalab/engine/config", 16},
	{"kafkalab/engine/kerror", 10}, {"kafkalab/engine/fidelity", 10}, {"kafkalab/assets", 8},
}

// nodes are the packages whose code meets only on the bus.
var nodes = []string{"kafkalab/engine/broker", "kafkalab/engine/quorum", "kafkalab/engine/client"}

func level(path string) int {
	best, level := -1, -1
	for _, l := range layers {
		if (path == l.prefix || strings.HasPrefix(path, l.prefix+"/")) && len(l.prefix) > best {
			best, level = len(l.prefix), l.level
		}
	}
	return level
}

// family is the part of a path under which packages may import each other's
// sub-packages, as lab/kit/widget imports lab/kit/canvas.
func family(path string) string {
	for _, f := range []string{"kafkalab/lab/kit", "kafkalab/quiz"} {
		if strings.HasPrefix(path, f) {
			return f
		}
	}
	return path
}

func goFiles(t *testing.T, visit func(path string, f *ast.File, set *token.FileSet)) {
	t.Helper()
	set := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err == nil {
			visit(filepath.ToSlash(path), f, set)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Imports go down the house only, and no node knows another.
func TestImportsGoDown(t *testing.T) {
	seen := 0
	goFiles(t, func(path string, f *ast.File, _ *token.FileSet) {
		from := "kafkalab"
		if dir := filepath.ToSlash(filepath.Dir(path)); dir != "." {
			from += "/" + dir
		}
		for _, imp := range f.Imports {
			to := strings.Trim(imp.Path.Value, `"`)
			if !strings.HasPrefix(to, "kafkalab") {
				continue
			}
			seen++
			if level(to) >= level(from) && family(to) != family(from) {
				t.Errorf("%s: %s imports %s, which is not below it", path, from, to)
			}
			if slices.Contains(nodes, from) && slices.Contains(nodes, to) {
				t.Errorf("%s: the node package %s imports another, %s: nodes meet on the bus", path, from, to)
			}
		}
	})
	if seen < 100 {
		t.Errorf("only %d imports were looked at", seen)
	}
}

// The lab sees the engine through its facade, the trace and the console, and
// through what those give away. The command line, which puts all parts
// together, sees all.
func TestTheLabSeesTheFacade(t *testing.T) {
	allowed := []string{
		"kafkalab/engine", "kafkalab/engine/trace", "kafkalab/engine/console", "kafkalab/engine/fidelity", "kafkalab/engine/kerror",
		"kafkalab/engine/storage", "kafkalab/engine/record", "kafkalab/engine/config", // types that the facade's windows are made of
	}
	goFiles(t, func(path string, f *ast.File, _ *token.FileSet) {
		if strings.HasPrefix(path, "lab/cli/") || !strings.HasPrefix(path, "lab/") && !strings.HasPrefix(path, "lessons/") && !strings.HasPrefix(path, "quiz/") {
			return
		}
		for _, imp := range f.Imports {
			to := strings.Trim(imp.Path.Value, `"`)
			if strings.HasPrefix(to, "kafkalab/engine") && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s", path, to)
			}
		}
	})
}

// Nothing under engine/ but wire/ starts a goroutine, reads a clock or draws
// from a random source that is not passed in.
func TestTheEngineIsDeterministic(t *testing.T) {
	clocks := map[string][]string{
		"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
	}
	random := regexp.MustCompile(`^(Int|Uint|Float|Perm|Shuffle|N$|NormFloat|ExpFloat|Read|Seed)`)
	goFiles(t, func(path string, f *ast.File, set *token.FileSet) {
		if !strings.HasPrefix(path, "engine/") || strings.HasPrefix(path, "engine/wire/") {
			return
		}
		names := map[string]string{}
		for _, imp := range f.Imports {
			p := strings.Trim(imp.Path.Value, `"`)
			name := p[strings.LastIndex(p, "/")+1:]
			if p == "math/rand/v2" {
				name = "rand"
			}
			if imp.Name != nil {
				name = imp.Name.Name
			}
			names[name] = p
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: a goroutine", set.Position(n.Pos()))
			case *ast.SelectStmt:
				t.Errorf("%s: a select", set.Position(n.Pos()))
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				switch p := names[x.Name]; {
				case slices.Contains(clocks[p], n.Sel.Name):
					t.Errorf("%s: %s.%s reads the clock", set.Position(n.Pos()), x.Name, n.Sel.Name)
				case (p == "math/rand" || p == "math/rand/v2") && random.MatchString(n.Sel.Name), p == "crypto/rand":
					t.Errorf("%s: %s.%s is a random source of its own", set.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
	})
}

// Nothing under engine/ ranges over a map unless a comment on the line above
// says why its order cannot be seen.
func TestNoMapOrderIsSeen(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile}, "./engine/...")
	if err != nil {
		t.Fatal(err)
	}
	ranges := 0
	for _, pkg := range pkgs {
		for _, e := range pkg.Errors {
			t.Fatalf("%s: %v", pkg.PkgPath, e)
		}
		for _, f := range pkg.Syntax {
			excused := map[int]bool{}
			for _, group := range f.Comments {
				for _, c := range group.List {
					if strings.Contains(c.Text, "order:") {
						excused[pkg.Fset.Position(group.End()).Line+1] = true
					}
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				r, ok := n.(*ast.RangeStmt)
				if !ok {
					return true
				}
				ranges++
				tv := pkg.TypesInfo.Types[r.X]
				if tv.Type == nil {
					return true
				}
				_, isMap := tv.Type.Underlying().(*types.Map)
				if pos := pkg.Fset.Position(r.Pos()); isMap && !excused[pos.Line] {
					t.Errorf("%s: ranges over a map; sort its keys, or say in a comment `// order: …` why it cannot be seen", pos)
				}
				return true
			})
		}
	}
	if ranges < 100 {
		t.Errorf("only %d range statements were looked at", ranges)
	}
}

// Each row of the fidelity table names a test that exists.
func TestFidelityNamesItsTests(t *testing.T) {
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(b), -1) {
			tests[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range fidelity.Rows() {
		if !tests[r.Test] {
			t.Errorf("%s, %s: there is no %s", r.Area, r.Name, r.Test)
		}
		if r.Rule == "" || r.Source == "" || !slices.Contains([]fidelity.Level{fidelity.Exact, fidelity.Simplified, fidelity.Absent}, r.Level) {
			t.Errorf("%s, %s: the row is not whole", r.Area, r.Name)
		}
	}
}
