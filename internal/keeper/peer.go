package keeper

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"

	"github.com/tailscale/peercred"
)

// checkPeer returns an error unless the other end is a process of this user, of root, or of one of also. Where the
// system does not reveal that, the permissions of the folder and the socket decide.
func checkPeer(conn net.Conn, also ...int) error {
	peer, err := peercred.Get(conn)
	switch {
	case errors.Is(err, peercred.ErrNotImplemented):
		return nil
	case err != nil:
		return err
	}
	text, _ := peer.UserID()
	uid, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	return checkUser(uid, also...)
}

func checkUser(uid int, also ...int) error {
	if uid != 0 && uid != os.Geteuid() && !slices.Contains(also, uid) {
		return fmt.Errorf("the process belongs to another user (%d)", uid)
	}
	return nil
}
