package sqlite

import (
	"path/filepath"
	"testing"
)

// Who looks at the same moment is not taken for one that says it.
func TestTwoLookAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flag")
	flags := [2]*flag{must(openFlag(path))(t), must(openFlag(path))(t)}
	for _, f := range flags {
		defer func() { ok(t, f.close()) }()
	}
	if locked := must(tryLock(flags[1].looking, true))(t); !locked {
		t.Fatal("nobody has it")
	}
	pauses := 0
	raised := must(flags[0].staysRaised(func() {
		pauses++
		ok(t, unlock(flags[1].looking))
	}))(t)
	if raised || pauses != 1 {
		t.Errorf("raised is %v after %d pauses", raised, pauses)
	}
	// It is raised, here or elsewhere.
	for i, want := range []int{0, looks} {
		ok(t, flags[1-i].lower())
		must(flags[i].raise())(t)
		pauses = 0
		if raised := must(flags[0].staysRaised(func() { pauses++ }))(t); !raised || pauses != want {
			t.Errorf("raised is %v after %d pauses, want %d", raised, pauses, want)
		}
	}
}
