//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// followup answer does not wait for questions in a folder whose name is a typo.
func TestAnswerNeedsItsFolder(t *testing.T) {
	t.Parallel()
	slip := filepath.Join(storageDir(t), "slip")
	p := shellOnTerminal(t, slip, `exec "$@"`, "answer")
	p.until("there is no folder " + slip)
	p.ended()
	if _, err := os.Stat(slip); !os.IsNotExist(err) {
		t.Errorf("the folder was created: %v", err)
	}
}
