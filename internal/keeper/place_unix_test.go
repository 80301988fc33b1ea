//go:build unix

package keeper

import (
	"os"
	"path/filepath"
	"testing"
)

// The folder of a socket with a long name is the user's own. The mode of one that exists stays as it is.
func TestOwnFolder(t *testing.T) {
	for mode, accepted := range map[os.FileMode]bool{0: true, 0o700: true, 0o755: true, 0o775: false, 0o757: false} {
		dir := filepath.Join(t.TempDir(), "folder")
		want := mode
		if mode == 0 { // it does not exist
			want = 0o700
		} else if err := os.Mkdir(dir, mode); err != nil {
			t.Fatal(err)
		} else if err := os.Chmod(dir, mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
		if err := ownFolder(dir); (err == nil) != accepted {
			t.Errorf("%v: %v", mode, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != want {
			t.Errorf("%v: it has mode %v, %v", mode, info.Mode(), err)
		}
	}
}
