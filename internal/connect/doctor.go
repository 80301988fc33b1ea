package connect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/locale"
	"followup/internal/program"
)

// Finding is the result of one check.
type Finding struct {
	// OK reports whether the check succeeded.
	OK bool `json:"ok"`
	// Text describes the result and, for a problem, its solution.
	Text string `json:"text"`
	// File and Key are the place of a wrong setting. File is empty for an environment variable.
	File string `json:"file,omitempty"`
	Key  string `json:"key,omitempty"`
}

// tryLimit bounds how long the program may take to answer a check.
const tryLimit = 30 * time.Second

// Examine runs the server and the hook like the agent, and looks for settings that prevent the agent from asking.
func (m Machine) Examine(ctx context.Context, s Status, speak locale.Tag) (findings []Finding) {
	add := func(ok bool, key locale.Key, args ...any) {
		findings = append(findings, Finding{OK: ok, Text: speak.Text(key, args...)})
	}
	var refusal *locale.Refusal
	try := func(err error, good, bad locale.Key) {
		switch {
		case errors.As(err, &refusal):
			add(false, bad, s.Name, refusal.In(speak))
		case err != nil:
			add(false, bad, s.Name, err)
		default:
			add(true, good, s.Name)
		}
	}
	if errors.As(s.Err, &refusal) {
		return append(findings, Finding{Text: refusal.In(speak)})
	}
	if s.State != Connected {
		add(false, "{0}: {1}. To connect it: followup connect {2}", s.Name, s.Words(speak), s.ID)
	}
	if s.State != None {
		findings = append(findings, m.inspect(s, speak)...)
	}
	if s.State != Connected {
		return findings
	}
	if slices.Contains(program.Pluggable, s.ID) {
		if m.HasPlugin(s.ID) {
			add(true, "{0}: the plugin is installed.", s.Name)
		} else {
			add(false, "{0}: the plugin {1} is missing, or has another version. Connect it again.", s.Name, m.Plugin(s.ID))
		}
	}
	try(m.tryTools(ctx), "{0}: the tools answer.", "{0}: the tools do not answer: {1}. Connect it again.")
	if approvals := m.Configured(s.Agent); approvals.On {
		add(true, "{0} asks for permission in the inbox, too: {1}", s.Name, approvals.Words(speak))
	}
	if call, hooked := harmless[s.ID]; hooked {
		try(m.tryHook(ctx, s.ID, call), "{0}: the hook answers.", "{0}: the hook does not answer: {1}. Connect it again.")
		if m.Untrusted(s.Agent) {
			add(false, "{0} does not trust the hook yet, and skips it. Start it once and choose to trust Followup's.", s.Name)
		}
	}
	return findings
}

// errSlow is a check that timed out.
var errSlow = locale.Refuse("no answer within {0} seconds", int(tryLimit.Seconds()))

// command returns the program in an agent's environment: some agents pass almost no variables.
func (m Machine) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, m.Program(), args...)
	for _, name := range []string{
		"HOME", "PATH", "USER", "LANG", "TERM", "SHELL", "TMPDIR", // the ones that Codex passes
		"USERPROFILE", "LOCALAPPDATA", "APPDATA", "SYSTEMROOT", "TEMP", "TMP", "PATHEXT", "COMSPEC",
	} {
		if value := m.Env(name); value != "" {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	return c
}

// run runs the program with an input, and returns its output.
func (m Machine) run(ctx context.Context, in []byte, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, tryLimit, errSlow)
	defer cancel()
	c := m.command(ctx, args...)
	c.Stdin = bytes.NewReader(in)
	out, err := c.Output()
	return out, cause(ctx, err)
}

// Try runs the program, and returns its version.
func (m Machine) Try(ctx context.Context) (version string, err error) {
	out, err := m.run(ctx, nil, "version", "--json")
	var found struct{ Version string }
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	return found.Version, err
}

func cause(ctx context.Context, err error) error {
	var ended *exec.ExitError
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &ended) && len(ended.Stderr) > 0:
		line, _, _ := strings.Cut(strings.TrimSpace(string(ended.Stderr)), "\n")
		return fmt.Errorf("%w: %s", err, line)
	}
	return err
}

// tryTools lists the tools of the MCP server.
func (m Machine) tryTools(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, tryLimit, errSlow)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "followup-doctor", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: m.command(ctx, "mcp")}, nil)
	if err != nil {
		return cause(ctx, err)
	}
	defer func() { _ = session.Close() }()
	listed, err := session.ListTools(ctx, nil)
	if err == nil && len(listed.Tools) == 0 {
		err = errors.New("it offers no tools")
	}
	return cause(ctx, err)
}

// harmless are calls without a question, in the form of each agent with a hook. Every hook ends at once without output.
var harmless = map[string]map[string]any{
	"claude-code": {"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": map[string]any{"command": "true"}},
	"codex":       {"hook_event_name": "PreToolUse", "tool_name": "shell", "tool_input": map[string]any{}},
	"gemini":      {"hook_event_name": "BeforeTool", "tool_name": "glob", "tool_input": map[string]any{}},
	"copilot":     {"toolName": "bash", "toolArgs": "{}"},
	"opencode":    {"id": "none", "questions": []any{}}, // as the plugin sends it
	"kilo":        {"id": "none", "questions": []any{}},
}

// tryHook runs a hook with a call that has no question.
func (m Machine) tryHook(ctx context.Context, agent string, call map[string]any) error {
	in, err := json.Marshal(call)
	if err != nil {
		return err
	}
	out, err := m.run(ctx, in, "hook", agent)
	if out = bytes.TrimSpace(out); err == nil && len(out) > 0 && string(out) != "{}" {
		err = fmt.Errorf("it printed %.100q", out)
	}
	return err
}
