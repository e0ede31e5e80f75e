// Package dump reads the files that a Kafka broker keeps and tells what they
// hold, line for line as kafka-dump-log prints it: logs and KRaft snapshots,
// offset, time and transaction indexes, producer snapshots. Checkpoints and
// properties, which that tool does not read, are told as their own lines.
//
// It reads what this engine wrote and what Apache Kafka wrote, without asking
// who, and shares no code with the writer: a mistake of the one cannot hide in
// the other.
//
// A file may be damaged. It is decoded up to the damage, and then a [Damage]
// says at which byte and what is wrong. Kafka's tool reads the log beside an
// index to check each entry, and stops where it cannot; so does this package,
// unless there is no log beside it. The warnings that Kafka's tool writes to
// its error output are not imitated.
package dump
