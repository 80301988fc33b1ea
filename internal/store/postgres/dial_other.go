//go:build !linux

package postgres

import "syscall"

// boundUnacknowledged does nothing: only Linux has this option, and elsewhere the first try of a transaction finds a dead
// connection.
func boundUnacknowledged(_, _ string, _ syscall.RawConn) error { return nil }
