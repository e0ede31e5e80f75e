package wire

// Connections at a time: at most, and where the system does not say how many
// files a process may have open.
const (
	mostConnections = 20_000
	otherLimit      = 4096
)
