package connect

import (
	"fmt"
	"path/filepath"
	"strings"
)

// codexEvents are the names of the events in Codex's configuration.
var codexEvents = map[string]string{"PreToolUse": "pre_tool_use", "PermissionRequest": "permission_request"}

// Untrusted reports whether an agent skips a hook because the user has not trusted it yet. Codex asks once for each hook, and keeps the
// answer in its configuration under the hook's place.
func (m Machine) Untrusted(a Agent) bool {
	if a.ID != "codex" {
		return false
	}
	parts := m.partsOf(a)
	d, err := parts[1].read()
	if err != nil {
		return false
	}
	for _, hook := range parts[1].pieces {
		at, there, err := m.locate(d, hook)
		if err != nil || !there {
			continue
		}
		index, _ := at[len(at)-1].(int)
		event, _ := at[1].(string)
		if !trustedByCodex(parts, codexEvents[event], index) {
			return true
		}
	}
	return false
}

// trustedByCodex reports whether Codex's configuration says that the hook for an event was trusted.
func trustedByCodex(parts []part, event string, index int) bool {
	d, err := parts[0].read()
	if err != nil {
		return false
	}
	states, _ := d.get(path{"hooks", "state"})
	hooks, _ := states.(map[string]any)
	for where, state := range hooks {
		file, place, _ := strings.Cut(where, ":"+event+":")
		if resolved, err := filepath.EvalSymlinks(file); err == nil {
			file = resolved
		}
		ours := parts[1].name
		if resolved, err := filepath.EvalSymlinks(ours); err == nil {
			ours = resolved
		}
		fields, _ := state.(map[string]any)
		if file == ours && place == fmt.Sprintf("%d:0", index) && fields["trusted_hash"] != nil {
			return true
		}
	}
	return false
}
