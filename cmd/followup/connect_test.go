package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Several processes can connect the same agent concurrently, and one disconnect restores its files byte for byte.
func TestConnectConcurrently(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	settings := filepath.Join(home, ".claude.json")
	const before = `{"numStartups":  1}`
	if err := os.WriteFile(settings, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		c := exec.Command(binary, args...)
		c.Env = environment(home)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { run("connect", "claude-code", "--yes") })
	}
	all.Wait()
	run("disconnect", "claude-code", "--yes")
	if got, err := os.ReadFile(settings); err != nil || string(got) != before {
		t.Errorf("left is %q, %v", got, err)
	}
}
