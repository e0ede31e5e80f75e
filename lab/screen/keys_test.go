package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"

	"kafkalab/lab/kit/canvas"
	"kafkalab/quiz/progress"
)

// due gives an environment in which a check is due: one was missed.
func due(t *testing.T, env *Env) {
	t.Helper()
	l := env.Course.Lessons()[0]
	day := env.Now().Add(-72 * time.Hour)
	store, _ := progress.Open(afero.NewMemMapFs(), "/due.json", env.Course.Version, func() time.Time { return day })
	store.Record(l.Checks[0].ID, l.ID, progress.Answer{})
	store.Leave(l.ID, "step", 1)
	env.Progress = store.Snapshot()
}

// withoutPanels are the screens and sheets that have no cluster on them, each at
// the moments in which its keys are others.
func withoutPanels(t *testing.T, env *Env) map[string]Screen {
	t.Helper()
	all := map[string]Screen{}
	fresh := NewHome(env)
	all["map, nothing begun"] = fresh
	due(t, env)
	lesson := NewHome(env)
	all["map at a lesson"] = lesson
	section := NewHome(env)
	section.list.Selected = 0
	all["map at a section"] = section
	all["search"] = NewSearch(env)
	word := NewSearch(env)
	for _, r := range "offset" {
		word.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	all["search, found"] = word
	read := NewSearch(env)
	for _, r := range "high watermark" {
		read.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	read.open()
	if read.term == nil {
		t.Fatal("the glossary has no high watermark")
	}
	all["search, a word is read"] = read
	review := NewReview(env)
	all["review"] = review
	asks, ok := review.begin()[0].(Replace)
	if !ok {
		t.Fatal("nothing is due")
	}
	asks.Screen.(*Lesson).Enter()
	all["review, asks"] = asks.Screen
	all["misconceptions"] = NewBeliefs(env, review.anew)
	all["drills"] = NewDrills(env)
	all["what next"] = NewNext(env, env.Course.Lessons()[0])
	all["console"] = NewConsole(env.Open())
	all["confirm"] = NewConfirm("?", "yes", "no")
	all["how true"] = NewHowTrue(env, nil)
	return all
}

// moves are the keys with which a list or a text is gone through.
var moves = []string{"up", "down", "pgup", "pgdown", "home", "end"}

// On the map, in the search, in a review and on every other screen without a
// panel: a key is told of once, what is told of works, and no command takes a
// key that moves.
func TestKeysOfScreensWithoutAPanel(t *testing.T) {
	env := realEnv(t, 100, 30)
	for name, s := range withoutPanels(t, env) {
		s.Draw(canvas.New(100, 30).Region())
		cs := s.Commands()
		checkKeys(t, name, cs, nil)
		movable := false
		for _, c := range cs {
			movable = movable || c.Do == nil && strings.HasPrefix(c.Help().Key, "↑↓")
		}
		for _, c := range cs {
			if c.Do == nil {
				continue
			}
			for _, k := range moves {
				if movable && key.Matches(keyOf(c.Binding), key.NewBinding(key.WithKeys(k))) {
					t.Errorf("%s: %q is %q, and the list does not get it", name, k, c.Help().Desc)
				}
			}
			if k := keyOf(c.Binding); k.Type == tea.KeyRunes && len(k.Runes) == 0 {
				t.Errorf("%s: a click on %q does nothing: no key of %v is known", name, c.Help().Desc, c.Keys())
			}
		}
		if s.Field() != nil {
			for _, c := range cs {
				for _, k := range c.Keys() {
					if c.Do != nil && len([]rune(k)) == 1 {
						t.Errorf("%s: %q is text, and a command too", name, k)
					}
				}
			}
		}
	}
}

// The words of an answer are wrapped, whatever the width: none is cut.
func TestWordsOfAnAnswerAreWhole(t *testing.T) {
	env := realEnv(t, 100, 30)
	seen := 0
	for _, l := range env.Course.Lessons() {
		for i, step := range l.Steps {
			if len(step.Choose) == 0 {
				continue
			}
			s := NewLesson(env, l, Step, i+1)
			s.Enter()
			p := s.page().(*stepPage)
			for _, width := range []int{30, 36, 76} {
				c := canvas.New(width+1, 60)
				p.column(width, 60).draw(c.Region(), &p.head)
				got := strings.Join(strings.Fields(c.Text()), " ")
				for _, w := range step.Choose {
					seen++
					plain := strings.Join(strings.Fields(strings.NewReplacer("`", "", "**", "").Replace(w.Word.Value)), " ")
					if !strings.Contains(got, plain) {
						t.Errorf("%s, step %d, %d columns: no %q in\n%s", l.ID, i+1, width, plain, c.Text())
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no step offers words")
	}
}
