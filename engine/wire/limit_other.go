//go:build !unix

package wire

func connectionLimit() int { return otherLimit }
