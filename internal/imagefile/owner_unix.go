//go:build unix

package imagefile

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether this user owns a file, since root could remove everybody's.
func ours(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Geteuid()
}
