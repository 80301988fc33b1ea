package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Owns recognizes the store's folder by any of its names.
func TestOwns(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	outside := t.TempDir()
	want := map[string]bool{
		filepath.Join(s.dir, inboxName): true, filepath.Join(s.dir, "new.json"): true, filepath.Join(s.dir, "..", filepath.Base(s.dir), "x"): true,
		filepath.Join(outside, inboxName): false, filepath.Join(outside, "none", "x"): false,
	}
	if runtime.GOOS != "windows" {
		for name, target := range map[string]string{"file": filepath.Join(s.dir, historyName), "folder": s.dir} {
			ok(t, os.Symlink(target, filepath.Join(outside, name)))
		}
		want[filepath.Join(outside, "file")], want[filepath.Join(outside, "folder", "x")] = true, true
	}
	for path, owns := range want {
		if got := s.Owns(path); got != owns {
			t.Errorf("%s: %v", path, got)
		}
	}
}
