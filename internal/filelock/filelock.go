// Package filelock locks files for a process: the system releases a lock when its process ends for any reason.
package filelock

import "os"

// withHandle makes a system call on an open file, which stays open during the call.
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
