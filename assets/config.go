// Package assets holds what the program carries with it as data.
package assets

import (
	"embed"
	"io/fs"
)

//go:embed config/*.tsv
var configFiles embed.FS

// Config gives Apache Kafka 4.4's table of configs: topic.tsv, broker.tsv,
// producer.tsv and consumer.tsv, one config a line in the order in which Kafka
// checks them, tab between the columns, # before a comment:
//
//	name       as Kafka spells it
//	type       ConfigDef.Type: BOOLEAN, STRING, INT, SHORT, LONG, DOUBLE, LIST, CLASS or PASSWORD
//	default    as text; "null" is none, "(required)" has to be given
//	validator  - anything of the type is allowed
//	           range MIN MAX (- for an open end) · in A,B · in-any-case A,B · non-empty · non-null
//	           list [non-empty] [nullable] [in A,B]
//	           or the name of a rule that only Kafka's code can tell, such as gzip-level
//	flags      internal: hidden from a description until it is set; dynamic-only: not for server.properties;
//	           per-listener: dynamic only under a listener's prefix
//	update     of a broker config: read-only, per-broker or cluster-wide
//	unit       what a script's 4KiB or 7d is turned into: bytes, ms, seconds, minutes, hours
//	synonyms   of a topic config, the broker configs that stand in for it, first come first served,
//	           *N where N of the topic's unit make one of the broker's; of a broker config, the
//	           configs that say the same in another unit
//	honoured   yes when the engine acts on it
//
// rules.tsv says what two broker configs must be to each other, classes.tsv
// which classes a config may name.
func Config() fs.FS {
	sub, err := fs.Sub(configFiles, "config")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	return sub
}
