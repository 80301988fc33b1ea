package keeper

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"go.uber.org/zap"

	"followup/internal/program"
	"followup/internal/protocol"
	"followup/internal/waits"
)

// A keeper with another protocol that is not older is reported, and keeps running.
func TestOtherProtocol(t *testing.T) {
	folder := t.TempDir()
	path, err := socketPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	info := Info{Build: program.Build{Version: "9.0.0"}, Folder: folder, Socket: path}
	if err := info.write(folder); err != nil {
		t.Fatal(err)
	}
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		over := newLink(conn)
		var client hello
		if over.receive(&client) == nil && client.Protocol == protocol.Version {
			_ = over.send(welcome{Info: info, Protocol: protocol.Version + 1})
		}
	}()
	client := Client{Folder: folder, Build: program.Build{Version: "1.0.0"}, Log: zap.NewNop()}
	_, err = client.Connect(context.Background())
	var other ProtocolError
	if !errors.As(err, &other) || other.Version != "9.0.0" {
		t.Errorf("got %v", err)
	}
}

// A connected client starts the next keeper as soon as the last one ends. UntilEnded does not wait for the next one.
func TestUntilEnded(t *testing.T) {
	c := Client{Folder: t.TempDir()}
	lock := flock.New(filepath.Join(c.Folder, lockName))
	defer func() { _ = lock.Close() }()
	if held, err := lock.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	if err := (Info{PID: 2}).write(c.Folder); err != nil {
		t.Fatal(err)
	}
	bounded, cancel := context.WithTimeout(t.Context(), waits.Patience)
	defer cancel()
	if err := c.UntilEnded(bounded, 1); err != nil {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := c.UntilEnded(ended, 2); !errors.Is(err, ErrHangs) {
		t.Errorf("the one that keeps it still: %v", err)
	}
}
