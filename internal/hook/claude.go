package hook

import (
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// Claude Code's hook events: https://code.claude.com/docs/en/hooks
const (
	// claudePermission: the terminal's own dialog is open at the same time, and the first answer wins.
	claudePermission = "PermissionRequest"
	// claudeBefore: the terminal waits for the hook.
	claudeBefore = "PreToolUse"
)

// readClaude parses Claude Code's message to a hook.
func readClaude(from hookInput, _ locale.Tag) (*Call, error) {
	if from.Tool != question.ToolAskUser || from.Event != claudePermission && from.Event != claudeBefore {
		return nil, nil
	}
	c := from.call()
	c.tool, c.input, c.beside, c.context = question.ToolAskUser, from.Input, from.Event == claudePermission, claudeContext(from.Log)
	if c.beside {
		c.log = followQuestions(from.Log, c.questions())
	}
	return c, nil
}

// claudeDecision is a hook's decision for Claude Code.
type claudeDecision struct {
	Behavior     string                     `json:"behavior"`
	UpdatedInput map[string]json.RawMessage `json:"updatedInput,omitempty"`
	// UpdatedPermissions are the request's suggestions, if the user accepted them.
	UpdatedPermissions json.RawMessage `json:"updatedPermissions,omitempty"`
	Message            string          `json:"message,omitempty"`
}

// answerClaude returns the tool's input with the answers, like the tool's own dialog. Other outcomes become the reason of a denial.
func answerClaude(c *Call, r reply) any {
	d := claudeDecision{Behavior: "allow", UpdatedInput: claudeInput(c, r)}
	if d.UpdatedInput == nil {
		d = claudeDecision{Behavior: "deny", Message: r.result}
	}
	decided := map[string]any{"hookEventName": c.event}
	if c.event == claudePermission {
		decided["decision"] = d
	} else {
		decided["permissionDecision"] = d.Behavior
		if d.UpdatedInput != nil {
			decided["updatedInput"] = d.UpdatedInput
		} else {
			decided["permissionDecisionReason"] = d.Message
		}
	}
	return map[string]any{"hookSpecificOutput": decided}
}

// claudeAnnotation is the details of an answer.
type claudeAnnotation struct {
	Preview string `json:"preview,omitempty"`
	Notes   string `json:"notes,omitempty"`
}

// claudeInput returns the tool's input with the user's answers; nil if there are none.
func claudeInput(c *Call, r reply) map[string]json.RawMessage {
	var input map[string]json.RawMessage
	var own struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	if r.Outcome != protocol.OutcomeAnswered || r.Structured == nil || json.Unmarshal(c.given, &input) != nil ||
		json.Unmarshal(c.given, &own) != nil || len(own.Questions) != len(r.Structured.Questions) {
		return nil
	}
	answers, annotations := map[string]string{}, map[string]claudeAnnotation{}
	last := ""
	for i, q := range r.Structured.Questions {
		name := own.Questions[i].Question // exactly as the tool wrote it
		if answer, ok := r.Structured.Answers[q.Question]; ok {
			answers[name], last = claudeAnswer(answer), name
		}
		if more := r.Structured.Annotations[q.Question]; more.Notes != "" || more.Preview != "" {
			annotations[name] = claudeAnnotation{more.Preview, more.Notes}
		}
	}
	if len(answers) == 0 {
		return nil
	}
	if len(r.beside) > 0 { // the tool has no field for these
		note := annotations[last]
		note.Notes = strings.Join(append(nonEmpty(note.Notes), r.beside...), "\n")
		annotations[last] = note
	}
	input["answers"], _ = json.Marshal(answers) // only strings
	if len(annotations) > 0 {
		input["annotations"], _ = json.Marshal(annotations)
	}
	return input
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// claudeAnswers splits the answers, keyed by question text and written by claudeAnswer, for each question.
func claudeAnswers(questions []asked, answers map[string]string) (all [][]string) {
	for _, q := range questions {
		several := nonEmpty(answers[q.Question])
		if q.Multi && several != nil {
			several = q.chosen(several[0])
		}
		all = append(all, several)
	}
	return all
}

// chosen splits the answer to a question with several choices into labels and, after them, the user's own words. Anything else is
// the user's words.
func (q asked) chosen(text string) []string {
	parts := splitClaudeAnswer(text)
	for i, part := range parts {
		isLabel := slices.ContainsFunc(q.Options, func(o option) bool { return o.Label == part })
		if !isLabel && i < len(parts)-1 {
			return []string{text}
		}
	}
	if parts == nil {
		return []string{text}
	}
	return parts
}

// claudeAnswer returns an answer as Claude Code 2.1.330 writes it: several are joined; one that could be misread then is quoted as
// JSON.
func claudeAnswer(value any) string {
	several, ok := value.([]any)
	if !ok {
		text, _ := value.(string)
		return text
	}
	parts := make([]string, len(several))
	for i, each := range several {
		if parts[i], _ = each.(string); strings.Contains(parts[i], between) || strings.Contains(parts[i], `"`) {
			var quoted strings.Builder
			encoder := json.NewEncoder(&quoted)
			encoder.SetEscapeHTML(false)
			_ = encoder.Encode(parts[i]) // a string
			parts[i] = strings.TrimSuffix(quoted.String(), "\n")
		}
	}
	return strings.Join(parts, between)
}

// splitClaudeAnswer splits what claudeAnswer joined; nil if it is something else.
func splitClaudeAnswer(text string) (parts []string) {
	for {
		part, rest, more := strings.Cut(text, between)
		if strings.HasPrefix(text, `"`) {
			quoted := json.NewDecoder(strings.NewReader(text))
			if quoted.Decode(&part) != nil {
				return nil
			}
			if rest, more = strings.CutPrefix(text[quoted.InputOffset():], between); !more && rest != "" {
				return nil
			}
		} else if strings.Contains(part, `"`) {
			return nil
		}
		if parts = append(parts, part); !more {
			return parts
		}
		text = rest
	}
}
