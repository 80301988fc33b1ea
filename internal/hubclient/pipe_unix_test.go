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

// ReadToken checks the file that it has opened, and does not block on a pipe.
func TestReadTokenFromAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	hub, _ := hubclient.ParseURL("https://hub.example", false)
	failed := make(chan error, 1)
	go func() {
		_, err := hubclient.ReadToken(path, hub)
		failed <- err
	}()
	if err := waits.For(t, failed); err == nil || !strings.Contains(err.Error(), "no token") || os.IsNotExist(err) {
		t.Error(err)
	}
}
