package transcript

import (
	"encoding/json"

	"followup/internal/question"
)

// Transcripts of Claude Code have beside a result what the interface knew of it: {"questions", "answers", "annotations"}, and
// "afkTimeoutMs" where nobody answered and it went on by itself.

// claudeKinds are lines of transcripts that do not name their session; one in which nothing was said has no others.
var claudeKinds = map[string]bool{
	"file-history-snapshot": true, "permission-mode": true, "queue-operation": true, "last-prompt": true, "worktree-state": true,
	"ai-title": true, "custom-title": true,
}

// away is what Claude Code tells an agent then.
var away = pattern(`^No response after \d+s`)

// afk reports whether what stands beside a result says so.
func afk(structured []byte) bool {
	var from struct{ AfkTimeoutMs float64 }
	return json.Unmarshal(structured, &from) == nil && from.AfkTimeoutMs > 0
}

// toolUseResult keeps what stands beside a result, as far as it can be that of a questionnaire.
func (f *file) toolUseResult() error {
	r := &f.record
	if f.calls.len() == 0 && len(r.results) == 0 && r.orphan == "" {
		return f.skip()
	}
	c := &r.structured
	c.reset()
	separator := "{"
	err := f.object(func(key []byte) error {
		switch string(key) {
		case "questions", "answers", "annotations", "afkTimeoutMs":
			c.add([]byte(separator + `"` + string(key) + `":`))
			separator = ","
			return f.raw(c)
		}
		return f.skip()
	})
	if err != nil || separator == "{" {
		c.reset()
		return err
	}
	c.add([]byte("}"))
	return nil
}

// tellOrphan tells of a result whose call is not in the log: what stands beside it says what was asked.
func (f *file) tellOrphan() error {
	r := &f.record
	if r.source != ClaudeCode || r.orphan == "" || len(r.results) > 0 || r.structured.over || f.calls.isOver(r.orphan) {
		return nil
	}
	var beside struct {
		Questions json.RawMessage `json:"questions"`
	}
	if err := json.Unmarshal(r.structured.raw, &beside); err != nil || beside.Questions == nil {
		return nil //nolint:nilerr // it is no result of a question
	}
	// What was read as JSON can be written as JSON.
	input, _ := json.Marshal(beside)
	c := &call{id: r.orphan, shared: true, tool: question.ToolAskUser, input: input}
	return f.answered(&result{call: c, structured: r.structured.raw}, r.at)
}
