package config

import (
	"regexp"
	"strings"
	"sync"
)

// hostPort is Utils.HOST_PORT_PATTERN: [scheme://]host:port, the host in
// brackets or not, and possibly empty.
var hostPort = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[0-9a-zA-Z\-%._]*://)?\[?([0-9a-zA-Z\-%._:]*)\]?:([0-9]+)$`)
})

// checkAddress returns Kafka's message when an address is no host and port.
func checkAddress(address, hostMessage string) string {
	m := hostPort().FindStringSubmatch(address)
	if m == nil {
		return hostMessage
	}
	port, ok := parseInt(m[2], 32)
	if !ok {
		return `For input string: "` + m[2] + `"`
	}
	if port > 65535 {
		return "port out of range:" + m[2]
	}
	return ""
}

// checkVoters is QuorumConfig.ControllerQuorumVotersValidator: 1@host:9093.
func checkVoters(_ *Key, v value) string {
	const form = "controller.quorum.voters. Each entry should be in the form `{id}@{host}:{port}`."
	for _, entry := range v.list {
		id, address, found := strings.Cut(strings.TrimRight(entry, "@"), "@")
		if !found || strings.Contains(address, "@") {
			return "Invalid configuration value for " + form
		}
		if _, ok := parseInt(id, 32); !ok {
			return "Failed to parse voter ID as an integer from " + id
		}
		refusal := checkAddress(address, "Failed to parse host name from entry "+entry+" for the configuration "+form)
		if refusal != "" {
			return refusal
		}
	}
	return ""
}

// checkBootstrap is QuorumConfig.ControllerQuorumBootstrapServersValidator.
func checkBootstrap(k *Key, v value) string {
	for _, entry := range v.list {
		refusal := checkAddress(entry, "Failed to parse host name from "+entry+" for the configuration "+k.Name+
			`. Each entry should be in the form "{host}:{port}"`)
		if refusal != "" {
			return refusal
		}
	}
	return ""
}
