package reach

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"go.uber.org/zap/zaptest"

	"followup/internal/keeper"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/waits"
)

// hungKeeper starts a keeper that accepts a client, and hangs from its first request on.
func hungKeeper(t *testing.T) (folder string, asked <-chan struct{}) {
	t.Helper()
	folder = t.TempDir()
	lock := flock.New(filepath.Join(folder, "keeper.lock"))
	t.Cleanup(func() { _ = lock.Close() })
	if held, err := lock.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	listener, err := net.Listen("unix", filepath.Join(folder, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	info, err := json.Marshal(keeper.Info{Folder: folder, Socket: listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "keeper.json"), info, 0o600); err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{})
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		t.Cleanup(func() { _ = conn.Close() })
		in := bufio.NewReader(conn)
		if _, err := rpc.ReadFrame(in); err != nil {
			t.Error(err)
		}
		if err := rpc.WriteFrame(conn, fmt.Appendf(nil, `{"info":%s,"protocol":%d}`, info, protocol.Version)); err != nil {
			t.Error(err)
		}
		if _, err := rpc.ReadFrame(in); err != nil {
			t.Error(err)
		}
		close(called)
	}()
	return folder, called
}

// A client can end even if its keeper hangs between the two handshakes.
func TestEndsWhileItsKeeperHangs(t *testing.T) {
	folder, asked := hungKeeper(t)
	in, peer := io.Pipe()
	r := Relay{Reach: Reach{Log: zaptest.NewLogger(t), Program: "followup", Env: func(string) string { return "" }}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.Serve(t.Context(), in, io.Discard) // its input ends
	}()
	hello, err := rpc.Message([]byte("1"), protocol.Initialize.Method, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version, StorageFolder: folder},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := rpc.WriteFrame(peer, hello); err != nil {
		t.Fatal(err)
	}
	waits.For(t, asked)
	_ = peer.Close()
	waits.For(t, ended)
}
