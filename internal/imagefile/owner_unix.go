//go:build unix

package imagefile

import (
	"io/fs"
	"os"
	"syscall"
)

// ours tells whether a file is this user's: root could remove everybody's.
func ours(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Geteuid()
}
