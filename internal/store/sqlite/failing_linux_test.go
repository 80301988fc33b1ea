package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"followup/internal/store"
)

// diskEnv is set in a process that has its own small disk.
const diskEnv = "FOLLOWUP_STORE_TEST_DISK"

// mayNotMount is the exit status of a process that may not mount.
const mayNotMount = 77

// onSmallDisk runs the test again in a process with its own namespaces, in which it may mount a small in-memory file system; there
// it calls run with its folder. Nothing outside sees that disk.
func onSmallDisk(t *testing.T, run func(disk string)) {
	t.Helper()
	if os.Getenv(diskEnv) == t.Name() {
		runtime.LockOSThread()
		disk := t.TempDir()
		if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			os.Exit(mayNotMount)
		}
		ok(t, syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"))
		defer func() { ok(t, syscall.Unmount(disk, syscall.MNT_DETACH)) }()
		run(disk)
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), diskEnv+"="+t.Name())
	child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if uid := os.Getuid(); uid != 0 {
		child.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		child.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		child.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	if errors.Is(err, os.ErrPermission) || errors.As(err, &exit) && exit.ExitCode() == mayNotMount {
		t.Skip("this system does not allow mounting, as in most containers: ", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
}

// On a full disk, writes that do not fit fail completely, and existing data stays. When there is space again, the store continues.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	onSmallDisk(t, func(disk string) {
		c := newClock()
		s := openIn(t, filepath.Join(disk, "storage"), c)
		image := store.Image{MimeType: "image/png", Data: make([]byte, 100_000)}
		acknowledged, refused := 0, ""
		for i := 0; refused == ""; i++ {
			id := fmt.Sprint(i)
			image.Data[0], image.Data[1] = byte(i), byte(i>>8) // equal images would be stored once
			_, err := s.Commit(t.Context(), []store.Change{{
				Questions: []store.Question{{ID: id, State: store.Pending}}, Drafts: []store.Draft{{QuestionID: id, Document: []byte(id), Images: []store.Image{image}}},
			}})
			switch {
			case err == nil:
				acknowledged++
			case errors.Is(err, store.ErrUnavailable):
				refused = id
			default:
				t.Fatal(err)
			}
		}
		if acknowledged == 0 {
			t.Fatal("nothing fits at all")
		}
		if _, err := s.Question(t.Context(), refused); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a part of the rejected change was written: %v", err)
		}
		open := must(s.OpenQuestions(t.Context(), 0, 999))(t)
		if len(open) != acknowledged {
			t.Errorf("%d of %d acknowledged questions are open", len(open), acknowledged)
		}
		ok(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=20m"))
		ask(t, s, refused, "")
		integrity(t, s)
	})
}

// On a file system that became read-only, writes fail and existing data can be read.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	onSmallDisk(t, func(disk string) {
		c, dir := newClock(), filepath.Join(disk, "storage")
		s := openIn(t, dir, c)
		ask(t, s, "q", "")
		ok(t, s.Idle(t.Context()))
		ok(t, s.Close())
		ok(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
		if _, _, err := openTest(t, dir, store.Options{}); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("opening: %v", err)
		}
		if _, _, err := openTest(t, filepath.Join(disk, "new"), store.Options{}); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("opening a new one: %v", err)
		}
		ok(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, ""))
		s = openIn(t, dir, c)
		same(t, "open", ids(must(s.OpenQuestions(t.Context(), 0, 999))(t)), []string{"q"})
	})
}
