package transcript

import (
	"cmp"
	"math"
	"slices"
	"time"

	"followup/internal/question"
)

// layout locates calls and their results in the documents of a tool's log, by the paths of members.
type layout struct {
	source    Source
	is        func(document value) bool // reports whether the document shows that the log is the tool's
	known     func(document value) bool // if not nil, reports whether such logs also have documents like this one
	lines     []string                  // in a document: the paths of lists of lines, or of a single line
	time      string                    // in a line
	workspace string                    // the folder in which the agent works
	beside    string                    // in a line: what the tool recorded beside a single result
	items     string                    // in a line: a list of items, or a single one
	item      item
}

// item locates the call or the result in an item, which can have both.
type item struct {
	id, name, input string
	of              string   // the id of the call that a result is for
	contents        []string // of a result: the last one that exists counts
	status, at      string   // of a result, if the item has them
	beside          string
}

// self is the path of a document, or a line, relative to itself.
const self = "@this"

// blockItem is a block of a message of Anthropic's Messages API.
var blockItem = item{id: "id", name: "name", input: "input", of: "tool_use_id", contents: []string{"content"}}

// readers has a reader for each tool; a layout is enough for most. Claude Code writes {"questions", "answers",
// "annotations"} next to a result. Gemini CLI writes a message's line again when the message changes; older versions write
// one object with all messages. Based on google-gemini/gemini-cli 5411f113,
// packages/core/src/services/chatRecordingService.ts, chatRecordingTypes.ts and tools/ask-user.ts; cline/cline 21cb8d25,
// sdk/packages/core/docs/messages-contract-v1.md and src/extensions/tools/definitions.ts; QwenLM/qwen-code 015346f1,
// packages/core/src/services/chatRecordingService.ts; openai/codex 45c52926, codex-rs/protocol/src/request_user_input.rs;
// MoonshotAI/kimi-code d723cc47, packages/agent-core-v2/src/agent/contextMemory/loopEventFold.ts; and github/copilot-sdk's
// session-events.schema.json (0c6b6385).
var readers = []reads{
	(*log).viewerRequest, (*log).taskMessage, (*log).vscodeChat,
	layout{
		source: ClaudeCode, is: isClaudeMessage, known: isClaudeLine,
		lines: []string{self}, time: "timestamp", workspace: "cwd", beside: "toolUseResult", items: "message.content", item: blockItem,
	}.read,
	layout{
		source: Gemini, is: isGeminiChat, lines: []string{self, "messages", "$set.messages"}, time: "timestamp", items: "toolCalls",
		item: item{id: "id", name: "name", input: "args", of: "id", contents: []string{"result"}, status: "status", at: "timestamp"},
	}.read,
	layout{
		source: Cline, is: has("sessionId", "messages"), lines: []string{"messages"}, time: "ts", items: "content", item: blockItem,
	}.read,
	layout{
		source: Qwen, is: has("message.parts"), lines: []string{self}, time: "timestamp", workspace: "cwd", items: "message.parts",
		item: item{
			id: "functionCall.id", name: "functionCall.name", input: "functionCall.args",
			of: "functionResponse.id", contents: []string{"functionResponse.response"},
		},
	}.read,
	layout{
		source: Codex, is: typed("payload", "session_meta", "response_item", "event_msg", "turn_context", "compacted"),
		known: has("record_type"), // in 2025
		lines: []string{self}, time: "timestamp", workspace: "payload.cwd", items: "payload",
		item: item{id: "call_id", name: "name", input: "arguments", of: "call_id", contents: []string{"output"}},
	}.read,
	layout{
		source: CopilotCLI, is: typed("data", "session.start", "tool.execution_start", "tool.execution_complete"),
		lines: []string{self}, time: "timestamp", workspace: "data.context.cwd", items: "data",
		item: item{id: "toolCallId", name: "toolName", input: "arguments", of: "toolCallId", contents: []string{"result", "error"}},
	}.read,
	layout{
		source: Kimi, is: typed("time", "context.append_loop_event", "config.update"), known: has("protocol_version", "created_at"),
		lines: []string{self}, time: "time", workspace: "cwd", items: "event",
		item: item{id: "toolCallId", name: "name", input: "args", of: "toolCallId", contents: []string{"result"}},
	}.read,
}

