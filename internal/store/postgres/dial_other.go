//go:build !linux

package postgres

import "syscall"

// boundUnacknowledged does nothing: only Linux takes such a bound, and elsewhere the first try of a transaction finds a dead link.
func boundUnacknowledged(_, _ string, _ syscall.RawConn) error { return nil }
