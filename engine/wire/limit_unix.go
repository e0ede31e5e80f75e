//go:build unix

package wire

import "syscall"

// connectionLimit leaves file descriptors to logs and listeners, half of those
// that the process may have or some thousands: a flood of connections must not
// keep a broker from opening its segments.
func connectionLimit() int {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return otherLimit
	}
	most := uint64(l.Cur)
	return int(min(max(most-min(most/2, otherLimit), 16), mostConnections))
}
