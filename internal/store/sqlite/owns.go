package sqlite

import (
	"os"
	"path/filepath"
	"strings"
)

// ours begins the names of everything that the store keeps in its folder.
const ours = "followup"

// owns reports whether a path is that of a file of the store in a folder, or of another name of such a file, whether there is one now or
// not.
func owns(dir, path string) bool {
	if strings.HasPrefix(strings.ToLower(filepath.Base(path)), ours) && sameFile(filepath.Dir(path), dir) {
		return true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ours) && sameFile(filepath.Join(dir, entry.Name()), path) {
			return true
		}
	}
	return false
}

func sameFile(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// Owns reports whether a path is that of one of the store's files; see store.Reader.
func (s *Store) Owns(path string) bool { return owns(s.dir, path) }

// Owns reports whether a path is that of one of the store's files; see store.Reader.
func (r *Reading) Owns(path string) bool { return owns(filepath.Dir(r.path), path) }
