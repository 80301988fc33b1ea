package keeper

import (
	"net"

	"golang.org/x/sys/unix"
)

// checkPeer returns an error if the other end is a process of another user: not this one, root, or one of also.
func checkPeer(conn *net.UnixConn, also ...int) error {
	var peer *unix.Ucred
	err := control(conn, func(fd int) (err error) {
		peer, err = unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		return err
	})
	if err != nil {
		return err
	}
	return checkUser(int(peer.Uid), also...)
}
