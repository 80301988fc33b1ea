package web

import (
	"net"
	"path/filepath"
	"testing"
)

// Other programs of the user find the page while it is served, and without its secret.
func TestAnnounced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.json")
	if got := Announced(path); got != "" {
		t.Errorf("there was none, got %q", got)
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
	if err := listener.Close(); err != nil { // as a killed server's
		t.Fatal(err)
	}
	if got := Announced(path); got != "" {
		t.Errorf("nobody listens, got %q", got)
	}
	if err := devices.Announce(""); err != nil || OpenDevices(path).kept.Address != "" {
		t.Errorf("it is still announced: %v", err)
	}
}
