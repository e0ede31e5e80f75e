//go:build unix

package wire

import "syscall"

// connectionLimit leaves half of the file descriptors that the process may have
// to logs and listeners: a flood of connections must not keep a broker from
// opening its segments.
func connectionLimit() int {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return otherLimit
	}
	return int(min(max(uint64(l.Cur)/2, 16), mostConnections))
}
