//go:build !windows

package atomicfile

import (
	"os"
	"syscall"
)

// sameOwner gives a new file the owner of the file that it replaces: root may write another user's.
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
