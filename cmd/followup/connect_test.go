package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
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

// Several processes that connect the same agent at once all succeed, and one disconnect takes that back to the byte.
func TestConnectAtOnce(t *testing.T) {
	home := t.TempDir()
	settings := filepath.Join(home, ".claude.json")
	const before = `{"numStartups":  1}`
	if err := os.WriteFile(settings, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		c := exec.Command(binary, args...)
		c.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "LOCALAPPDATA=" + filepath.Join(home, "local"), "PATH=" + os.Getenv("PATH")}
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { run("connect", "claude-code") })
	}
	all.Wait()
	run("disconnect", "claude-code")
	if got, err := os.ReadFile(settings); err != nil || string(got) != before {
		t.Errorf("left is %q, %v", got, err)
	}
}
