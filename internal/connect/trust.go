package connect

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// codexEvents are the names of the events in Codex's configuration.
var codexEvents = map[string]string{"PreToolUse": "pre_tool_use", "PermissionRequest": "permission_request"}

// Untrusted reports whether an agent skips a hook because the user has not trusted it yet. Codex asks once for each hook, and
// saves the answer in its configuration under the hook's place.
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
	return slices.ContainsFunc(parts[1].pieces, func(hook piece) bool {
		_, index := m.element(hooks.values, hook)
		place := fmt.Sprintf(":%s:%d:0", codexEvents[hook.at[1]], index)
		for where, state := range trusted {
			fields, _ := state.(object)
			if file, here := strings.CutSuffix(where, place); here && fields["trusted_hash"] != nil && sameFile(file, parts[1].name) {
				return false
			}
		}
		return index >= 0
	})
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, wrong := os.Stat(b)
	return err == nil && wrong == nil && os.SameFile(first, second)
}
