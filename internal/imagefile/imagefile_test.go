package imagefile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// temporaryFolder makes the system's temporary folder one of the test's own.
func temporaryFolder(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, folder)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func write(t *testing.T, f *Folder, name string) string {
	t.Helper()
	path, err := f.Write(name, "image/png", []byte("data"))
	if err != nil || filepath.Base(path) != name+".png" {
		t.Fatalf("%s, %v", path, err)
	}
	return path
}

// A Folder that creates its folder removes old ones. If its own was removed, it creates another one.
func TestOldFoldersGo(t *testing.T) {
	temporaryFolder(t)
	var ours, other Folder
	first := write(t, &ours, "a-1")
	if info, err := os.Stat(filepath.Dir(first)); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // which has no modes
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	old := time.Now().Add(-stay - time.Hour)
	if err := os.Chtimes(filepath.Dir(first), old, old); err != nil {
		t.Fatal(err)
	}
	write(t, &other, "b-1")
	if exists(filepath.Dir(first)) {
		t.Error("the old one is there")
	}
	again := write(t, &ours, "a-2")
	if filepath.Dir(again) == filepath.Dir(first) {
		t.Errorf("got %s", again)
	}
	if err := ours.Remove(); err != nil || exists(filepath.Dir(again)) {
		t.Errorf("it is not removed: %v", err)
	}
}

// A long-running process replaces its folder before the folder is old, and removes all of its folders.
func TestFoldersTakeTurns(t *testing.T) {
	temporaryFolder(t)
	var ours Folder
	first, second := write(t, &ours, "a-1"), write(t, &ours, "a-2")
	ours.made = ours.made.Add(-turn - time.Hour)
	third := write(t, &ours, "a-3")
	if filepath.Dir(first) != filepath.Dir(second) || filepath.Dir(second) == filepath.Dir(third) {
		t.Errorf("got %s, %s, %s", first, second, third)
	}
	if err := ours.Remove(); err != nil || exists(filepath.Dir(first)) || exists(filepath.Dir(third)) {
		t.Errorf("they are not removed: %v", err)
	}
}

// Only old folders that this package made are removed.
func TestWhatIsNotOursStays(t *testing.T) {
	temporary, outside := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(temporary, name) }
	folder := func(name string) error { return os.Mkdir(at(name), 0o700) }
	file := func(path string) error { return os.WriteFile(path, nil, 0o600) }
	link := os.Symlink(outside, at(prefix+"3"))
	if runtime.GOOS == "windows" {
		link = nil // it requires a privilege
	}
	if err := errors.Join(
		folder(prefix+"1"), file(at(prefix+"1/a.png")), file(at(prefix+"2")), link,
		folder(prefix+"4"), file(at(prefix+"4/a.png")), folder(prefix+"4/folder"),
		folder(prefix+"12a"), folder(prefix+"mine"), folder(prefix), folder("images-1"), folder(prefix+"5"),
		os.Chtimes(at(prefix+"5"), time.Unix(60, 0), time.Unix(60, 0)), // of a clock that was not set
	); err != nil {
		t.Fatal(err)
	}
	stays := []string{prefix + "2", prefix + "3", prefix + "4/a.png", prefix + "12a", prefix + "mine", prefix, "images-1", prefix + "5"}
	check := func(when string, names ...string) {
		t.Helper()
		for _, name := range names {
			if (name != prefix+"3" || runtime.GOOS != "windows") && !exists(at(name)) {
				t.Errorf("%s: %s is gone", when, name)
			}
		}
	}
	soon, late := time.Now().Add(stay-time.Hour), time.Now().Add(stay+time.Hour)
	clearOld(temporary, soon)
	check("soon", append(stays, prefix+"1/a.png")...)
	clearOld(temporary, late)
	check("late", stays...)
	if exists(at(prefix + "1")) {
		t.Error("the old one is there")
	}
	clearOld(temporary, late.Add(stay))
	if exists(at(prefix + "5")) {
		t.Error("what a clock that was not set has made is there for good")
	}
}

// Neither the name nor the type of an image, which a hub may choose, leads out of the folder.
func TestNamesLeadNowhereElse(t *testing.T) {
	temporaryFolder(t)
	for _, hostile := range [][2]string{{"1", "image//../../loot"}, {"../loot", "image/png"}} {
		var f Folder
		if path, err := f.Write(hostile[0], hostile[1], []byte("x")); err == nil {
			t.Errorf("%q was written to %s", hostile, path)
		}
		entries, err := os.ReadDir(os.TempDir())
		if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() }) {
			t.Errorf("%q: there is %v, %v", hostile, entries, err)
		}
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	}
}
