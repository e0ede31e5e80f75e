package storage

import (
	"errors"
	"fmt"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// DamageError is something in a partition's folder that cannot be what it should
// be: bytes of a log that are no batch, entries of an index that cannot be, a
// name that is no offset. The disk is not to blame, and the log is not broken by
// it: Kafka throws an unchecked exception there, where an error of the disk is an
// IOException.
type DamageError struct {
	File     string
	Position int64 // in bytes; below 0 when the file as a whole is meant
	Err      error
}

// Error names file, place and what is wrong.
func (e *DamageError) Error() string {
	if e.Position < 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s: position %d: %v", e.File, e.Position, e.Err)
}

// Unwrap gives what is wrong, without the place.
func (e *DamageError) Unwrap() error { return e.Err }

// Exception is the class of the exception that Kafka throws there.
func (e *DamageError) Exception() string {
	var x *exception
	switch {
	case errors.As(e.Err, &x):
		return x.class
	case errors.Is(e.Err, record.ErrCorrupt), errors.Is(e.Err, record.ErrTruncated):
		return "CorruptRecordException"
	case errors.Is(e.Err, record.ErrInvalid):
		return "InvalidRecordException"
	}
	return "KafkaException"
}

// Code is what a client is told of that exception (Errors#forException).
func (e *DamageError) Code() kerror.Code {
	switch e.Exception() {
	case "CorruptRecordException":
		return kerror.CorruptMessage
	case "InvalidRecordException":
		return kerror.InvalidRecord
	case "InvalidTxnStateException":
		return kerror.InvalidTxnState
	}
	return kerror.UnknownServerError
}

// FatalError is damage that Kafka's start dies of: an unchecked exception leaves
// UnifiedLog#create, LogManager does not catch it, and the broker ends ("Error
// starting LogManager", "Fatal error during broker startup"). Only IOExceptions
// take a log directory offline. The log is not open.
type FatalError struct {
	Log    string // topic-partition
	Damage *DamageError
}

// Error names the log, the exception and its cause.
func (e *FatalError) Error() string {
	return fmt.Sprintf("log %s: %s: %v", e.Log, e.Damage.Exception(), e.Damage)
}

// Unwrap gives the damage.
func (e *FatalError) Unwrap() error { return e.Damage }

// exception is a rule of Kafka's classes that was broken, with the class of what
// Kafka throws.
type exception struct{ class, text string }

func (e *exception) Error() string { return e.text }

func throw(class, format string, args ...any) error {
	return &exception{class, fmt.Sprintf(format, args...)}
}

// The classes that are thrown in more than one place.
const (
	illegalArgument = "IllegalArgumentException"
	illegalState    = "IllegalStateException"
	outOfBounds     = "IndexOutOfBoundsException"
	numberFormat    = "NumberFormatException"
	kafkaException  = "KafkaException"
	invalidOffset   = "InvalidOffsetException"
)

// isDamage tells whether an error is about bytes or names, not about the disk.
func isDamage(err error) bool {
	var x *exception
	var placed *DamageError
	return errors.As(err, &x) || errors.As(err, &placed) ||
		errors.Is(err, record.ErrCorrupt) || errors.Is(err, record.ErrTruncated) || errors.Is(err, record.ErrInvalid) ||
		errors.Is(err, record.ErrCompression) || errors.Is(err, record.ErrTooLarge)
}

// damaged gives an error about bytes its place; an error of the disk, and one
// that has a place already, stay as they are.
func damaged(file string, at int64, err error) error {
	var placed *DamageError
	if err == nil || !isDamage(err) || errors.As(err, &placed) {
		return err
	}
	return &DamageError{File: file, Position: at, Err: err}
}

// isClass tells whether Kafka throws an exception of a class there.
func isClass(err error, class string) bool {
	var x *exception
	return errors.As(err, &x) && x.class == class
}

// openError makes of damage what Open gives.
func (l *Log) openError(err error) error {
	if placed, ok := errors.AsType[*DamageError](err); ok {
		return &FatalError{Log: l.name, Damage: placed}
	}
	if isDamage(err) {
		return &FatalError{Log: l.name, Damage: &DamageError{File: l.dir, Position: -1, Err: err}}
	}
	return fmt.Errorf("log %s: %w", l.name, err)
}

// readError tells of a read that failed. Reading breaks nothing, and what a client
// is told of damage is not that a disk has failed: Kafka answers CORRUPT_MESSAGE for
// a size that cannot be, UNKNOWN_SERVER_ERROR for most else.
func (l *Log) readError(err error) *kerror.Error {
	if placed, ok := errors.AsType[*DamageError](err); ok {
		return kerror.New(placed.Code(), "%s in %s: %s", placed.Exception(), l.name, placed.Error())
	}
	return kerror.New(kerror.KafkaStorageError, "Exception while reading from %s in dir %s: %s", l.name, l.dir, err.Error())
}
