//go:build !linux

package sqlite

import "os"

// writeBackLog does nothing: systems begin by themselves to bring what was written to the disk.
func (*Store) writeBackLog() {}

// flush brings what was written to a file to the disk.
func flush(f *os.File) error { return f.Sync() }
