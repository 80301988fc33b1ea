//go:build unix

package keeper

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// detached returns the folder and the attributes, best first, of a process that survives the end of the terminal, the editor or the
// agent that starts it.
func detached() (folder string, attributes []*syscall.SysProcAttr) {
	// Files that this process has open must not stay open as long as the keeper.
	if open, err := os.ReadDir("/dev/fd"); err == nil {
		for _, entry := range open {
			if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
				unix.CloseOnExec(fd)
			}
		}
	}
	return "/", []*syscall.SysProcAttr{{Setsid: true}}
}

// settle drops settings inherited from the parent process. Files and the socket are then the user's alone.
func settle() { unix.Umask(0o077) }

func ownedByUser(info fs.FileInfo) bool { return owner(info) == os.Geteuid() }

// owner returns the id of a file's owner; -1 if it is not known.
func owner(info fs.FileInfo) int {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1
	}
	return int(stat.Uid)
}
