package connect

import (
	"regexp"
	"slices"
	"strings"

	"followup/internal/locale"
	"followup/internal/program"
)

// Approvals are the requests for permission that an agent forwards to the inbox.
type Approvals struct {
	On bool
	// Tools are the tools whose requests it forwards. If empty, it forwards all.
	Tools []string
}

// Words lists the tools in words.
func (a Approvals) Words(speak locale.Tag) string {
	if len(a.Tools) == 0 {
		return speak.Text("all tools")
	}
	return strings.Join(a.Tools, ", ")
}

// questionTool is Claude Code's tool for questions, for which its hook always runs.
const questionTool = "AskUserQuestion"

// HasTool reports whether an agent asks for permission to use a tool of this name. A name of an MCP server's tool begins with
// mcp__. Names may be patterns such as mcp__github__.*, which the agents read as regular expressions.
func (a Agent) HasTool(name string) bool {
	const known = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.*-"
	if name == "" || strings.Trim(name, known) != "" {
		return false
	}
	pattern, err := regexp.Compile("^(?:" + name + ")$")
	return err == nil && (strings.HasPrefix(name, "mcp__") || slices.ContainsFunc(a.Tools, pattern.MatchString))
}

// claudeMatcher is the matcher of the hook that handles both questions and requests for permission.
func (a Approvals) claudeMatcher() string {
	if a.On && len(a.Tools) == 0 {
		return ""
	}
	return strings.Join(append([]string{questionTool}, a.Tools...), "|")
}

// whyHook returns the purpose of a hook.
func (a Approvals) whyHook() locale.Key {
	if a.On {
		return connectForApprovals
	}
	return connectForHook
}

// partsOf returns an agent's files as they should be: with the machine's approvals or, if it has none, the configured ones.
func (m Machine) partsOf(a Agent) []part {
	if m.Approvals == nil {
		found := m.Configured(a)
		m.Approvals = &found
	}
	return a.parts(m, m.folderOf(a))
}

// Configured returns which requests for permission an agent currently forwards.
func (m Machine) Configured(a Agent) (found Approvals) {
	if !a.Approves {
		return found
	}
	m.Approvals = &Approvals{On: true}
	for _, p := range m.partsOf(a) {
		d, err := p.read()
		if err != nil {
			continue
		}
		for _, each := range p.pieces {
			hook, _ := m.element(d.values, each)
			if !m.approvesIn(hook) {
				continue
			}
			found.On = true
			fields, _ := hook.(object)
			matcher, _ := fields["matcher"].(string)
			for tool := range strings.SplitSeq(matcher, "|") {
				if tool != questionTool && tool != "" && !slices.Contains(found.Tools, tool) {
					found.Tools = append(found.Tools, tool)
				}
			}
		}
	}
	return found
}

// approvesIn reports whether a value runs Followup's program or plugin with approvals.
func (m Machine) approvesIn(value any) bool {
	_, ok := find(value, func(text string) bool {
		return m.Names(text) && (strings.HasSuffix(text, program.ApprovalsFlag) || strings.HasSuffix(text, program.Approving+".js"))
	})
	return ok
}
