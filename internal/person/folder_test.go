package person

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// machine returns a machine with only the given variables.
func machine(system string, variables map[string]string) Machine {
	return Machine{
		OS: system, Env: func(name string) string { return variables[name] },
		Home: func() (string, error) { return "", errors.New("nobody") },
	}
}

func TestFolder(t *testing.T) {
	home := t.TempDir()
	for name, test := range map[string]struct {
		system    string
		variables map[string]string
		want      string
	}{
		"Linux":                 {"linux", map[string]string{"HOME": home}, ".local/share/followup"},
		"another Unix":          {"freebsd", map[string]string{"HOME": home}, ".local/share/followup"},
		"macOS":                 {"darwin", map[string]string{"HOME": home, "XDG_DATA_HOME": home}, "Library/Application Support/Followup"},
		"Windows":               {"windows", map[string]string{"USERPROFILE": home}, "AppData/Local/Followup"},
		"Windows with its own":  {"windows", map[string]string{"LOCALAPPDATA": filepath.Join(home, "l")}, "l/Followup"},
		"another data home":     {"linux", map[string]string{"HOME": home, "XDG_DATA_HOME": filepath.Join(home, "d")}, "d/followup"},
		"the default data home": {"linux", map[string]string{"HOME": home, "XDG_DATA_HOME": filepath.Join(home, ".local", "share") + "/"}, ".local/share/followup"},
		"a relative data home":  {"linux", map[string]string{"HOME": home, "XDG_DATA_HOME": "data"}, ".local/share/followup"},
		"in a snap":             {"linux", map[string]string{"HOME": home, "XDG_DATA_HOME": home + "/snap/code/1/.local/share"}, ".local/share/followup"},
		"in a snap that keeps the user's": {"linux", map[string]string{
			"HOME": home, "XDG_DATA_HOME": home + "/snap/code/1/.local/share", "XDG_DATA_HOME_VSCODE_SNAP_ORIG": filepath.Join(home, "d"),
		}, "d/followup"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := machine(test.system, test.variables).Folder()
			if want := filepath.Join(home, filepath.FromSlash(test.want)); err != nil || got != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
		})
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) > 0 {
		t.Errorf("Folder created %v, %v", entries, err)
	}
}

func TestFolderWithoutEnvironment(t *testing.T) {
	m := machine("linux", nil)
	if _, err := m.Folder(); !errors.Is(err, errNoHome) {
		t.Errorf("got %v", err)
	}
	home := t.TempDir()
	m.Home = func() (string, error) { return home, nil }
	if got, err := m.Folder(); err != nil || got != filepath.Join(home, ".local", "share", "followup") {
		t.Errorf("got %q, %v", got, err)
	}
	m.Home = func() (string, error) { return "relative", nil }
	if _, err := m.Folder(); !errors.Is(err, errNoHome) {
		t.Errorf("got %v", err)
	}
}

// All processes of a person find the same folder, whatever their environments.
func TestFirstProcessDecides(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is only one folder")
	}
	home, data := t.TempDir(), t.TempDir()
	poor := machine("linux", map[string]string{"HOME": home})
	rich := machine("linux", map[string]string{"HOME": home, "XDG_DATA_HOME": data})
	other := machine("linux", map[string]string{"HOME": home, "XDG_DATA_HOME": t.TempDir()})
	want := filepath.Join(data, "followup")
	settled := func(m Machine) {
		t.Helper()
		if got, err := m.Settle(); err != nil || got != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
		if got, err := m.Folder(); err != nil || got != want {
			t.Errorf("then %q, %v; want %q", got, err, want)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { settled(rich) })
	}
	all.Wait()
	settled(poor)
	settled(other)

	home = t.TempDir()
	want = filepath.Join(home, ".local", "share", "followup")
	settled(machine("linux", map[string]string{"HOME": home}))
	if err := os.MkdirAll(want, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(want, "store.lock"), nil, 0o600); err != nil { // an agent was first
		t.Fatal(err)
	}
	settled(machine("linux", map[string]string{"HOME": home, "XDG_DATA_HOME": data}))
}

func TestFolderCannotBeRecorded(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".local"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := machine("linux", map[string]string{"HOME": home, "XDG_DATA_HOME": data}).Settle()
	if err != nil || got != filepath.Join(data, "followup") {
		t.Errorf("got %q, %v", got, err)
	}
}
