//go:build linux || darwin || freebsd

package keeper

import (
	"fmt"
	"net"
	"os"
	"slices"
)

func control(conn *net.UnixConn, ask func(fd int) error) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var result error
	if err := raw.Control(func(fd uintptr) { result = ask(int(fd)) }); err != nil {
		return err
	}
	return result
}

func checkUser(uid int, also ...int) error {
	if uid != 0 && uid != os.Geteuid() && !slices.Contains(also, uid) {
		return fmt.Errorf("the user %d is not this one", uid)
	}
	return nil
}
