package dump

import "github.com/spf13/afero"

// Content is what one file holds. A log has Batches, other files Entries; what a
// file cannot have is nil.
type Content struct {
	File    string   `json:"file"`
	Batches []Batch  `json:"batches,omitzero"`
	Entries []Entry  `json:"entries,omitzero"`
	Damage  []Damage `json:"damage,omitzero"`
}

// Read decodes one file into memory, for those who want values and not lines.
func Read(fsys afero.Fs, name string, opt Options) Content {
	c := contentOutput{}
	decode(fsys, parseName(name), opt, &c)
	return Content(c)
}

// ReadBytes is Read for a file that is in memory, under the name it would have.
// An index is not compared with its log.
func ReadBytes(name string, data []byte, opt Options) Content {
	return Read(memory(name, data), name, opt)
}

// memory is a file system with one file.
func memory(name string, data []byte) afero.Fs {
	fsys := afero.NewMemMapFs()
	// Nothing can go wrong but that the name is empty, which decode finds.
	_ = afero.WriteFile(fsys, parseName(name).path, data, 0o600)
	return fsys
}

// contentOutput collects.
type contentOutput Content

func (c *contentOutput) begin(n fileName) {
	c.File = n.path
	if n.isLog() {
		c.Batches = []Batch{}
	} else {
		c.Entries = []Entry{}
	}
}

func (c *contentOutput) note(string)   {}
func (c *contentOutput) batch(b Batch) { c.Batches = append(c.Batches, b) }
func (c *contentOutput) entry(e Entry) { c.Entries = append(c.Entries, e) }
func (c *contentOutput) end()          {}

func (c *contentOutput) damage(d *Damage) {
	if d != nil {
		c.Damage = append(c.Damage, *d)
	}
}
