//go:build unix

package imagefile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The folders of others stay, even if root clears the temporary folder.
func TestAnothersFolderStays(t *testing.T) {
	if os.Geteuid() != 0 {
		if info, err := os.Stat("/"); err != nil || ours(info) {
			t.Errorf("the system's folder counts as this user's: %v", err)
		}
		return
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
