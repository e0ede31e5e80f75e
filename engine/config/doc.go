// Package config knows every config of Apache Kafka 4.4 that a topic, a
// broker, a producer or a consumer has: its type, default, allowed values,
// what stands in for it, and what Kafka says to a value it refuses.
//
// A name goes through three questions. Lookup: is there such a config in this
// scope? Normalize: what does a script's 4KiB or 7d mean for it? Validate, and
// for a set of them ValidateTopic, ValidateBroker, ValidateDynamic or
// ValidateClient: would Kafka take it? The answer to the last is Kafka's own
// error, word for word.
//
// Values answers the fourth: what is in force. A topic's config is its own
// override; else what its broker says, dynamically for that broker,
// dynamically for all, or in its properties; else Kafka's default. At each of
// these levels several names may say the same: log.retention.ms,
// log.retention.minutes and log.retention.hours all are retention.ms, and the
// finest one wins.
//
// The table itself is data: see kafkalab/assets. It is read when the first
// question is asked.
package config
