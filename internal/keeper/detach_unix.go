//go:build unix

package keeper

import (
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// detach makes a process survive the end of the terminal, the editor or the agent that started it.
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.Dir = "/"
	// Files that the parent process has open must not stay open as long as the keeper.
	if open, err := os.ReadDir("/dev/fd"); err == nil {
		for _, entry := range open {
			if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
				unix.CloseOnExec(fd)
			}
		}
	}
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
