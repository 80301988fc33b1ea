//go:build unix

package transcript

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A pipe where a log was expected is refused; opening it would wait for whoever writes to it.
func TestPipeIsNoLog(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "log.jsonl")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), path, options, func(Exchange) error { return nil }); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("got %v", err)
	}
	if data := look(path); data != nil {
		t.Errorf("it holds %q", data)
	}
}
