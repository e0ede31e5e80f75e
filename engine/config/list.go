package config

import (
	"slices"
	"strings"
)

// ChangeList adds the items of a list to another, or takes them out of it: what
// the operations APPEND and SUBTRACT of KIP-339 do to a config of type LIST.
// What is there already is not added again.
func ChangeList(current, items string, subtract bool) []string {
	list := slices.DeleteFunc(strings.Split(current, ","), func(s string) bool { return s == "" })
	for _, item := range javaSplit(items) {
		at := slices.Index(list, item)
		switch {
		case subtract && at >= 0:
			list = slices.Delete(list, at, at+1)
		case !subtract && at < 0:
			list = append(list, item)
		}
	}
	return list
}

// javaSplit is Java's String.split(","): empty items at the end are dropped, but
// an empty text is one empty item.
func javaSplit(text string) []string {
	if text == "" {
		return []string{""}
	}
	items := strings.Split(text, ",")
	for len(items) > 0 && items[len(items)-1] == "" {
		items = items[:len(items)-1]
	}
	return items
}
