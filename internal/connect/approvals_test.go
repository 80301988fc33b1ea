package connect

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"followup/internal/program"
)

// An agent that is connected already gets approvals and keeps them, and the plan shows what they add.
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
		m.connect(t, a, false)
		if off := files(t, m); !maps.Equal(off, plain) {
			t.Errorf("%s is not as it was connected without approvals: %v", id, off)
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

// Another program's flag of that name is not ours.
func TestAnothersApprovals(t *testing.T) {
	m, a := machine(t), agent(t, "claude-code")
	write(t, filepath.Join(m.Home, ".claude", "settings.json"),
		`{"hooks":{"PermissionRequest":[{"matcher":"","hooks":[{"type":"command","command":"other hook --approvals"}]}]}}`)
	if found := m.Configured(a); found.On {
		t.Errorf("found %+v", found)
	}
}

func TestIsToolName(t *testing.T) {
	for name, want := range map[string]bool{"Bash": true, "mcp__a-b__*": true, "": false, "a|b": false, "a b": false, "(": false} {
		if IsToolName(name) != want {
			t.Errorf("%q", name)
		}
	}
}
