package main

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"followup/internal/keeper"
	"followup/internal/waits"
)

// The history on a read-only mount can be read while a keeper runs. Without one, the command says what to do.
func TestReadOnlyMount(t *testing.T) {
	t.Parallel()
	storage := storageDir(t)
	s := startSidecar(t, storage)
	fill(t, s)
	mounted := func(args ...string) (string, error) {
		shell := exec.CommandContext(t.Context(), "sh", append([]string{"-c",
			`mount --make-rprivate / && mount --bind "$FOLLOWUP_STORAGE" "$FOLLOWUP_STORAGE" && mount -o remount,bind,ro "$FOLLOWUP_STORAGE" || exit 77
			touch "$FOLLOWUP_STORAGE/writable" 2>/dev/null && exit 78
			exec "$@"`, "sh", binary}, args...)...)
		shell.Env = append(os.Environ(), "FOLLOWUP_STORAGE="+storage, "LANG=en", "HOME="+storageDir(t))
		shell.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		if uid := os.Getuid(); uid != 0 {
			shell.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			shell.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
			shell.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		}
		out, err := shell.CombinedOutput()
		var exit *exec.ExitError
		if errors.Is(err, os.ErrPermission) || errors.As(err, &exit) && exit.ExitCode() == 77 {
			t.Skipf("this system does not allow mounting: %v %s", err, out)
		}
		return string(out), err
	}
	for _, test := range []struct {
		args  []string
		lines int
	}{{[]string{"history", "--limit", "0"}, 3}, {[]string{"history", "search", "database"}, 1}, {[]string{"import"}, 1}} {
		out, err := mounted(test.args...)
		if err != nil || strings.Count(out, "\n") != test.lines {
			t.Errorf("followup %s: %v\n%s", strings.Join(test.args, " "), err, out)
		}
	}
	s.kill()
	if out, err := mounted("history"); err == nil || !strings.Contains(out, "; make the folder writable, or name another folder with --storage") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Ctrl+C during an import that waits for another program's lock loses no question: the next import adds the rest.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	needsInterrupts(t)
	storage := storageDir(t)
	if status, _, problems := shell(t, storage, "import", "../../internal/transcript/testdata/zoo"); status != 0 {
		t.Fatal(problems)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(storage, "history.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	clients := func() int {
		info, err := keeper.Client{Folder: storage}.Status(t.Context())
		if err != nil {
			return -1
		}
		return info.Clients
	}
	waits.Until(t, "the first import has disconnected", func() bool { return clients() == 0 })
	var out, problems bytes.Buffer
	importing := exec.Command(binary, "import", "../../internal/transcript/testdata/codex")
	importing.Env = append(os.Environ(), "FOLLOWUP_STORAGE="+storage, "LANG=en")
	importing.Stdout, importing.Stderr = &out, &problems
	if err := importing.Start(); err != nil {
		t.Fatal(err)
	}
	waits.Until(t, "the import is the keeper's client", func() bool { return clients() > 0 })
	if err := importing.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := waits.Ended(t, importing); !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.HasSuffix(problems.String(), "followup import: interrupted\n") {
		t.Errorf("%v\n%s%s", err, &out, &problems)
	}
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if status, stdout, problems := shell(t, storage, "import", "../../internal/transcript/testdata/codex"); status != 0 ||
		!strings.HasPrefix(stdout, "4 added") && !strings.HasPrefix(stdout, "0 added, 4 already known") { // it may have been written after the lock was released
		t.Errorf("%s%s", stdout, problems)
	}
}
