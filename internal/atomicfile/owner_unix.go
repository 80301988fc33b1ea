//go:build !windows

package atomicfile

import (
	"os"
	"syscall"
)

// sameOwner sets the owner of a new file to that of the file it replaces, since root may write another user's.
func sameOwner(new *os.File, old string) {
	if os.Geteuid() != 0 {
		return
	}
	if info, err := os.Stat(old); err == nil {
		if owner, ok := info.Sys().(*syscall.Stat_t); ok {
			_ = new.Chown(int(owner.Uid), int(owner.Gid)) // otherwise root owns it
		}
	}
}
