package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"followup/internal/question"
)

// Ids of the options that every agent has.
const (
	choiceOnce   = "once"
	choiceAlways = "always"
	choiceDeny   = "deny"
)

// choices returns the options of a request for permission, with those that only some have.
func choices(more ...question.Choice) []question.Choice {
	once, deny := question.Choice{ID: choiceOnce, Kind: question.ChoiceOnce}, question.Choice{ID: choiceDeny, Kind: question.ChoiceDeny}
	return append(append([]question.Choice{once}, more...), deny)
}

// arguments are the arguments of a tool that an agent wants to run. The fields that the subject shows are removed, and the rest
// is shown as JSON.
type arguments map[string]json.RawMessage

// readArguments parses arguments. It returns false if they cannot all be shown exactly: half a surrogate pair cannot.
func readArguments(input json.RawMessage) (arguments, bool) {
	var all arguments
	var values any
	if json.Unmarshal(input, &all) != nil || json.Unmarshal(input, &values) != nil {
		return nil, false
	}
	return all, all != nil && utf8.Valid(input) && !replaced(values)
}

// replaced reports whether a value has characters that the JSON decoder replaced.
func replaced(value any) bool {
	switch value := value.(type) {
	case string:
		return strings.ContainsRune(value, utf8.RuneError)
	case []any:
		for _, each := range value {
			if replaced(each) {
				return true
			}
		}
	case map[string]any:
		for name, each := range value {
			if replaced(name) || replaced(each) {
				return true
			}
		}
	}
	return false
}

// text removes and returns a string argument; ok is false if there is none with that name.
func (a arguments) text(name string) (text string, ok bool) {
	if raw, has := a[name]; !has || json.Unmarshal(raw, &text) != nil || string(raw) == "null" {
		return "", false
	}
	delete(a, name)
	return text, true
}

// others returns the remaining arguments as indented JSON; empty if there are none.
func (a arguments) others() string {
	if len(a) == 0 {
		return ""
	}
	return indented(a)
}

func indented(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if encoder.Encode(value) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// approve turns a call into a request for permission. If its subject is empty or too large, and the agent's own dialog is open, the inbox
// only shows that the agent asks.
func (c *Call) approve(a question.Approval) *Call {
	if c.beside && a.Check() != nil {
		a = question.Approval{
			Title: a.Title, Subject: question.Subject{Kind: question.SubjectUnshown, Name: a.Title},
			Options: []question.Choice{{ID: choiceDeny, Kind: question.ChoiceDeny}},
		}
	}
	c.tool, c.approves = question.ToolApproval, true
	c.input, _ = json.Marshal(a) // only strings
	return c
}

// approval returns a message's request for permission, without options; ok is false if it is not one. The subject is empty if it cannot be
// shown exactly.
func (in hookInput) approval() (asked question.Approval, ok bool) {
	asked.Title = in.Tool
	if s, reason, whole := subjectOf(in.Tool, in.Input); whole {
		asked.Subject, asked.Reason = s, reason
	}
	if asked.Subject.Kind == question.SubjectCommand {
		asked.Subject.Folder = in.Folder
	}
	return asked, in.Event == claudePermission && in.Tool != ""
}

// subjectOf returns what a tool would do, by the names of tools and arguments that Claude Code introduced. ok is false if that cannot be
// shown exactly.
func subjectOf(tool string, input json.RawMessage) (s question.Subject, reason string, ok bool) {
	a, ok := readArguments(input)
	if !ok {
		return s, "", false
	}
	all := indented(a)
	whole := func() (question.Subject, string, bool) {
		return question.Subject{Kind: question.SubjectTool, Name: tool, Text: all}, "", true
	}
	has := false
	switch tool {
	case "Bash", "PowerShell":
		s.Kind = question.SubjectCommand
		s.Text, has = a.text("command")
		reason, _ = a.text("description")
	case "Edit":
		s.Kind = question.SubjectEdit
		s.Path, has = a.text("file_path")
		before, hasBefore := a.text("old_string")
		after, hasAfter := a.text("new_string")
		s.Before, s.After, has = before, after, has && hasBefore && hasAfter
	case "Write":
		s.Kind = question.SubjectEdit
		s.Path, has = a.text("file_path")
		after, hasAfter := a.text("content")
		before, readable := fileText(s.Path)
		s.Before, s.After, has = before, after, has && hasAfter && readable
	case "WebFetch":
		s.Kind = question.SubjectFetch
		s.Text, has = a.text("url")
	case "apply_patch":
		s.Kind, s.Name = question.SubjectTool, tool
		s.Text, has = a.text("command")
	case "ExitPlanMode":
		s.Kind = question.SubjectPlan
		s.Text, has = a.text("plan")
		if !has || strings.TrimSpace(s.Text) == "" {
			return s, "", false // the user would allow a plan that they cannot read
		}
		s.Path, _ = a.text("planFilePath")
	}
	if !has {
		return whole()
	}
	s.OtherArguments = a.others()
	return s, reason, true
}

// fileText returns the text of the file that would be overwritten; it is empty if the file does not exist. ok is false if
// the file is not text.
func fileText(path string) (text string, ok bool) {
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return "", true
	}
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > question.MaxApproval {
		return "", false
	}
	content, err := io.ReadAll(io.LimitReader(file, question.MaxApproval))
	return string(content), err == nil && utf8.Valid(content)
}

// hookDecision returns a hook's decision for Claude Code and Codex.
func hookDecision(event string, d claudeDecision) any {
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event, "decision": d}}
}
