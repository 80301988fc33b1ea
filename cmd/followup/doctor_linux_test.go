package main

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// If another process locks the store, doctor names that process in one finding, and still makes all other checks.
func TestDoctorWithALockedStore(t *testing.T) {
	for name, lock := range map[string]func(t *testing.T, folder string){
		"a transaction": func(t *testing.T, folder string) {
			db, err := sql.Open("sqlite", filepath.Join(folder, "inbox.db"))
			if err != nil {
				t.Fatal(err)
			}
			db.SetMaxOpenConns(1)
			t.Cleanup(func() { _ = db.Close() })
			if _, err := db.Exec("BEGIN EXCLUSIVE"); err != nil {
				t.Fatal(err)
			}
		},
		"an opening": func(t *testing.T, folder string) {
			if err := endKeeper(folder); err != nil { // the keeper has the lock
				t.Fatal(err)
			}
			f, err := os.OpenFile(filepath.Join(folder, "store.lock"), os.O_RDWR|os.O_CREATE, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Close() })
			if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, folder := storageDir(t), storageDir(t)                      // short enough for a socket
			endsKeeper(t, filepath.Join(home, ".local", "share", "followup")) // of the tools that doctor tries
			run := func(args ...string) string {
				c := exec.Command(binary, args...)
				c.Dir, c.Env = home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "FOLLOWUP_STORAGE=" + folder}
				out, _ := c.CombinedOutput() // the status reports the problem
				return string(out)
			}
			run("connect", "cline", "--yes")
			if out := run("doctor"); !strings.Contains(out, "ok  Questions are kept in ") {
				t.Fatal(out)
			}
			lock(t, folder)
			out := run("doctor")
			for _, want := range []string{
				fmt.Sprintf("(process %d) has locked the history in %s, so no question can be saved.", os.Getpid(), folder),
				"ok  Cline: the tools answer.",
			} {
				if !strings.Contains(out, want) {
					t.Errorf("there is no %q in:\n%s", want, out)
				}
			}
		})
	}
}
