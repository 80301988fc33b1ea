package connect

import (
	"path/filepath"
	"testing"
)

// Each agent has a folder, in the table that import uses too.
func TestFoldersOfAgents(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	m := Machine{Home: home, Env: func(name string) string {
		if name == "GEMINI_CLI_HOME" {
			return other
		}
		return ""
	}}
	for _, a := range Agents() {
		folder := m.folderOf(a)
		if within, err := filepath.Rel(home, folder); a.ID != "gemini" && (err != nil || within == "." || !filepath.IsLocal(within)) {
			t.Errorf("%s has the folder %q", a.ID, folder)
		}
		if a.ID == "gemini" && folder != filepath.Join(other, ".gemini") {
			t.Errorf("Gemini CLI has the folder %q", folder)
		}
	}
}
