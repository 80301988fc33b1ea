package transcript

import (
	"encoding/json"
	"strings"
)

const (
	copilotEvents = "events.jsonl" // the name of a session's file; the folder has the session's
	copilotStart  = "session.start"
)

// copilotEvent reads an event of a session of Copilot CLI. Made after github/copilot-sdk's session-events.schema.json and the conversations in
// its test/snapshots/ask_user (0c6b6385, 0b864461).
func (l *log) copilotEvent(raw []byte) (isMine bool) {
	var event struct {
		Type      string
		Timestamp stamp
		Data      struct {
			ToolCallID, ToolName     string
			Arguments, Result, Error json.RawMessage
			Success                  *bool
			Context                  struct{ Cwd string }
		}
	}
	decodeInto(raw, &event)
	d := event.Data
	switch {
	case event.Type == copilotStart:
		l.workspace = d.Context.Cwd
	case event.Type != "tool.execution_start" && event.Type != "tool.execution_complete" || d.ToolCallID == "":
		return false // of another tool's log
	}
	l.source = CopilotCLI
	l.ask(CopilotCLI, d.ToolCallID, d.ToolName, d.Arguments, event.Timestamp.Time)
	if d.Error != nil {
		d.Result = d.Error
	}
	if d.Result != nil {
		l.answer(d.ToolCallID, result{content: d.Result, at: event.Timestamp.Time, failed: d.Success != nil && !*d.Success})
	}
	return true
}

// copilotQuestion is ask_user with a question and choices, which are texts. What a form's answer looks like in a log is not known: a call
// with a form is not read.
var copilotQuestion = &native{
	read: oneQuestion,
	judge: func(c *call, r *result) bool {
		for _, before := range []string{"User selected: ", "User responded: "} {
			if words, ok := strings.CutPrefix(r.first(), before); ok && !r.failed {
				return c.answer(words)
			}
		}
		return c.dismissed(r.first(), "User cancelled the request")
	},
}
