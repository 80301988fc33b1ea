package postgres

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// boundUnacknowledged makes the system close a connection without acknowledgements:
// https://man7.org/linux/man-pages/man7/tcp.7.html, TCP_USER_TIMEOUT.
func boundUnacknowledged(network, _ string, raw syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	return raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(deadLink.Milliseconds())) // best effort, besides the other timeouts
	})
}
