package panel

import "kafkalab/lab/kit/cell"

// passVerdict is what a pass decided about a record.
type passVerdict struct {
	Offset int64
	Key    string
	Null   bool // it has no key
	Kept   bool
	Why    string
}

// shortWhy are the engine's reasons where a row has no room for them.
var shortWhy = map[string]string{
	whyBeyond: "not seen by the map", whyOlder: "an older value", whyTombstone: "tombstone, waits for its horizon",
	whyHorizon: "tombstone, horizon over", whyMarker: "marker, still needed", whyEmptyTxn: "marker of nothing", whyAborted: "aborted",
}

// shorterWhy and shortestWhy are the same in less room.
var shorterWhy = map[string]string{whyTombstone: "tombstone, waits", whyHorizon: "horizon over", whyOlder: "older value", whyMarker: "marker, needed"}

var shortestWhy = map[string]string{
	whyBeyond: "unseen", whyOlder: "older", whyTombstone: "waits", whyHorizon: "horizon over", whyMarker: "needed", whyEmptyTxn: "of nothing",
	whyNewest: "newest",
}

// whyText is why a record is kept or left out, as far as there is room.
func whyText(why string, room int) string {
	for _, words := range []map[string]string{nil, shortWhy, shorterWhy, shortestWhy} {
		text := why
		if short, ok := words[why]; ok {
			text = short
		}
		if cell.Width(text) <= room {
			return text
		}
	}
	return cell.Truncate(why, max(0, room))
}

// shortestOf is a reason in as few words as there are for it.
func shortestOf(why string) string {
	for _, words := range []map[string]string{shorterWhy, shortWhy} {
		if short, ok := words[why]; ok {
			return short
		}
	}
	return why
}

// newestRead says of a record that it is the newest of its key that the pass has
// read, as a newer one lies where no pass looks: at an offset from end on.
func newestRead(end, newer int64, room int) string {
	below, at := "newest below "+cell.Thin(end), cell.Thin(newer)
	for _, text := range []string{
		"newest of its key below " + cell.Thin(end) + "; " + at + " is newer, not looked at", below + "; " + at + " not looked at", at + " is newer, not looked at",
		at + " newer, not read",
	} {
		if cell.Width(text) <= room {
			return text
		}
	}
	return "newest read"
}
