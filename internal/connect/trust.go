package connect

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Untrusted tells whether an agent skips the hook because its user was not asked yet: Codex wants each hook to be trusted once, and
// keeps that in its configuration under the place where the hook stands.
func (m Machine) Untrusted(a Agent) bool {
	if a.ID != "codex" {
		return false
	}
	parts := a.parts(m)
	index := -1
	if f, err := readFile(parts[1].name); err == nil {
		if d, err := newDocument(jsonc{}, f.text); err == nil {
			if at, there, err := m.locate(d, parts[1].pieces[0]); err == nil && there {
				index, _ = at[len(at)-1].(int)
			}
		}
	}
	if index < 0 {
		return false // there is no hook
	}
	f, err := readFile(parts[0].name)
	if err != nil {
		return true
	}
	d, err := newDocument(tomlText{}, f.text)
	if err != nil {
		return true
	}
	states, _ := d.get(path{"hooks", "state"})
	hooks, _ := states.(map[string]any)
	for where, state := range hooks {
		file, place, _ := strings.Cut(where, ":pre_tool_use:")
		if resolved, err := filepath.EvalSymlinks(file); err == nil {
			file = resolved
		}
		ours := parts[1].name
		if resolved, err := filepath.EvalSymlinks(ours); err == nil {
			ours = resolved
		}
		fields, _ := state.(map[string]any)
		if file == ours && place == fmt.Sprintf("%d:0", index) && fields["trusted_hash"] != nil {
			return false
		}
	}
	return true
}
