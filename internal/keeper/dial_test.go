package keeper

import (
	"context"
	"errors"
	"net"
	"testing"

	"go.uber.org/zap"

	"followup/internal/program"
	"followup/internal/protocol"
)

// A keeper of another protocol that is not older is named, and left alone.
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
		over := newWire(conn)
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
