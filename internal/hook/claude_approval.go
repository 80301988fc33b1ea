package hook

import (
	"encoding/json"
	"fmt"
	"strings"

	"followup/internal/locale"
	"followup/internal/question"
	"followup/internal/subject"
)

// readClaudeApproval parses Claude Code's request for permission.
func readClaudeApproval(from hookInput, speak locale.Tag) (*Call, error) {
	asked, ok := from.approval()
	if !ok || from.Tool == question.ToolAskUser {
		return nil, nil
	}
	asked.Changeable = asked.Subject.Kind == question.SubjectCommand
	asked.Options = choices()
	if grants, kind, ok := claudeGrants(from.Suggestions, speak); ok {
		asked.Options = choices(question.Choice{ID: choiceAlways, Kind: kind, Label: grants})
	}
	c := from.call()
	c.id, c.call, c.beside, c.context, c.suggestions = "", "", true, claudeContext(from.Log), from.Suggestions
	c.log = followCall(from.Log, from.Tool, from.Input)
	return c.approve(asked), nil
}

// claudeUpdate is a change of Claude Code's permissions: a suggestion in the request, or an accepted one in the response.
type claudeUpdate struct {
	Type        string   `json:"type"`
	Behavior    string   `json:"behavior"`
	Mode        string   `json:"mode"`
	Directories []string `json:"directories"`
	Destination string   `json:"destination"`
	Rules       []struct {
		Tool    string `json:"toolName"`
		Content string `json:"ruleContent"`
	} `json:"rules"`
}

// claudePlaces are the places where Claude Code saves a change.
var claudePlaces = map[string]locale.Key{
	"session":         "until this session ends",
	"localSettings":   "kept for you in this project, in .claude/settings.local.json",
	"projectSettings": "kept for everybody in this project, in .claude/settings.json",
	"userSettings":    "kept for all your projects, in ~/.claude/settings.json",
}

// claudeGrants describes what Claude Code's suggestions would allow. ok is false if there are none, or some are unknown. Their
// texts may come from a repository, so hidden characters are made visible.
func claudeGrants(suggestions json.RawMessage, speak locale.Tag) (words string, kind question.ChoiceKind, ok bool) {
	var updates []claudeUpdate
	if json.Unmarshal(suggestions, &updates) != nil || len(updates) == 0 {
		return "", "", false
	}
	var lines []string
	kind = question.ChoiceSession
	for _, u := range updates {
		place, known := claudePlaces[u.Destination]
		var grants []string
		switch {
		case u.Type == "addRules" && u.Behavior == "allow":
			for _, rule := range u.Rules {
				line := rule.Tool
				if rule.Content != "" {
					line = fmt.Sprintf("%s(%s)", rule.Tool, rule.Content)
				}
				grants = append(grants, speak.Text("Runs {0} without asking", subject.Visible(line)))
			}
		case u.Type == "addDirectories":
			grants = append(grants, speak.Text("Works in these folders, too: {0}", subject.Visible(strings.Join(u.Directories, ", "))))
		case u.Type == "setMode" && u.Mode == "acceptEdits":
			grants = append(grants, speak.Text("Accepts all file edits without asking"))
		case u.Type == "setMode":
			grants = append(grants, speak.Text("Switches to the permission mode {0}", subject.Visible(u.Mode)))
		}
		if len(grants) == 0 || !known {
			return "", "", false
		}
		if u.Destination != "session" {
			kind = question.ChoiceAlways
		}
		for _, grant := range grants {
			lines = append(lines, speak.Text("{0} ({1})", grant, speak.Text(place)))
		}
	}
	return strings.Join(lines, "\n"), kind, true
}

// decideClaude returns the decision for Claude Code. It includes the arguments that were shown, with the user's changes, so that
// Claude Code runs exactly these.
func decideClaude(c *Call, r reply, allowed bool) any {
	if !allowed {
		return hookDecision(c.event, claudeDecision{Behavior: "deny", Message: r.Text})
	}
	input, ok := readArguments(c.given)
	if !ok {
		return nil
	}
	d := claudeDecision{Behavior: "allow", UpdatedInput: input}
	if r.Changed != "" {
		input["command"], _ = json.Marshal(r.Changed) // a string
	}
	if plan, has := input.plan(); has && r.Text != "" {
		input["plan"], _ = json.Marshal(plan + "\n\n" + c.locale.Text("The user's notes on this plan:") + "\n\n" + r.Text)
	}
	if r.Option == choiceAlways {
		d.UpdatedPermissions = c.suggestions
	}
	return hookDecision(c.event, d)
}

// plan returns the plan in the arguments, without removing it from them.
func (a arguments) plan() (plan string, has bool) {
	raw, has := a["plan"]
	return plan, has && json.Unmarshal(raw, &plan) == nil
}
