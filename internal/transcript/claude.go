package transcript

import (
	"encoding/json"
	"time"

	"followup/internal/question"
)

// claudeKinds are the types of lines that do not name their session. A transcript in which nothing was said has no others.
var claudeKinds = map[string]bool{
	"file-history-snapshot": true, "permission-mode": true, "queue-operation": true, "last-prompt": true, "worktree-state": true,
	"ai-title": true, "custom-title": true,
}

// claudeLine reads a line of a transcript of Claude Code. Beside a result it has what the interface knew of it: {"questions", "answers",
// "annotations"}.
func (l *log) claudeLine(raw []byte) (isMine bool) {
	var line struct {
		Type, Cwd                          string
		SessionID, LeafUUID, ToolUseResult json.RawMessage
		Timestamp                          stamp
		Message                            struct{ Content json.RawMessage }
	}
	decodeInto(raw, &line)
	l.known = l.known || line.LeafUUID != nil || line.SessionID != nil && line.Type != "" || claudeKinds[line.Type]
	if line.Message.Content == nil {
		return false
	}
	l.source, l.workspace = ClaudeCode, line.Cwd
	r := result{at: line.Timestamp.Time}
	if len(line.ToolUseResult) <= l.limit {
		r.structured = line.ToolUseResult
	}
	if unknown := l.blocks(ClaudeCode, blocks(line.Message.Content), line.Timestamp.Time, r); unknown != "" {
		l.orphan(unknown, &r)
	}
	return true
}

// block is a piece of a message of Anthropic's Messages API.
type block struct {
	Type, ID, Name, Text string
	Input, Content       json.RawMessage
	ToolUseID            string `json:"tool_use_id"`
	IsError              bool   `json:"is_error"`
}

// blocks returns the content of a message: a text, or a list of blocks.
func blocks(content json.RawMessage) (all []block) {
	if text := decode(content); text != "" {
		return []block{{Type: "text", Text: text}}
	}
	decodeInto(content, &all)
	return all
}

// blocks reads the calls and the results of a message. What is beside the results is added if only one is the result of an open call.
// It returns the id of the last result if none is.
func (l *log) blocks(tool Source, all []block, asked time.Time, beside result) (unknown string) {
	open := 0
	for _, b := range all {
		if b.Type == "tool_result" {
			if unknown = b.ToolUseID; l.isOpen(b.ToolUseID) {
				open++
			}
		}
	}
	if open > 1 {
		beside.structured = nil
	}
	for _, b := range all {
		switch r := beside; b.Type {
		case "tool_use":
			l.ask(tool, b.ID, b.Name, b.Input, asked)
		case "tool_result":
			r.content, r.failed = b.Content, b.IsError
			l.answer(b.ToolUseID, r)
		}
	}
	if open > 0 {
		return ""
	}
	return unknown
}

// away matches the result that Claude Code gives an agent if nobody answered and it continued by itself.
var away = pattern(`^No response after \d+s`)

// orphan emits a result whose call is not in the log: the structure beside it has the questions.
func (l *log) orphan(id string, r *result) {
	var beside struct {
		Questions json.RawMessage `json:"questions"`
	}
	if json.Unmarshal(r.structured, &beside) != nil || beside.Questions == nil || !question.IsUniqueCall(id) || l.calls.isOver(id) {
		return
	}
	if input, err := json.Marshal(beside); err == nil && l.ask(ClaudeCode, id, question.ToolAskUser, input, time.Time{}) {
		l.answered(l.calls.take(l.key(id)), r)
	}
}
