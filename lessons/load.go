package lessons

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"kafkalab/quiz/source"
)

// maxFile bounds the files of a course, in bytes: a lesson is a few thousand.
const maxFile = 1 << 20

const (
	courseFile         = "course.yaml"
	glossaryFile       = "glossary.md"
	misconceptionsFile = "misconceptions.txt"
	lessonDir          = "lessons"
	drillDir           = "drills"
)

// courseFields are the fields of course.yaml.
type courseFields struct {
	Title    source.Text     `yaml:"title"`
	Version  source.Text     `yaml:"version"`
	Sections []sectionFields `yaml:"sections"`
	Alike    alikes          `yaml:"alike"`
}

type sectionFields struct {
	Title   source.Text   `yaml:"title"`
	Lessons []source.Text `yaml:"lessons"`
}

// LoadCourse reads a course's folder. It always gives a course, with what could
// be read; what could not, or is not as the format asks, is in the findings,
// all of them, in order of file and line. Nothing is run: that is Lint's.
func LoadCourse(fsys fs.FS) (*Course, []Finding) {
	l := &loader{fsys: fsys, course: &Course{unread: map[string]bool{}}, lessons: map[string]*Lesson{}}
	l.files()
	l.readGlossary()
	l.readMisconceptions()
	l.readCourse()
	l.links()
	return l.course, source.Sort(l.findings)
}

// loader reads one course.
type loader struct {
	fsys     fs.FS
	course   *Course
	lessons  map[string]*Lesson
	findings []Finding
}

func (l *loader) add(file string, line int, format string, args ...any) {
	d := source.Decoder{File: file}
	d.Add(line, format, args...)
	l.findings = append(l.findings, d.Findings...)
}

// files walks through the folder: it reads lessons and drills, and finds files
// that have no place in a course.
func (l *loader) files() {
	err := fs.WalkDir(l.fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			l.add(name, 0, "cannot be read: %v", err)
			return nil
		}
		if name != "." && strings.HasPrefix(e.Name(), ".") {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil // an editor's or a version control's own
		}
		if !e.IsDir() {
			l.file(name)
		}
		return nil
	})
	if err != nil {
		l.add(".", 0, "the course cannot be read: %v", err)
	}
}

func (l *loader) file(name string) {
	dir, base := path.Split(name)
	id, markdown := strings.CutSuffix(base, ".md")
	switch {
	case dir == lessonDir+"/" && markdown:
		l.lessons[id] = nil // if it cannot be read: it is there all the same
		if data, ok := l.read(name); ok {
			lesson, findings := parseLesson(name, id, data)
			l.findings = append(l.findings, findings...)
			l.lessons[id] = lesson
		}
		l.course.unread[id] = l.lessons[id] == nil
	case dir == drillDir+"/" && markdown:
		if data, ok := l.read(name); ok {
			drill, findings := parseDrill(name, id, data)
			l.findings = append(l.findings, findings...)
			if drill != nil {
				l.course.Drills = append(l.course.Drills, drill)
			}
		}
	case slices.Contains([]string{courseFile, glossaryFile, misconceptionsFile, "README.md"}, name):
	default:
		l.add(name, 0, "this file has no place in a course (allowed: %s, %s/ID.md, %s/ID.md, %s, %s, README.md)",
			courseFile, lessonDir, drillDir, glossaryFile, misconceptionsFile)
	}
}

// read gives a file's bytes; that it cannot be read is a finding.
func (l *loader) read(name string) ([]byte, bool) {
	info, err := fs.Stat(l.fsys, name)
	if err == nil && info.Size() > maxFile {
		l.add(name, 0, "has %d bytes (allowed: %d)", info.Size(), maxFile)
		return nil, false
	}
	data, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		l.add(name, 0, "cannot be read: %v", err)
		return nil, false
	}
	if !utf8.Valid(data) {
		l.add(name, 0, "is not UTF-8 text")
		return nil, false
	}
	if i := bytes.IndexFunc(data, isControl); i >= 0 {
		l.add(name, 1+bytes.Count(data[:i], []byte("\n")), "has a control character, 0x%02x (allowed: line ends and tabs)", data[i])
	}
	return data, true
}

