package transcript

import "strings"

const (
	copilotEvents = "events.jsonl" // the name of a session's file; the folder has the session's
	copilotStart  = "session.start"
)

// copilotEvent reads an event of a session of Copilot CLI. Made after github/copilot-sdk's session-events.schema.json and the conversations in
// its test/snapshots/ask_user (0c6b6385, 0b864461).
func (l *log) copilotEvent(event value) (isMine bool) {
	d, at := event.get("data"), event.get("timestamp").time()
	id := d.get("toolCallId").text()
	switch kind := event.get("type").text(); {
	case kind == copilotStart:
		l.workspace = d.get("context.cwd").text()
	case kind == "tool.execution_start" && id != "":
		l.ask(CopilotCLI, id, d.get("toolName").text(), d.get("arguments"), at)
	case kind == "tool.execution_complete" && id != "":
		r := result{content: d.get("result"), at: at, failed: d.get("success").json.Raw == "false"}
		if e := d.get("error"); e.exists() {
			r.content = e
		}
		l.answer(id, r)
	default:
		return false // of another tool's log
	}
	l.source = CopilotCLI
	return true
}

// copilotAnswer is the judge of ask_user with a question and choices, which are texts. What a form's answer looks like in a log is not known:
// a call with a form is not read.
func copilotAnswer(c *call, r *result) bool {
	for _, before := range []string{"User selected: ", "User responded: "} {
		if words, ok := strings.CutPrefix(r.first(), before); ok && !r.failed {
			return c.answer(words)
		}
	}
	return strings.Contains(r.first(), "User cancelled the request") && c.dismiss()
}
