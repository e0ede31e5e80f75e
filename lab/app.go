package lab

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lab/screen"
	"kafkalab/quiz/progress"
)

// App is the lab as one bubbletea model.
type App struct {
	env     *screen.Env
	store   *progress.Store
	painter *theme.Painter
	canvas  *canvas.Canvas

	home   *screen.Home
	base   screen.Screen   // the screen below all sheets
	sheets []screen.Screen // the topmost last

	frame  string // the newest frame, drawn once for each change
	drawn  bool
	unsaid bool // something was written down that is not on the disk
	ending bool
	guests guests
}

// New makes a lab. The error is for a start that the course does not have.
func New(o Options) (*App, error) {
	a := &App{env: o.env(), store: o.Store, painter: theme.NewPainter(o.Theme, o.Profile, o.ASCII), canvas: canvas.New(0, 0)}
	a.home = screen.NewHome(a.env)
	a.base = a.home
	if o.Start.Lesson != "" {
		if err := a.start(o.Start); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Init saves what opening a lesson wrote down.
func (a *App) Init() tea.Cmd { return a.save() }

// Update takes one message. Keys that came together are taken apart and done
// one after the other; there is one frame for all of them.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	a.drawn = false
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.env.W, a.env.H = msg.Width, msg.Height
	case tea.KeyMsg:
		for _, k := range keys.Split(msg) {
			a.key(k)
		}
	case tea.MouseMsg:
		a.mouse(msg)
	case saved:
		a.hear(msg)
	case knocked:
		a.letIn(msg)
	}
	a.tend()
	return a, a.after()
}

// after is what is left to do once a message was taken.
func (a *App) after() tea.Cmd {
	if a.ending {
		// Sequence, so that the disk has everything before the program ends.
		return tea.Sequence(a.save(), tea.Quit)
	}
	return tea.Batch(a.save(), a.await())
}

// key gives a key to the topmost screen. Only ctrl+c is the app's own: it ends
// the lab from everywhere.
func (a *App) key(k tea.KeyMsg) {
	if k.Type == tea.KeyCtrlC {
		a.ending = true
	}
	if a.ending || a.small() {
		if k.String() == "q" {
			a.ending = true
		}
		return
	}
	a.perform(screen.Press(a.top(), k))
}

// top is the screen that has the keyboard.
func (a *App) top() screen.Screen {
	if n := len(a.sheets); n > 0 {
		return a.sheets[n-1]
	}
	return a.base
}

// small tells whether the terminal is too small for any screen.
func (a *App) small() bool { return a.env.W < geom.MinWidth || a.env.H < geom.MinHeight }

// View is the newest frame: exactly as large as the terminal, nothing before
// its size is known.
func (a *App) View() string {
	if a.env.W <= 0 || a.env.H <= 0 {
		return ""
	}
	if !a.drawn {
		a.draw()
		a.frame, a.drawn = a.canvas.Render(a.painter), true
	}
	return a.frame
}

func (a *App) draw() {
	a.canvas.Reset(a.env.W, a.env.H)
	r := a.canvas.Region()
	if a.small() {
		widget.Frame{}.Draw(r, geom.Arrange(a.env.W, a.env.H, geom.Plan{}))
		return
	}
	a.base.Draw(r)
	for _, s := range a.sheets {
		s.Draw(r)
	}
}
