package connect

import (
	"fmt"
	"maps"
	"os"
	"slices"
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
	config, err := parts[0].read()
	hooks, wrong := parts[1].read()
	if err != nil || wrong != nil {
		return false
	}
	states, _ := path{"hooks", "state"}.in(config.values)
	trusted, _ := states.(object)
	for _, hook := range parts[1].pieces {
		_, index := m.element(hooks.values, hook)
		if index < 0 {
			continue
		}
		place := fmt.Sprintf(":%s:%d:0", codexEvents[hook.at[1]], index)
		if !slices.ContainsFunc(slices.Collect(maps.Keys(trusted)), func(where string) bool {
			state, _ := trusted[where].(object)
			file, here := strings.CutSuffix(where, place)
			return here && state["trusted_hash"] != nil && sameFile(file, parts[1].name)
		}) {
			return true
		}
	}
	return false
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, wrong := os.Stat(b)
	return err == nil && wrong == nil && os.SameFile(first, second)
}
