package main

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"followup/internal/person"
)

// TestScripts runs the scripts in testdata/script against the real binary, and compares the output. In addition to the commands of
// package testscript, they have:
//
//	status N COMMAND…     runs a command that must end with that status
//	database SQL FILE     creates a database from the statements in a file
//	pipe FILE             creates a named pipe; skipped on systems without them
//	end FOLDER            stops the keeper of a folder, if it has one
//
// The variables are FIXTURES, the logs for testing package transcript, HOME, the script's own home folder, PERSON, the person's
// folder in it, and BIN, the program's folder. go test ./cmd/followup -update rewrites the expected output.
func TestScripts(t *testing.T) {
	fixtures, err := filepath.Abs("../../internal/transcript/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("BIN", filepath.Dir(binary))
			e.Setenv("PATH", filepath.Dir(binary)+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("FIXTURES", fixtures)
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home) // from here on for Windows
			e.Setenv("APPDATA", filepath.Join(home, "AppData", "Roaming"))
			e.Setenv("LOCALAPPDATA", filepath.Join(home, "AppData", "Local"))
			folder, err := person.Machine{Env: e.Getenv}.Folder()
			e.Setenv("PERSON", folder)
			e.Setenv("LANG", "en")
			e.Setenv("TZ", "UTC")
			e.Setenv("FOLLOWUP_STORAGE", filepath.Join(e.WorkDir, "storage"))
			e.Setenv(lingerVariable, os.Getenv(lingerVariable))
			e.Defer(func() { endKeepersIn(e.WorkDir) })
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				got := 0
				var exit *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
					got = exit.ExitCode()
				} else {
					ts.Check(err)
				}
				if got != want {
					ts.Fatalf("status %d, want %d", got, want)
				}
			},
			"database": func(ts *testscript.TestScript, _ bool, args []string) {
				text, err := os.ReadFile(ts.MkAbs(args[0]))
				ts.Check(err)
				ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[1])), 0o700))
				db, err := sql.Open("sqlite", ts.MkAbs(args[1]))
				ts.Check(err)
				_, err = db.Exec(string(text))
				ts.Check(errors.Join(err, db.Close()))
			},
			"end":  func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(endKeeper(ts.MkAbs(args[0]))) },
			"pipe": func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(makePipe(ts.MkAbs(args[0]))) },
		},
	})
}
