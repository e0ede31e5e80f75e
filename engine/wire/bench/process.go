package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticksPerSecond is USER_HZ, which is 100 on every Linux that Go runs on.
const ticksPerSecond = 100

// cpuSeconds adds up the CPU time of processes, by commas; one that cannot be
// read counts nothing.
func cpuSeconds(pids string) float64 {
	var sum float64
	for _, pid := range strings.Split(pids, ",") {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", pid))
		if err != nil {
			continue
		}
		// The name in parentheses may hold blanks: user and system time are the
		// 12th and 13th field after it.
		fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if len(fields) > 12 {
			user, _ := strconv.ParseFloat(fields[11], 64)
			system, _ := strconv.ParseFloat(fields[12], 64)
			sum += (user + system) / ticksPerSecond
		}
	}
	return sum
}

// residentMB adds up the memory that processes hold, in MB.
func residentMB(pids string) float64 {
	var sum float64
	for _, pid := range strings.Split(pids, ",") {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%s/statm", pid))
		if err != nil {
			continue
		}
		if fields := strings.Fields(string(b)); len(fields) > 1 {
			pages, _ := strconv.ParseFloat(fields[1], 64)
			sum += pages * float64(os.Getpagesize()) / 1e6
		}
	}
	return sum
}
