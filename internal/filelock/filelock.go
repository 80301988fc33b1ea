// Package filelock locks files for a process: the system releases a lock when its process ends, however that happens.
package filelock

import "os"

// withHandle runs a system call on an open file, which is not closed meanwhile.
func withHandle(f *os.File, call func(handle uintptr) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var result error
	if err := raw.Control(func(handle uintptr) { result = call(handle) }); err != nil {
		return err
	}
	return result
}
