package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"go.uber.org/zap"
)

// An editor's sidecar puts itself in the place of an older program that agents were told of, and where none is, it puts none.
func TestSidecarRenewsTheProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the person's folder is found by other variables")
	}
	t.Setenv("HOME", storageDir(t))
	t.Setenv("XDG_DATA_HOME", "")
	program := filepath.Join(os.Getenv("HOME"), ".local", "share", "followup", "bin", "followup")
	renewProgram(os.Getenv, zap.NewNop())
	if _, err := os.Stat(filepath.Dir(program)); !os.IsNotExist(err) {
		t.Errorf("a program was put where no agent is connected: %v", err)
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	startSidecar(t, storageDir(t))
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	info, err := os.Stat(program)
	for late := time.After(time.Minute); err == nil && info.Size() != int64(len(want)); info, err = os.Stat(program) { // it does so beside its work
		select {
		case <-look.C:
		case <-late:
			t.Fatal("it is not renewed")
		}
	}
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Fatal(info, err)
	}
	if got, err := os.ReadFile(program); err != nil || !bytes.Equal(got, want) { // by one rename
		t.Errorf("it is another one, %v", err)
	}
}
