package broker

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"kafkalab/engine/kerror"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// fail takes an error that the broker cannot go on after. One of the disk takes
// the log directory offline, and with its only one the broker halts, while the
// cluster goes on (LogManager#handleLogDirFailure). What is wrong with the data is
// an exception that Kafka's process dies of, and here this broker alone.
func (b *Broker) fail(err error) {
	if DiskError(err) {
		b.diskFailed = true
	} else {
		b.fatal = true
	}
	b.why = strings.ReplaceAll(err.Error(), "\n", "; ") // errors that were joined
	if b.ctx == nil {
		return
	}
	if b.fatal {
		b.emit(trace.BrokerDied{Error: b.why})
		return
	}
	b.emit(trace.LogDirFailed{Error: b.why})
}

// DiskError tells an error of the disk, whatever it refused, from one of what is
// on it. A checkpoint that cannot be read counts as one.
func DiskError(err error) bool {
	if kerr, ok := errors.AsType[*kerror.Error](err); ok && kerr.Code == kerror.KafkaStorageError {
		return true
	}
	if bad, ok := errors.AsType[*storage.TextError](err); ok {
		return !bad.Unchecked
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return true
	}
	_, ok := errors.AsType[*os.LinkError](err)
	return ok
}

// failed tells whether the broker is about to end.
func (b *Broker) failed() bool { return b.err != nil || b.diskFailed || b.fatal }

// giveUp ends a broker that could not register for
// initial.broker.registration.timeout.ms (BrokerLifecycleManager).
func (b *Broker) giveUp() {
	if b.epoch < 0 {
		b.gaveUp = true
		b.emit(trace.BrokerGaveUp{Broker: b.ID, TimeoutMs: b.configs().Int("initial.broker.registration.timeout.ms")})
	}
}

// Halted tells why the broker's process has ended by itself, "" if it has not.
func (b *Broker) Halted() string {
	switch {
	case b.fatal:
		return HaltedFatal
	case b.diskFailed:
		return HaltedDisk
	case b.gaveUp:
		return HaltedRegistration
	}
	return ""
}

// WhyHalted is what it ended of, in words; empty if it is not known.
func (b *Broker) WhyHalted() string { return b.why }

// Why a broker ends by itself.
const (
	HaltedDisk         = "disk"         // its log directory has failed
	HaltedFatal        = "fatal"        // it met data that it cannot work with
	HaltedRegistration = "registration" // no controller has registered it in time
)
