package transcript

import (
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
func (l *log) claudeLine(line value) (isMine bool) {
	kind, content := line.get("type").text(), line.get("message.content")
	l.known = l.known || line.get("leafUuid").exists() || line.get("sessionId").exists() && kind != "" || claudeKinds[kind]
	if !content.exists() {
		return false
	}
	l.source, l.workspace = ClaudeCode, line.get("cwd").text()
	r := result{at: line.get("timestamp").time()}
	if beside := line.get("toolUseResult"); len(beside.json.Raw) <= l.limit {
		r.beside = beside
	}
	if unknown := l.blocks(ClaudeCode, content, r.at, r); unknown != "" {
		l.orphan(unknown, &r)
	}
	return true
}

// blocks reads the calls and the results of a message of Anthropic's Messages API. What is beside the results is added if only one is the
// result of an open call. It returns the id of the last result if none is.
func (l *log) blocks(tool Source, content value, asked time.Time, beside result) (unknown string) {
	open := 0
	for _, b := range content.each() {
		if id := b.get("tool_use_id").text(); id != "" {
			if unknown = id; l.isOpen(id) {
				open++
			}
		}
	}
	if open > 1 {
		beside.beside = value{}
	}
	for _, b := range content.each() {
		l.item(tool, blockItem, b, asked, beside)
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
	questions := r.beside.get("questions")
	if !questions.exists() || !question.IsUniqueCall(id) || l.calls.isOver(id) {
		return
	}
	if input := parse(`{"questions":` + questions.json.Raw + `}`); l.ask(ClaudeCode, id, question.ToolAskUser, input, time.Time{}) {
		l.answered(l.calls.take(l.key(id)), r)
	}
}
