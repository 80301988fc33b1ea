package keeper

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach makes a process survive the end of the terminal, the editor or the agent that started it.
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS, HideWindow: true}
	c.Dir = filepath.VolumeName(os.Getenv("SystemRoot")) + `\`
}

func settle() {}

func ownedByUser(fs.FileInfo) bool { return true } // the temporary folder is the user's own

func owner(fs.FileInfo) int { return -1 }
