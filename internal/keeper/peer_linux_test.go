package keeper

import (
	"context"
	"errors"
	"net"
	"os"
	"runtime"
	"testing"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"followup/internal/protocol"
	"followup/internal/waits"
)

// listenAs listens on a socket as another user.
func listenAs(t *testing.T, uid int, path string) net.Listener {
	t.Helper()
	listeners := make(chan net.Listener, 1)
	go func() {
		runtime.LockOSThread() // and never unlocks it: the thread, whose user this is, ends with the goroutine
		if _, _, wrong := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); wrong != 0 {
			t.Error(wrong)
		}
		listener, err := net.Listen("unix", path)
		if err != nil {
			t.Error(err)
		}
		listeners <- listener
	}()
	listener := waits.For(t, listeners)
	if listener == nil {
		t.FailNow()
	}
	return listener
}

// A process of another user cannot answer in the keeper's place, unless that user owns the folder.
func TestKeeperOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	const nobody = 65534
	folder, err := os.MkdirTemp("/tmp", "keeper") // the other user may not be able to enter the tests' own folder
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o777); err != nil { //nolint:gosec // the other user makes a socket there
		t.Fatal(err)
	}
	path, err := socketPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	listener := listenAs(t, nobody, path)
	defer func() { _ = listener.Close() }()
	info := Info{Folder: folder, Socket: path}
	if err := info.write(folder); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			over := newLink(conn)
			var client hello
			if over.receive(&client) == nil {
				_ = over.send(welcome{Info: info, Protocol: protocol.Version})
			}
		}
	}()
	client := Client{Folder: folder, Log: zap.NewNop()}
	if _, err := client.Connect(context.Background()); !errors.Is(err, ErrNone) {
		t.Errorf("got %v", err)
	}
	if err := os.Chown(folder, nobody, -1); err != nil {
		t.Fatal(err)
	}
	link, err := client.Connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	link.Close()
}
