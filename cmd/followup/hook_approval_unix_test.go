//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gofrs/flock"

	"followup/internal/keeper"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// leavesDialog runs a hook with a request for permission, which must exit without output.
func leavesDialog(t *testing.T, storage, agent string) {
	t.Helper()
	asked, err := json.Marshal(map[string]any{
		"session_id": "s", "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": map[string]any{"command": "ls"},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := startHook(t, storage, agent, "--approvals")
	if _, err := p.in.Write(asked); err != nil {
		t.Fatal(err)
	}
	_ = p.in.Close()
	if status := p.wait(t); status != 0 || p.stdout.Len()+p.stderr.Len() > 0 {
		t.Errorf("status %d, it says %q and %q", status, p.stdout.String(), p.stderr.String())
	}
}

// If nobody can decide, the hook prints nothing, so that the agent's own dialog asks.
func TestApprovalsLeaveTheDialog(t *testing.T) {
	t.Parallel()
	t.Run("no keeper", func(t *testing.T) {
		storage := storageDir(t)
		leavesDialog(t, storage, "claude-code")
		if files, err := os.ReadDir(storage); err != nil || len(files) > 0 {
			t.Errorf("it began a store: %v, %v", files, err)
		}
	})
	t.Run("no inbox", func(t *testing.T) {
		storage := storageDir(t)
		s := startSidecar(t, storage)
		rpc.Notify(s.conn, protocol.InboxDidShow, protocol.InboxDidShowParams{})
		if _, err := rpc.Call(t.Context(), s.conn, protocol.InboxStatus, protocol.None{}); err != nil { // handled after the notification
			t.Fatal(err)
		}
		leavesDialog(t, storage, "codex")
	})
	t.Run("the keeper hangs", func(t *testing.T) {
		storage := storageDir(t)
		startSidecar(t, storage)
		pid := keeperPID(t, storage)
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
		leavesDialog(t, storage, "codex")
	})
	t.Run("a keeper of another version", func(t *testing.T) {
		storage := storageDir(t)
		keepAsAnotherVersion(t, storage)
		for _, agent := range []string{"claude-code", "codex"} {
			leavesDialog(t, storage, agent)
		}
	})
}

// keepAsAnotherVersion keeps a folder like a keeper with another protocol version, until the test ends.
func keepAsAnotherVersion(t *testing.T, folder string) {
	t.Helper()
	lock := flock.New(filepath.Join(folder, "keeper.lock"))
	if mine, err := lock.TryLock(); err != nil || !mine {
		t.Fatal(mine, err)
	}
	listener, err := net.Listen("unix", filepath.Join(folder, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = listener.Close(), lock.Close() })
	info, err := json.Marshal(keeper.Info{Folder: folder, Socket: listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "keeper.json"), info, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err = rpc.ReadFrame(bufio.NewReader(conn)); err == nil {
				_ = rpc.WriteFrame(conn, fmt.Appendf(nil, `{"info":%s,"protocol":%d}`, info, protocol.Version+1))
			}
			_ = conn.Close()
		}
	}()
}
