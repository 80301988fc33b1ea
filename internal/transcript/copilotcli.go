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

func (f *file) copilotMembers() members {
	r, b := &f.record, &f.block
	event := f.piece(CopilotCLI, members{
		"toolCallId": f.set(&b.id), "toolName": f.set(&b.name), "arguments": f.input, "result": f.result, "error": f.result,
		"success": f.value(func(raw []byte) { b.failed = string(raw) == "false" }),
		"context": f.object(members{"cwd": f.set(&f.workspace)}),
	}, func() error {
		if b.id == "" && r.kind != copilotStart {
			return nil // of another tool's log
		}
		return f.from(CopilotCLI, f.callOrResult)()
	})
	return members{
		"data": f.when(func() bool { return r.kind == copilotStart || r.kind == copilotCall || r.kind == copilotComplete }, event),
	}
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
		return followupCall(from.Question, from.Choices...)
	},
	judge: func(r *result, x *Exchange) bool {
		for _, before := range []string{copilotSelected, copilotResponded} {
			if words, ok := strings.CutPrefix(r.first(), before); ok && !r.failed {
				return x.answer(words)
			}
		}
		return x.dismissed(r.first(), copilotCancelled)
	},
}

// copilotSession is the session of a file of Copilot CLI's; "" for any other.
func copilotSession(real string) string {
	if filepath.Base(real) != copilotEvents {
		return ""
	}
	return filepath.Base(filepath.Dir(real))
}
