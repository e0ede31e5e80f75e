package screen

import (
	"net"
	"strconv"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// say adds what there is to say of real clients: which key lets them in, or
// where they are let in and what to type there, or why not.
//
// Compact, it takes few rows, and the key stands with the actions.
func (v *Visit) say(c *column, width int, compact bool) {
	if v == nil {
		return
	}
	v.row = 0
	switch {
	case v.Open() && compact:
		where := v.where()
		if v.door.Connections() > 0 {
			where = where.Add("   "+v.who(), theme.Label)
		}
		c.say(where.Wrap(width)...)
		c.say(v.example().Truncate(width))
	case v.Open():
		c.say(nil)
		c.say(v.where().Wrap(width)...)
		c.say(canvas.T(" "+v.who(), theme.Label))
		c.say(v.example().Wrap(width)...)
		v.key(c, "close")
		if !v.door.Today() {
			c.say(canvas.T("It keeps its own date, as its records carry times of theirs.", theme.Muted).Wrap(width)...)
		}
	case v.can() && !compact:
		v.key(c, "open to real clients")
	}
	if v.note == "" || v.Open() {
		return
	}
	style := theme.Waiting
	if v.bad {
		style = theme.Refused
	}
	c.say(canvas.T(v.note, style).Wrap(width)...)
}

// keyWords are the key and what it does now, empty for nothing.
func (v *Visit) keyWords() (key, words string) {
	switch {
	case v.Open():
		return visitKey, "close to clients"
	case v.can():
		return visitKey, "open to real clients"
	}
	return "", ""
}

// key adds the row of the key, which a click reaches too.
func (v *Visit) key(c *column, words string) {
	line := canvas.T(" "+visitKey+"  ", theme.Key).Add(words, theme.Text)
	c.over(func(r canvas.Region, y int) {
		_, v.row = r.Screen(0, y)
		r.PutLine(0, y, line)
	})
}

// click is a click on a row of the terminal.
func (v *Visit) click(y int) []Action {
	switch {
	case v == nil || v.row == 0 || y != v.row:
		return nil
	case v.Open():
		return v.shut()
	case v.can():
		return v.start()
	}
	return nil
}

// where are the addresses.
func (v *Visit) where() canvas.Line {
	return canvas.T("Open", theme.Waiting|theme.Bold).Add(" at ", theme.Label).Add(ports(v.door.Addresses()), theme.Name)
}

// who counts the clients' connections.
func (v *Visit) who() string {
	if n := v.door.Connections(); n > 0 {
		return plural(n, "connection")
	}
	return "nobody is connected"
}

// example is a command for another terminal.
func (v *Visit) example() canvas.Line {
	return canvas.T(string(glyph.Prompt)+" ", theme.Focus).Add("kcat -b "+v.door.Addresses()[0]+" -L", theme.Bright)
}

// ports says in short where brokers are: ports that count up as a range, others
// one by one.
func ports(addrs []string) string {
	host, list, upward := "", []string{}, true
	for i, a := range addrs {
		h, p, err := net.SplitHostPort(a)
		if err != nil || i > 0 && h != host {
			return strings.Join(addrs, ", ")
		}
		host, list = h, append(list, p)
		before, _ := strconv.Atoi(list[max(i-1, 0)])
		now, _ := strconv.Atoi(p)
		upward = upward && now == before+min(i, 1)
	}
	if upward && len(list) > 2 {
		list = []string{list[0] + "-" + list[len(list)-1]}
	}
	return net.JoinHostPort(host, "") + strings.Join(list, ",")
}
