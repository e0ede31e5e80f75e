package panel

import (
	"maps"
	"slices"
)

// makers make the panels there are.
func makers() map[string]func() Panel {
	return map[string]func() Panel{
		"bytes":     func() Panel { return &Bytes{} },
		"cleaner":   func() Panel { return &Cleaner{} },
		"events":    func() Panel { return &Events{} },
		"index":     func() Panel { return &Index{} },
		"isr":       func() Panel { return &ISR{} },
		"ledger":    func() Panel { return &Ledger{} },
		"log":       func() Panel { return &Log{} },
		"matrix":    func() Panel { return &Matrix{} },
		"producer":  func() Panel { return &Producer{} },
		"retention": func() Panel { return &Retention{} },
		"sequence":  func() Panel { return &Sequence{} },
	}
}

// ByName makes a panel, as it is before the learner did anything in it. ok is
// false for a name that no panel has.
func ByName(name string) (p Panel, ok bool) {
	make, ok := makers()[name]
	if !ok {
		return nil, false
	}
	return make(), true
}

// Names lists the panels by name.
func Names() []string { return slices.Sorted(maps.Keys(makers())) }
