//go:build unix

package hubclient_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"followup/internal/hubclient"
	"followup/internal/waits"
)

// The file that is at the path when it is read counts, and a pipe there does not block.
func TestReadTokenFromAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	hub, _ := hubclient.ParseURL("https://hub.example", false)
	came := make(chan error, 1)
	go func() {
		_, err := hubclient.ReadToken(path, hub)
		came <- err
	}()
	if err := waits.For(t, came); err == nil || !strings.Contains(err.Error(), "no token") || os.IsNotExist(err) {
		t.Error(err)
	}
}
