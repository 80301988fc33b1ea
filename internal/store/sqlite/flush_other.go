//go:build !linux

package sqlite

import "os"

// writeBack begins to bring what was written to a file to the disk, as systems do by themselves sooner or later.
func writeBack(*os.File) error { return nil }

// flush brings what was written to a file to the disk.
func flush(f *os.File) error { return f.Sync() }
