package web

import (
	"net"
	"path/filepath"
	"testing"
)

// The user's other programs can look up the page's address, without its secret, while it is served.
func TestAnnounced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.json")
	if got := Announced(path); got != "" {
		t.Errorf("before the server started: got %q", got)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String() + "/"
	devices := OpenDevices(path)
	if err := devices.Announce(address); err != nil {
		t.Fatal(err)
	}
	if got := Announced(path); got != address {
		t.Errorf("got %q, want %q", got, address)
	}
	if err := listener.Close(); err != nil { // as if the server was killed
		t.Fatal(err)
	}
	if got := Announced(path); got != "" {
		t.Errorf("after the server was killed: got %q", got)
	}
	if err := devices.Announce(""); err != nil || OpenDevices(path).kept.Address != "" {
		t.Errorf("still announced: %v", err)
	}
}
