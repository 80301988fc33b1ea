package keeper

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// detached returns the folder and the attributes, best first, of a process that survives the end of the terminal, the editor or the
// agent that starts it. Many of them run in a job that ends its processes with it, and that may forbid leaving it.
func detached() (folder string, attributes []*syscall.SysProcAttr) {
	const flags = windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS
	return filepath.VolumeName(os.Getenv("SystemRoot")) + `\`, []*syscall.SysProcAttr{
		{CreationFlags: flags | windows.CREATE_BREAKAWAY_FROM_JOB, HideWindow: true},
		{CreationFlags: flags, HideWindow: true},
	}
}

func settle() {}

func ownedByUser(fs.FileInfo) bool { return true } // the temporary folder is the user's own

func owner(fs.FileInfo) int { return -1 }
