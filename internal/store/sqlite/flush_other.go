//go:build !linux

package sqlite

import "os"

// flush brings what was written to a file to the disk.
func flush(f *os.File) error { return f.Sync() }
