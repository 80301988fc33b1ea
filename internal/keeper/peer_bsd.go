//go:build darwin || freebsd

package keeper

import (
	"net"

	"golang.org/x/sys/unix"
)

// checkPeer returns an error for a process of another user. root may connect.
func checkPeer(conn *net.UnixConn) error {
	var peer *unix.Xucred
	err := control(conn, func(fd int) (err error) {
		peer, err = unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		return err
	})
	if err != nil {
		return err
	}
	return checkUser(int(peer.Uid))
}
