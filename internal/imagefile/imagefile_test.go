package imagefile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A folder that is old goes when the next one is made, and nothing else does; who still writes to it gets a new one.
func TestFoldersGo(t *testing.T) {
	temporary := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	var ours Folder
	first, err := ours.Write("a-1", "image/png", []byte("one"))
	if err != nil || filepath.Base(first) != "a-1.png" {
		t.Fatalf("%s, %v", first, err)
	}
	if info, err := os.Stat(filepath.Dir(first)); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	others := t.TempDir()
	for name, made := range map[string]error{
		"a file":          os.WriteFile(filepath.Join(temporary, prefix+"file"), nil, 0o600),
		"a link":          os.Symlink(others, filepath.Join(temporary, prefix+"link")),
		"another's":       os.Mkdir(filepath.Join(temporary, "images"), 0o700),
		"one of the past": os.Mkdir(filepath.Join(temporary, prefix+"past"), 0o700),
	} {
		if made != nil && name != "a link" { // which not everybody may make on Windows
			t.Fatal(made)
		}
	}
	old := time.Now().Add(-stay - time.Hour)
	for _, name := range []string{filepath.Base(filepath.Dir(first)), prefix + "file", "images"} {
		if err := os.Chtimes(filepath.Join(temporary, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	var other Folder
	if _, err := other.Write("b-1", "image/gif", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first); !os.IsNotExist(err) {
		t.Errorf("the old one is there: %v", err)
	}
	for _, name := range []string{prefix + "file", "images", prefix + "past"} {
		if _, err := os.Lstat(filepath.Join(temporary, name)); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
	again, err := ours.Write("a-2", "image/png", []byte("two"))
	if err != nil || filepath.Dir(again) == filepath.Dir(first) {
		t.Errorf("%s, %v", again, err)
	}
	if err := ours.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(again); !os.IsNotExist(err) {
		t.Error("it is not removed")
	}
}
