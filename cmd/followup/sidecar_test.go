package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/rpctest"
	"followup/internal/waits"
)

// sidecar is a running process with an editor connected to it.
type sidecar struct {
	t       testing.TB
	conn    *rpc.Conn
	folder  string
	command *exec.Cmd
	stderr  bytes.Buffer

	mu      sync.Mutex
	items   map[string]protocol.InboxItem // sent to the interface
	storage protocol.Storage
	hub     protocol.HubState
	unsaved bool          // it has reported that it does not save
	changed chan struct{} // closed and replaced with each change
}

// startSidecar starts the real binary on a storage folder, and subscribes to the inbox.
func startSidecar(t *testing.T, storage string) *sidecar {
	t.Helper()
	return startSidecarOf(t, binary, storage)
}

// startSidecarOf is startSidecar for another build, or with further flags.
func startSidecarOf(t *testing.T, program, storage string, flags ...string) *sidecar {
	t.Helper()
	s := &sidecar{items: map[string]protocol.InboxItem{}, changed: make(chan struct{})}
	s.command = exec.Command(program, append([]string{"serve", "--log-level", "warn"}, flags...)...)
	s.command.Stderr = &s.stderr
	in, out := piped(t, s.command)
	s.dial(t, out, in, storage)
	return s
}

// startAgent starts the real binary for an agent that shows no inbox.
func startAgent(t *testing.T, o protocol.InitializationOptions) *rpctest.Editor {
	t.Helper()
	command := exec.Command(binary, "serve", "--log-level", "error")
	command.Stderr = os.Stderr
	in, out := piped(t, command)
	e := rpctest.Over(t, out, in)
	o.ProtocolVersion = protocol.Version
	rpctest.Call(e, protocol.Initialize, protocol.InitializeParams{InitializationOptions: o})
	return e
}

// piped starts a process that is killed at the test's end, and returns the ends of its input and output.
func piped(t *testing.T, command *exec.Cmd) (in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = command.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	endsWith(t, command)
	return in, out
}

// endsWith kills a process at the test's end, before the folders that it writes to are removed.
func endsWith(t *testing.T, command *exec.Cmd) {
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait() // it returns that the process was killed, or already waited for
	})
}

func (s *sidecar) dial(t *testing.T, out io.ReadCloser, in io.Writer, storage string) {
	t.Helper()
	s.t, s.folder = t, storage
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		s.note(change.Items, change.Storage, change.Hub)
		return nil
	})
	s.conn = rpc.Dial(context.Background(), router, rpc.Options{In: out, Out: in, Log: zap.NewNop()})
	options := protocol.InitializationOptions{ProtocolVersion: protocol.Version, StorageFolder: storage}
	ctx, cancel := context.WithTimeout(context.Background(), waits.Patience)
	defer cancel()
	if _, err := rpc.Call(ctx, s.conn, protocol.Initialize, protocol.InitializeParams{InitializationOptions: options}); err != nil {
		t.Fatalf("%v; its log:\n%s", err, s.stderr.String())
	}
	inbox, err := rpc.Call(ctx, s.conn, protocol.InboxSubscribe, protocol.None{})
	if err != nil {
		t.Fatal(err)
	}
	s.note(inbox.Items, inbox.Storage, inbox.Hub)
}

func (s *sidecar) note(items []protocol.InboxItem, storage *protocol.Storage, hub *protocol.HubState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hub != nil {
		s.hub = *hub
	}
	if storage != nil {
		s.storage = *storage
		s.unsaved = s.unsaved || !storage.Saved
	}
	for _, item := range items {
		s.items[item.QuestionID] = item
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// untilPending waits until a question can be answered. It returns false if the process exits first.
func (s *sidecar) untilPending(id string) bool {
	return s.untilTrue(func() bool { return s.items[id].State == protocol.ItemPending })
}

// wasUnsaved reports whether the sidecar has ever reported that it does not save.
func (s *sidecar) wasUnsaved() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unsaved
}

// untilStorage waits until the reported storage matches, and returns it.
func (s *sidecar) untilStorage(is func(protocol.Storage) bool) protocol.Storage {
	s.untilTrue(func() bool { return is(s.storage) })
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.storage
}

// untilTrue waits until a condition holds, checking it after every change. It returns false if the process exits first.
func (s *sidecar) untilTrue(condition func() bool) bool {
	s.t.Helper()
	for late := time.After(waits.Patience); ; {
		s.mu.Lock()
		holds, changed := condition(), s.changed
		s.mu.Unlock()
		if holds {
			return true
		}
		select {
		case <-changed:
		case <-s.conn.Done():
			return false
		case <-late:
			s.t.Error("the condition never became true")
			return false
		}
	}
}

// needsInterrupts skips a test if interrupts are ignored, as in the background of some shells: child processes ignore them, too.
func needsInterrupts(t *testing.T) {
	t.Helper()
	if signal.Ignored(os.Interrupt) {
		t.Skip("an interrupt is ignored here")
	}
}

// kill kills the process and its keeper, and waits until they have exited.
func (s *sidecar) kill() {
	_ = s.command.Process.Kill()
	killKeeper(s.folder)
	s.disconnect()
}

// disconnect kills the process, but not its keeper.
func (s *sidecar) disconnect() {
	_ = s.command.Process.Kill()
	<-s.conn.Done()
	_ = s.command.Wait() // it returns that the process was killed
}
