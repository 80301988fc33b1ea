package cluster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
)

// The next process removes the folder of a killed one, and nothing that is in use.
func TestAbandonedFoldersAreRemoved(t *testing.T) {
	parent := t.TempDir()
	folder := func(name string) *Cluster {
		c := &Cluster{folder: filepath.Join(parent, folderPrefix+name)}
		c.lock = flock.New(filepath.Join(c.folder, lockName))
		if err := os.MkdirAll(c.data(), 0o700); err != nil {
			t.Fatal(err)
		}
		if held, err := c.lock.TryLock(); err != nil || !held {
			t.Fatal(held, err)
		}
		return c
	}
	used, abandoned := folder("used"), folder("abandoned")
	if err := abandoned.lock.Close(); err != nil {
		t.Fatal(err)
	}
	young := filepath.Join(parent, folderPrefix+"young")
	if err := os.Mkdir(young, 0o700); err != nil {
		t.Fatal(err)
	}
	removeAbandoned(parent)
	for path, stays := range map[string]bool{used.data(): true, young: true, abandoned.folder: false} {
		if _, err := os.Stat(path); (err == nil) != stays || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := used.Close(); err != nil {
		t.Error(err)
	}
}