// isControl tells what a terminal would obey and no text needs.
func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f }

// optional tells whether a file is there at all.
func (l *loader) optional(name string) ([]byte, bool) {
	if _, err := fs.Stat(l.fsys, name); errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	return l.read(name)
}

func (l *loader) readGlossary() {
	if data, ok := l.optional(glossaryFile); ok {
		d := &source.Decoder{File: glossaryFile}
		l.course.Glossary = parseGlossary(d, data)
		l.findings = append(l.findings, d.Findings...)
	}
}

var misconceptionLine = regexp.MustCompile(`^(M-\d{3})\t([^\t\s][^\t]*)(?:\t([^\t\s][^\t]*))?$`)

// readMisconceptions reads the list of beliefs that options may name: an id, a
// tab, the belief a line, and behind another tab what is so, if it is said.
func (l *loader) readMisconceptions() {
	data, ok := l.optional(misconceptionsFile)
	if !ok {
		return
	}
	l.course.Misconceptions = map[string]Misconception{}
	for i, line := range cleanLines(data) {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := misconceptionLine.FindStringSubmatch(line)
		switch {
		case m == nil:
			l.add(misconceptionsFile, i+1, "%q is no misconception (allowed: M- and three digits, a tab, the belief, and if need be a tab and what is so)", line)
		case l.course.Misconceptions[m[1]].Belief != "":
			l.add(misconceptionsFile, i+1, "%s stands twice", m[1])
		default:
			l.course.Misconceptions[m[1]] = Misconception{Belief: m[2], Truth: m[3]}
		}
	}
}

// readCourse reads course.yaml, and puts the lessons in their sections.
func (l *loader) readCourse() {
	data, ok := l.optional(courseFile)
	if !ok {
		l.add(courseFile, 0, "a course needs this file: title, version, sections with their lessons")
		return
	}
	var f courseFields
	d := &source.Decoder{File: courseFile, Line: 1}
	d.Decode(string(data), "course", &f)
	if f.Title.Blank() {
		d.Add(1, "course: title is missing")
	}
	if f.Version.Blank() {
		d.Add(1, "course: version is missing")
	}
	if len(f.Sections) == 0 {
		d.Add(1, "course: sections are missing: a list of title and lessons")
	}
	l.course.Title, l.course.Version = f.Title.Value, f.Version.Value
	placed := map[string]bool{}
	for _, s := range f.Sections {
		l.section(d, s, placed)
	}
	for _, id := range sortedKeys(l.lessons) {
		if !placed[id] {
			l.add(lessonDir+"/"+id+".md", 1, "the lesson stands in no section of %s", courseFile)
		}
	}
	l.course.Alike = f.Alike
	l.course.checkAlike(d)
	l.findings = append(l.findings, d.Findings...)
}

func (l *loader) section(d *source.Decoder, f sectionFields, placed map[string]bool) {
	section := Section{Title: f.Title.Value}
	if f.Title.Blank() {
		d.Add(1, "course: a section has no title")
	}
	for _, id := range f.Lessons {
		lesson, there := l.lessons[id.Value]
		switch {
		case placed[id.Value]:
			d.Add(id.Line, "lesson %q stands twice", id.Value)
		case !there:
			d.Add(id.Line, "%s (it would be %s/%s.md)", source.Unknown("lesson", id.Value, sortedKeys(l.lessons)), lessonDir, id.Value)
		case lesson != nil:
			section.Lessons = append(section.Lessons, lesson)
			if lesson.Section != section.Title {
				l.add(lesson.File, lesson.front.Section.Line, "section %q is not the one of %s (allowed: %s)", lesson.Section, courseFile, section.Title)
			}
		}
		placed[id.Value] = true
	}
	l.course.Sections = append(l.course.Sections, section)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
