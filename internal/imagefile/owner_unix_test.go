//go:build unix

package imagefile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Root leaves the folders of others, too.
func TestAnothersFolderStays(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give a folder to somebody else")
	}
	temporary := t.TempDir()
	theirs := filepath.Join(temporary, prefix+"1")
	if err := os.Mkdir(theirs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(theirs, 54321, 54321); err != nil {
		t.Skip("this root may not: ", err)
	}
	clearOld(temporary, time.Now().Add(stay+time.Hour))
	if _, err := os.Stat(theirs); err != nil {
		t.Error("it is gone")
	}
}
