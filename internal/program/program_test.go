package program

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestProgram(t *testing.T) {
	for _, system := range []string{"linux", "windows"} {
		t.Run(system, func(t *testing.T) {
			m := Place{Person: t.TempDir()}
			m.OS = system
			older := Build{"1.2.0+aaa", time.Unix(1000, 0).UTC()}
			newer := Build{"1.10.0+bbb", time.Unix(500, 0).UTC()}
			from := func(text string) string {
				name := filepath.Join(t.TempDir(), "source")
				write(t, name, text)
				return name
			}
			is := func(want string) {
				t.Helper()
				if text, err := os.ReadFile(m.Program()); err != nil || string(text) != want {
					t.Errorf("the program is %q, %v; want %q", text, err, want)
				}
			}
			if renewed, err := m.Renew(from("old"), older); !renewed || err != nil {
				t.Error("where none was", renewed, err)
			}
			is("old")
			if renewed, err := m.Renew("no such file", older); renewed || err != nil {
				t.Error("the same build", renewed, err)
			}
			if got, err := m.Install(from("old"), older); err != nil || got != older {
				t.Error(got, err)
			}
			is("old")
			if info, err := os.Stat(m.Program()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
				t.Error(info, err)
			}
			if renewed, err := m.Renew(from("new"), newer); !renewed || err != nil {
				t.Error(renewed, err)
			}
			is("new")
			if renewed, err := m.Renew(from("old"), older); renewed || err != nil {
				t.Error(renewed, err)
			}
			if got, err := m.Install(from("old"), older); err != nil || got != newer {
				t.Error(got, err)
			}
			is("new")
			if got, err := m.Install(from("built again"), newer); err != nil || got != newer {
				t.Error(got, err)
			}
			is("built again")
			write(t, m.Program(), "by hand, of another size")
			if renewed, err := m.Renew(from("old"), older); !renewed || err != nil {
				t.Error(renewed, err)
			}
			is("old")
			if err := os.Remove(m.Plugin("kilo")); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Install(from("old"), older); err != nil || !m.Complete() {
				t.Error("the plugin is missing", err)
			}
			left, _ := filepath.Glob(filepath.Join(m.Person, "bin", "*"))
			if len(left) != 7 { // the program, two notes, and four plugins
				t.Errorf("there is %v", left)
			}
		})
	}
}

// Of several that put themselves in the place at once the newest stays, and is said to be there.
func TestProgramsAtOnce(t *testing.T) {
	m := Place{Person: t.TempDir()}
	const many = 12
	var builds []Build
	var sources []string
	for i := range many {
		builds = append(builds, Build{fmt.Sprintf("1.%d.0", i), time.Unix(1, 0).UTC()})
		sources = append(sources, filepath.Join(t.TempDir(), "source"))
		write(t, sources[i], strings.Repeat("x", i+1))
	}
	if _, err := m.Install(sources[0], builds[0]); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			if _, err := m.Renew(sources[i], builds[i]); err != nil {
				t.Error(err)
			}
			if _, err := m.Install(sources[i], builds[i]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	there, _ := m.installation()
	if text, err := os.ReadFile(m.Program()); err != nil || len(text) != many || there.Build != builds[many-1] {
		t.Errorf("there is %q, %v, as %v", text, err, there)
	}
}

// What a newer one has put there since it was looked at is not replaced.
func TestProgramIsLookedAtAgain(t *testing.T) {
	m := Place{Person: t.TempDir()}
	older, newer := Build{Version: "1.0.0"}, Build{Version: "2.0.0"}
	from := func(text string) string {
		name := filepath.Join(t.TempDir(), "source")
		write(t, name, text)
		return name
	}
	times := 0
	installed, err := m.installWhere(from("old"), older, func(there installation, ok bool) bool {
		if times++; times == 1 {
			if _, err := m.Install(from("new"), newer); err != nil {
				t.Error(err)
			}
			return true
		}
		return !ok || older.Newer(there.Build)
	})
	text, _ := os.ReadFile(m.Program())
	if installed || err != nil || string(text) != "new" {
		t.Errorf("%v, %v; there is %q", installed, err, text)
	}
}

func TestDevelopmentBuilds(t *testing.T) {
	early, late := Build{"dev", time.Unix(1, 0)}, Build{"dev+abc", time.Unix(2, 0)}
	if early.compare(late) >= 0 || late.compare(early) <= 0 || early.compare(early) != 0 || (Build{}).compare(early) >= 0 {
		t.Error("the commit's time does not decide")
	}
}