// has returns a function that reports whether a document has all members.
func has(members ...string) func(value) bool {
	return func(document value) bool {
		return !slices.ContainsFunc(members, func(name string) bool { return !document.get(name).exists() })
	}
}

// typed returns a function that reports whether a document has a member, and one of the types.
func typed(member string, types ...string) func(value) bool {
	return func(document value) bool {
		return document.get(member).exists() && slices.Contains(types, document.get("type").text())
	}
}

// isClaudeMessage reports whether a line is a message of Claude Code, or has the answers to its questions.
func isClaudeMessage(line value) bool {
	return line.get("message.content").exists() || line.get("toolUseResult.questions").exists()
}

// isClaudeLine reports whether a line is Claude Code's. Some types of lines do not name their session, and a transcript
// without messages consists of such lines only.
func isClaudeLine(line value) bool {
	kind := line.get("type").text()
	return line.get("leafUuid").exists() || line.get("sessionId").exists() && kind != "" || slices.Contains([]string{
		"file-history-snapshot", "permission-mode", "queue-operation", "last-prompt", "worktree-state", "ai-title", "custom-title",
	}, kind)
}

// isGeminiChat reports whether a document is a chat of Gemini CLI, its first line, or messages with a question.
func isGeminiChat(document value) bool {
	const asks = `toolCalls.#(name=="ask_user")`
	return has("sessionId", "projectHash")(document) || has(asks)(document) ||
		has("messages.#("+asks+")")(document) || has("$set.messages.#("+asks+")")(document)
}

// read reads a document, and reports whether it has the layout.
func (f layout) read(l *log, document value) (isMine bool) {
	l.known = l.known || f.known != nil && f.known(document)
	if !f.is(document) {
		return false
	}
	l.source = cmp.Or(l.source, f.source)
	for _, lines := range f.lines {
		for line := range document.get(lines).list(math.MaxInt) {
			l.workspace = cmp.Or(line.get(f.workspace).text(), l.workspace)
			at := line.get(f.time).time()
			l.items(f.source, f.item, line.get(f.items), at, result{at: at, beside: line.get(f.beside)})
		}
	}
	return true
}

// items reads a list of items, or a single one. If exactly one is the result of an open call, r.beside belongs to it. If
// none is, r.beside may have the questions of a call that the log does not contain.
func (l *log) items(tool Source, in item, items value, asked time.Time, r result) {
	unknown, open := "", 0
	for one := range items.list(math.MaxInt) {
		id := one.get(in.of).text()
		if unknown = cmp.Or(id, unknown); l.isOpen(id) {
			open++
		}
	}
	if open > 1 || len(r.beside.json.Raw) > l.limit {
		r.beside = value{}
	}
	for one := range items.list(math.MaxInt) {
		l.item(tool, in, one, asked, r)
	}
	if questions := r.beside.get("questions"); open == 0 && questions.exists() && (unknown == "" || question.IsUniqueCall(unknown)) {
		unknown = cmp.Or(unknown, "at "+r.at.String())
		l.ask(tool, unknown, question.ToolAskUser, parse(`{"questions":`+questions.json.Raw+`}`), time.Time{})
		l.answer(unknown, r)
	}
}

// ended lists the states of completed calls.
var ended = []string{"success", "completed", "error", "cancelled"}

// item reads the call or the result in an item. r has the other parts of the result.
func (l *log) item(tool Source, in item, one value, asked time.Time, r result) {
	l.ask(tool, one.get(in.id).text(), one.get(in.name).text(), one.get(in.input), asked)
	r.failed = one.get("is_error").isTrue() || one.get("success").json.Raw == "false"
	for _, name := range in.contents {
		if content := one.get(name); content.exists() {
			r.content = content
		}
	}
	r.at = cmp.Or(one.get(in.at).time(), r.at)
	if in.beside != "" {
		r.beside = one.get(in.beside)
	}
	r.status = one.get(in.status).text()
	if in.status == "" && (r.content.exists() || in.of != in.id) || slices.Contains(ended, r.status) {
		l.answer(one.get(in.of).text(), r)
	}
}
