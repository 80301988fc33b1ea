package transcript

import (
	"encoding/json"

	"followup/internal/question"
)

// claudeLine is a line of a transcript of Claude Code: {"type", "timestamp", "sessionId", "cwd", "message", "toolUseResult"}. Beside a
// result it has what the interface knew of it: {"questions", "answers", "annotations"}, and "afkTimeoutMs" where nobody answered and the
// tool continued by itself.
type claudeLine struct {
	structured capture
	orphan     string // the id of a result whose call is not known
}

// claudeKinds are lines of transcripts that do not name their session. A transcript in which nothing was said has no others.
var claudeKinds = map[string]bool{
	"file-history-snapshot": true, "permission-mode": true, "queue-operation": true, "last-prompt": true, "worktree-state": true,
	"ai-title": true, "custom-title": true,
}

// claudeMembers are those of a line. Qwen Code's have parts in their message.
func (f *file) claudeMembers() members {
	return members{
		"message":       f.object(members{"content": f.from(ClaudeCode, f.content), "parts": f.from(Qwen, f.qwenParts())}),
		"toolUseResult": f.when(func() bool { return len(f.calls.open)+len(f.record.results) > 0 || f.record.claude.orphan != "" }, f.toolUseResult),
		"leafUuid":      f.flag(&f.known),
	}
}

// Roles of messages.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// contentOfMessage takes the content of a message as Anthropic's Messages API has it: a text, or a list of blocks, which are text, image,
// tool_use with id, name and input, or tool_result with tool_use_id, content and is_error. It skips a block as soon as it is known that
// it cannot belong to a question.
func (f *file) contentOfMessage() take {
	b := &f.block
	blocks := f.list(f.piece(ClaudeCode, members{
		"type": f.set(&b.kind), "id": f.set(&b.id), "name": f.set(&b.name), "input": f.input, "tool_use_id": f.set(&b.id), "content": f.result,
		"is_error": f.set(&b.failed), "text": f.when(f.wantsText, f.raw(&b.text)),
	}, func() error {
		switch b.kind {
		case "tool_use":
			f.open()
		case "tool_result":
			return f.close()
		case "text":
			return f.said()
		case "image":
			f.record.images++
		}
		return nil
	}))
	return func() error {
		if c, err := f.peek(); err != nil || c != '"' {
			return blocks()
		}
		if !f.wantsText() {
			return f.skip()
		}
		f.block.reset(ClaudeCode)
		if err := f.keep(&b.text); err != nil {
			return err
		}
		return f.said()
	}
}

// away matches the result that Claude Code gives an agent if nobody answered.
var away = pattern(`^No response after \d+s`)

// afk reports whether the structure beside a result says that nobody answered.
func afk(structured []byte) bool {
	var from struct{ AfkTimeoutMs float64 }
	return json.Unmarshal(structured, &from) == nil && from.AfkTimeoutMs > 0
}

// toolUseResult keeps the members that a questionnaire has.
func (f *file) toolUseResult() error {
	c := &f.record.claude.structured
	c.reset()
	separator := "{"
	err := f.each(func(key []byte) error {
		switch string(key) {
		case "questions", "answers", "annotations", "afkTimeoutMs":
			c.add([]byte(separator + `"` + string(key) + `":`))
			separator = ","
			return f.keep(c)
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

// orphan emits a result whose call is not in the log: the structure beside it has the questions.
func (f *file) orphan() error {
	r, l := &f.record, &f.record.claude
	if r.source != ClaudeCode || !question.IsUniqueCall(l.orphan) || len(r.results) > 0 || l.structured.over || f.calls.isOver(l.orphan) {
		return nil
	}
	var beside struct {
		Questions json.RawMessage `json:"questions"`
	}
	if err := json.Unmarshal(l.structured.raw, &beside); err != nil || beside.Questions == nil {
		return nil //nolint:nilerr // it is not the result of a question
	}
	input, _ := json.Marshal(beside) // of valid JSON, it cannot fail
	c := &call{id: l.orphan, shared: true, tool: question.ToolAskUser, input: input}
	return f.answered(&result{call: c, structured: l.structured.raw}, r.at)
}
