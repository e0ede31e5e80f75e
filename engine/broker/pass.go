package broker

import "kafkalab/engine/storage"

// Pass is what became of the cleaner's newest look at a log.
type Pass struct {
	Number  int // of the passes since the broker started, from 1; 0 before the first
	Stats   storage.CleanStats
	Refusal storage.Refusal // why no pass was made, "" if one was
	Why     string          // the same in words

	Verdicts []Verdict   // of the newest pass, the first maxWatched of them
	Map      []KeyOffset // as the newest pass filled it, by offset, the first maxWatched keys
	AtMs     int64       // virtual time of the newest pass

	Next storage.Phase // of the pass that is on its way, "" when there is none
}

// Verdict is what a pass decided about a record.
type Verdict struct {
	Offset int64
	Key    string
	Null   bool // it has no key
	Kept   bool
	Why    string
}

// KeyOffset is an entry of the offset map.
type KeyOffset struct {
	Key    string
	Offset int64
}

// maxWatched bounds what is kept of a pass for people to look at.
const maxWatched = 2000

// watch has a cleaner tell a pass about each record.
func (p *Pass) watch(c *storage.Cleaner) {
	p.Verdicts, p.Map = nil, nil
	at := map[string]int{}
	c.Watch = func(v storage.CleanVerdict) {
		if len(p.Verdicts) < maxWatched {
			p.Verdicts = append(p.Verdicts, Verdict{v.Offset, string(v.Key), v.Key == nil, v.Kept, v.Why})
		}
	}
	c.Noted = func(key []byte, offset int64) {
		if i, ok := at[string(key)]; ok {
			p.Map[i].Offset = offset
		} else if len(p.Map) < maxWatched {
			at[string(key)] = len(p.Map)
			p.Map = append(p.Map, KeyOffset{string(key), offset})
		}
	}
}
