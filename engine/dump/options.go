package dump

// Options are what a dump shows.
type Options struct {
	// Records shows the records of logs, with keys and values, as
	// --print-data-log.
	Records bool
	// Deep shows the records without keys and values, as --deep-iteration.
	Deep bool
	// SkipMetadata leaves out what stands before keys and values, as
	// --skip-record-metadata.
	SkipMetadata bool
	// IndexSanity tells whether a broker that starts would keep the offset and
	// time indexes, instead of what is in them, as --index-sanity-check.
	IndexSanity bool
	// JSON makes one JSON object of every file, instead of lines.
	JSON bool
}

// deep tells whether records are decoded.
func (o Options) deep() bool { return o.Records || o.Deep }
