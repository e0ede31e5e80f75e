package broker

import (
	"errors"
	"syscall"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
)

// fail takes an error that the broker cannot go on after. One of the disk takes
// the log directory offline, and with its only one the broker halts, while the
// cluster goes on (LogManager#handleLogDirFailure). Any other is one of the
// data, and ends the run.
func (b *Broker) fail(err error) {
	if !DiskError(err) {
		b.err = err
		return
	}
	b.diskFailed = true
	if b.ctx != nil {
		b.emit(trace.LogDirFailed{Error: err.Error()})
	}
}

// DiskError tells an error of the disk, full, broken or read-only, from one of
// what is on it.
func DiskError(err error) bool {
	if kerr, ok := errors.AsType[*kerror.Error](err); ok && kerr.Code == kerror.KafkaStorageError {
		return true
	}
	for _, kind := range []error{disk.ErrNoSpace, disk.ErrIO, disk.ErrReadOnly, syscall.ENOSPC, syscall.EIO, syscall.EROFS} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// failed tells whether the broker is about to end.
func (b *Broker) failed() bool { return b.err != nil || b.diskFailed }

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
	case b.diskFailed:
		return HaltedDisk
	case b.gaveUp:
		return HaltedRegistration
	}
	return ""
}

// Why a broker ends by itself.
const (
	HaltedDisk         = "disk"         // its log directory has failed
	HaltedRegistration = "registration" // no controller has registered it in time
)
