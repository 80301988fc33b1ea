package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"followup/internal/store"
)

// If a process has two stores on one file, closing one does not release the other's locks.
func TestTwoStoresOfOneProcess(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	begin := func() testStore {
		s, _, err := openTest(t, folder, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := begin()
	f, err := os.Open(filepath.Join(folder, inboxName))
	if err != nil {
		t.Fatal(err)
	}
	// Closing f earlier would release the locks as well.
	t.Cleanup(func() { _ = first.Close(); _ = f.Close() })
	// SQLite's shared lock: https://sqlite.org/src/file/src/os.h, SHARED_FIRST and SHARED_SIZE.
	locked := func() bool {
		lock := unix.Flock_t{Type: unix.F_WRLCK, Start: 0x40000002, Len: 510}
		if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &lock); err != nil {
			t.Fatal(err)
		}
		return lock.Type != unix.F_UNLCK
	}
	if !locked() {
		t.Fatal("the open store does not lock the file")
	}
	second := begin()
	if !locked() {
		t.Error("opening it again has released the first store's lock")
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if !locked() {
		t.Error("closing the second store has released the first one's lock")
	}
}
