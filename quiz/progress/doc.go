// Package progress keeps what a learner has done: answers to checks, when each
// comes back, the steps and predictions of lessons, where one left off. It is
// one JSON file for each learner, and a Store that no crash and no second lab
// on the same file makes lose an answer:
//
//   - A save writes the whole file beside the old one, syncs it and renames it
//     into place. Whenever the process dies, one of the two is there, whole.
//   - A save takes a lock, reads what is there, merges, writes. What is merged
//     are sets of things with their times, so it does not matter who saves first.
//   - A file that cannot be read is kept under another name; a file of a newer
//     version is left alone, and the lab runs without saving.
//
// Nothing here reads a clock: the time comes from the caller.
//
// An answer that was given for practice, ahead of its day, has "practice": true
// beside the fields below, and does not move the schedule. A file of before there
// was practice has no such field.
//
// The file, version 1. Times are RFC 3339 with the learner's own offset, for
// "tomorrow" is a day of the learner's; fields that this version does not know
// are kept as they are, at the top and in each check and lesson:
//
//	{
//	  "version": 1,
//	  "course": "1",                          version of the course, of the last lab that saved
//	  "checks": {
//	    "isr-1": {
//	      "lesson": "isr-hw-leo",
//	      "answers": [{"time": "…", "instance": "n=4,s=2", "right": false, "misconception": "M-037"}],
//	      "review": {"stage": 0, "due": "2026-03-02"}
//	    }
//	  },
//	  "lessons": {
//	    "isr-hw-leo": {
//	      "seen": {"1": "…"},                 step: when last seen
//	      "predictions": [{"step": 1, "time": "…", "expected": "3", "happened": "2", "right": false}],
//	      "live": "…",                        when the goal was last reached
//	      "at": {"page": "step", "step": 2, "time": "…"}
//	    }
//	  },
//	  "drills": {                             not in a file before the first repair
//	    "acks-1-loss": {"repairs": [{"time": "…", "actions": 4, "hints": 1, "took_ms": 12000}]}
//	  },
//	  "resets": {"isr-hw-leo": "…"}           what is not newer than this is forgotten; "*" for all
//	}
package progress
