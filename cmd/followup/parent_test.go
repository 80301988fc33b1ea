package main

import (
	"errors"
	"fmt"
	"os/exec"
	"testing"
)

// The sidecar exits with its parent process, even if its input stays open.
func TestSidecarExitsWithItsParent(t *testing.T) {
	t.Parallel()
	parent := exec.Command(binary, "serve") // any process that waits for its input
	if _, err := parent.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	c := start(t)
	c.send(fmt.Sprintf(`{"id":1,"method":"initialize","params":{"processId":%d,"initializationOptions":{"protocolVersion":1}}}`, parent.Process.Pid))
	<-c.messages
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	var status *exec.ExitError
	if err := c.wait(); !errors.As(err, &status) || status.ExitCode() != 1 {
		t.Errorf("got %v, want exit status 1; its log:\n%s", err, c.stderr.String())
	}
}
