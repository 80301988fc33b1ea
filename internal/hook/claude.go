package hook

import (
	"encoding/json"
	"slices"
	"strings"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// Claude Code's hook events: https://code.claude.com/docs/en/hooks
const (
	// claudePermission opens the terminal's own dialog at the same time, and the first answer wins.
	claudePermission = "PermissionRequest"
	// claudeBefore makes the terminal wait for the hook.
	claudeBefore = "PreToolUse"
)

// readClaude parses Claude Code's message to a hook.
func readClaude(from hookInput, _ locale.Tag) (*Call, error) {
	if from.Tool != question.ToolAskUser || from.Event != claudePermission && from.Event != claudeBefore {
		return nil, nil
	}
	c := from.call()
	c.tool, c.input, c.beside, c.context = question.ToolAskUser, distinct(from.Input), from.Event == claudePermission, claudeContext(from.Log)
	if c.beside {
		c.log = followQuestions(from.Log, c.questions())
	}
	return c, nil
}

// claudeDecision is a hook's decision for Claude Code.
type claudeDecision struct {
	Behavior     string                     `json:"behavior"`
	UpdatedInput map[string]json.RawMessage `json:"updatedInput,omitzero"`
	// UpdatedPermissions are the suggestions of the request that the user accepted.
	UpdatedPermissions json.RawMessage `json:"updatedPermissions,omitempty"`
	Message            string          `json:"message,omitempty"`
}

// answerClaude returns the tool's input with the answers, like the tool's own dialog. Other outcomes become the reason for a denial.
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

// claudeAnnotation has the preview and the note of an answer.
type claudeAnnotation struct {
	Preview string `json:"preview,omitempty"`
	Notes   string `json:"notes,omitempty"`
}

// claudeInput returns the tool's input with the user's answers; nil if there are none.
func claudeInput(c *Call, r reply) map[string]json.RawMessage {
	var input map[string]json.RawMessage
	own, err := dialect.ReadAsked(c.given)
	if r.Outcome != protocol.OutcomeAnswered || r.Structured == nil || json.Unmarshal(c.given, &input) != nil ||
		err != nil || len(own) != len(r.Structured.Questions) {
		return nil
	}
	answers, annotations := map[string]string{}, map[string]claudeAnnotation{}
	last := ""
	for i, q := range r.Structured.Questions {
		name := own[i].Question // exactly as the tool wrote it
		if answer, ok := r.Structured.Answers[q.Question]; ok {
			answers[name], last = strings.Join(append(nonEmpty(answers[name]), claudeAnswer(answer)), ", "), name
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

// claudeAnswers splits the answers for each question. They are keyed by question text, and claudeAnswer has joined them. Text
// that does not match a label is the user's words.
func claudeAnswers(questions []dialect.Asked, answers map[string]string) (all [][]string) {
	for _, q := range questions {
		several := nonEmpty(answers[q.Question])
		if q.Multi && several != nil {
			isLabel := func(text string) bool {
				return slices.ContainsFunc(q.Options, func(o dialect.AskedOption) bool { return o.Label == text })
			}
			if chosen := dialect.SplitChosen(several[0], isLabel); chosen != nil {
				several = chosen
			}
		}
		all = append(all, several)
	}
	return all
}

// claudeAnswer returns an answer as Claude Code writes it.
func claudeAnswer(value any) string {
	several, ok := value.([]any)
	if !ok {
		text, _ := value.(string)
		return text
	}
	parts := make([]string, len(several))
	for i, each := range several {
		parts[i], _ = each.(string)
	}
	return dialect.JoinAnswers(parts)
}
