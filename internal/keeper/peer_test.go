//go:build linux

package keeper

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"go.uber.org/zap"
)

// The peer's user is read and checked.
func TestPeer(t *testing.T) {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(t.TempDir(), "s")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	dialed, err := net.Dial("unix", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dialed.Close() }()
	accepted, err := listener.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = accepted.Close() }()
	if err := checkPeer(accepted); err != nil {
		t.Errorf("this process is refused: %v", err)
	}
	for uid, allowed := range map[int]bool{0: true, os.Geteuid(): true, 12345: false} {
		if err := checkUser(uid); (err == nil) != allowed {
			t.Errorf("the user %d: %v", uid, err)
		}
	}
}

func TestCleanEnvironment(t *testing.T) {
	got := cleanEnvironment([]string{"HOME=/h", "OPENAI_API_KEY=k", "Path=/p", "LC_ALL=fr", "XDG_DATA_HOME=/d", "LD_PRELOAD=x", "FOLLOWUP_HUB_TOKEN_FILE=t"})
	if want := []string{"HOME=/h", "Path=/p", "LC_ALL=fr", "XDG_DATA_HOME=/d"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// If the system forbids the best way to detach a process, as a job on Windows may, the next one is tried.
func TestNextWayToDetach(t *testing.T) {
	output, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = output.Close() }()
	c := Client{Folder: t.TempDir(), Log: zap.NewNop(), Commands: func(string) [][]string { return [][]string{{"echo", "ready"}} }}
	forbidden := &syscall.SysProcAttr{Chroot: filepath.Join(c.Folder, "none")}
	err = c.launch(out, "/", []*syscall.SysProcAttr{forbidden, {Setsid: true}})
	_ = out.Close()
	if line, _ := io.ReadAll(output); err != nil || string(line) != "ready\n" {
		t.Errorf("%v, %q", err, line)
	}
}

func TestLogIsRotated(t *testing.T) {
	folder := t.TempDir()
	log, err := OpenLog(folder)
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 64<<10)
	for range 40 {
		if _, err := log.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{logName, logName + ".1"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() > maxLog+int64(len(line)) {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
