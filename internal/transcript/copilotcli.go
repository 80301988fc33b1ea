package transcript

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"followup/internal/question"
)

// Sessions of Copilot CLI: session-state/SESSION/events.jsonl has lines {"type", "data", "id", "timestamp", "parentId"}. The data of
// session.start has context.cwd, that of tool.execution_start toolCallId, toolName and arguments, that of tool.execution_complete
// toolCallId, success, and result.content or error.message. Made after github/copilot-sdk's session-events.schema.json and the
// conversations in its test/snapshots/ask_user (0c6b6385, 0b864461).

// copilotEvents is the name of a session's file; the folder has the session's.
const copilotEvents = "events.jsonl"

// Types of Copilot CLI's events.
const (
	copilotStart    = "session.start"
	copilotCall     = "tool.execution_start"
	copilotComplete = "tool.execution_complete"
)

// eventData takes the data of an event.
func (f *file) eventData() error {
	r, b := &f.record, &f.block
	if r.kind != copilotStart && r.kind != copilotCall && r.kind != copilotComplete {
		return f.skip()
	}
	b.reset()
	if err := f.object(f.eventMember); err != nil {
		return err
	}
	if b.id == "" && r.kind != copilotStart {
		return nil // of another tool's log
	}
	r.source, r.live, f.known = CopilotCLI, true, true
	switch r.kind {
	case copilotCall:
		if n := natives[CopilotCLI][b.name]; n != nil {
			f.openNative(n, b.id, b.input.raw)
		}
	case copilotComplete:
		b.resultOf = b.id
		return f.gave()
	}
	return nil
}

func (f *file) eventMember(key []byte) error {
	b := &f.block
	switch string(key) {
	case "context":
		return f.object(func(key []byte) error {
			if string(key) == "cwd" {
				return f.text(&f.facts.workspace)
			}
			return f.skip()
		})
	case "toolCallId":
		return f.text(&b.id)
	case "toolName":
		return f.text(&b.name)
	case "arguments":
		return f.ofNative(CopilotCLI, &b.input)
	case "success":
		return f.value(func(raw []byte) { b.failed = string(raw) == "false" })
	case "result", "error":
		if b.id == "" && f.calls.len() > 0 || f.calls.open[f.key(b.id)] != nil {
			return f.object(func(key []byte) error {
				if name := string(key); name == "content" || name == "message" {
					return f.resultContent()
				}
				return f.skip()
			})
		}
	}
	return f.skip()
}

// Words of Copilot CLI's.
const (
	copilotSelected  = "User selected: "
	copilotResponded = "User responded: "
	copilotCancelled = "User cancelled the request"
)

// copilotQuestion is ask_user with a question and choices, which are texts. What a form's answer looks like in a log is not known: a call
// with a form is not read.
var copilotQuestion = &native{
	read: func(input []byte) (question.Call, []string, bool) {
		var from struct {
			Question string
			Choices  []string
		}
		_ = json.Unmarshal(input, &from)
		return followupCall(from.Question, from.Choices)
	},
	judge: func(_ *file, r *result, x *Exchange) bool {
		for _, before := range []string{copilotSelected, copilotResponded} {
			if words, ok := strings.CutPrefix(r.first(), before); ok && !r.failed {
				x.Outcome, x.AnswerText = question.Answered, words
				return true
			}
		}
		return x.dismissed(r.first(), copilotCancelled)
	},
}

// followupCall is a valid call of one question with suggestions; ok is false where nothing is asked.
func followupCall(text string, suggestions []string) (call question.Call, keys []string, ok bool) {
	asked := question.Followup{Question: strings.TrimSpace(text), Suggest: []question.Suggestion{}}
	for _, s := range suggestions {
		if len(asked.Suggest) < maxAnswers && strings.TrimSpace(s) != "" {
			asked.Suggest = append(asked.Suggest, question.Suggestion{Answer: s})
		}
	}
	call = question.Call{Tool: question.ToolFollowup, Followup: &asked, Repairs: []question.Code{}, Notices: question.Notices(asked.Suggest)}
	return call, nil, asked.Question != ""
}

// copilotSession is the session of a file of Copilot CLI's; "" for any other.
func copilotSession(real string) string {
	if filepath.Base(real) != copilotEvents {
		return ""
	}
	return filepath.Base(filepath.Dir(real))
}
