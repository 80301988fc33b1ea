package connect

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"followup/internal/program"
)

// An agent that is already connected can add approvals and keeps them, and the plan shows what they add.
func TestApprovalsOfConnectedAgents(t *testing.T) {
	for _, id := range []string{"claude-code", "codex", "opencode", "kilo"} {
		m, a := machine(t), agent(t, id)
		m.connect(t, a, false)
		plain := files(t, m)
		m.Approvals = &Approvals{On: true}
		changes := m.connect(t, a, false)
		shown := false
		for _, c := range changes {
			for _, s := range c.Beyond {
				shown = shown || s.Why == connectForApprovals && strings.Contains(s.Value, program.Approving)
			}
		}
		if !shown {
			t.Errorf("%s: the hook is not shown: %+v", id, changes)
		}
		m.Approvals = nil
		if s := m.Look(a); !m.Complete() && s.State != Partly {
			t.Errorf("%s is %s", id, s.State)
		}
		if found := m.Configured(a); !found.On || found.Tools != nil {
			t.Errorf("%s has the approvals %+v", id, found)
		}
		m.Approvals = &Approvals{}
		for _, c := range m.connect(t, a, false) {
			if id == "codex" && len(c.Beyond) > 0 {
				t.Errorf("a hook that is removed is shown as added: %+v", c.Beyond)
			}
		}
		if off := files(t, m); !maps.Equal(off, plain) {
			t.Errorf("%s differs from connecting without approvals: %v", id, off)
		}
		m.Approvals = &Approvals{On: true}
		m.connect(t, a, false)
		m.Approvals = nil
		m.disconnect(t, a)
		if left := files(t, m); len(left) > 0 {
			t.Errorf("%s leaves %v of %v", id, left, plain)
		}
	}
}

// If Followup's hook shares an element with another hook, that one keeps the user's tools, and Followup's moves to its own
// element to run for others.
func TestApprovalsWithAnotherHook(t *testing.T) {
	for _, tools := range [][]string{nil, {"Bash", "Edit"}} {
		m, a := machine(t), agent(t, "claude-code")
		settings := filepath.Join(m.Home, ".claude", "settings.json")
		write(t, settings, `{"hooks": {"PermissionRequest": [{"matcher": "AskUserQuestion", "hooks": [
			{"type": "command", "command": "say hello"}, {"type": "command", "command": "`+m.Hook("claude-code", program.Posix, false)+`"}]}]}}`)
		m.Approvals = &Approvals{On: true, Tools: tools}
		m.connect(t, a, false)
		d, err := part{name: settings}.read()
		if err != nil {
			t.Fatal(err)
		}
		hooks, _ := path{"hooks", "PermissionRequest"}.in(d.values)
		want := []any{
			object{"matcher": "AskUserQuestion", "hooks": []any{object{"type": "command", "command": "say hello"}}},
			object{"matcher": m.Approvals.claudeMatcher(), "hooks": []any{
				object{"type": "command", "command": m.Hook("claude-code", program.Posix, true), "timeout": daySeconds},
			}},
		}
		if diff := cmp.Diff(want, hooks); diff != "" {
			t.Errorf("%v: the hooks are (-want +got):\n%s", tools, diff)
		}
		if found := m.Configured(a); !found.On || !slices.Equal(found.Tools, tools) {
			t.Errorf("%v: configured is %+v", tools, found)
		}
		if again := m.connect(t, a, false); len(again) > 0 {
			t.Errorf("%v: the second time changes %s", tools, again[0].After)
		}
		m.disconnect(t, a)
		if left := files(t, m)[".claude/settings.json"]; !strings.Contains(left, "say hello") || strings.Contains(left, m.Program()) {
			t.Errorf("%v: left is %s", tools, left)
		}
	}
}

// Another program's flag of the same name is ignored.
func TestApprovalsOfAnotherProgram(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	write(t, filepath.Join(m.Home, ".claude", "settings.json"),
		`{"hooks":{"PermissionRequest":[{"matcher":"","hooks":[{"type":"command","command":"other hook --approvals"}]}]}}`)
	if found := m.Configured(a); found.On {
		t.Errorf("found %+v", found)
	}
}

func TestHasTool(t *testing.T) {
	for name, want := range map[string]bool{
		"Bash": true, "mcp__a-b__*": true, "Notebook.*": true, "Foo": false, "bash": false, "Bas": false, "Foo.*": false, "": false, "a|b": false,
		"a b": false, "(": false, "*": false,
	} {
		if got := agent(t, "claude-code").HasTool(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if codex := agent(t, "codex"); !codex.HasTool("apply_patch") || codex.HasTool("WebFetch") {
		t.Error("Codex has other tools")
	}
}
