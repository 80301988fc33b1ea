package transcript

import (
	"slices"
	"time"
)

// layout says where the lines of a tool's log have calls and their results, by the paths of members.
type layout struct {
	source    Source
	types     []string // what the member type of such a line can be; nil if any
	known     string   // a member that other lines of such a log have
	workspace string   // the folder in which the agent works
	items     string   // a list, or the only item
	item      item
}

// item says where an item has a call, or a result. It can have both.
type item struct {
	id, name, input string
	of              string   // the id of the call that a result is for
	contents        []string // of a result; the last that is there counts
}

// blockItem is a block of a message of Anthropic's Messages API.
var blockItem = item{"id", "name", "input", "tool_use_id", []string{"content"}}

const copilotStart = "session.start"

// layouts are those of tools whose lines differ in nothing else. Made after QwenLM/qwen-code 015346f1,
// packages/core/src/services/chatRecordingService.ts; openai/codex 45c52926, codex-rs/protocol/src/request_user_input.rs; and
// github/copilot-sdk's session-events.schema.json (0c6b6385).
var layouts = []layout{
	{
		source: Qwen, workspace: "cwd", items: "message.parts",
		item: item{"functionCall.id", "functionCall.name", "functionCall.args", "functionResponse.id", []string{"functionResponse.response"}},
	},
	{
		source: Codex, types: []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted"}, known: "record_type", // in 2025
		workspace: "payload.cwd", items: "payload", item: item{"call_id", "name", "arguments", "call_id", []string{"output"}},
	},
	{
		source: CopilotCLI, types: []string{copilotStart, "tool.execution_start", "tool.execution_complete"},
		workspace: "data.context.cwd", items: "data", item: item{"toolCallId", "toolName", "arguments", "toolCallId", []string{"result", "error"}},
	},
}

// read reads a line of a log of the layout, and reports whether it is one.
func (f layout) read(l *log, line value) (isMine bool) {
	l.known = l.known || line.get(f.known).exists()
	items, at := line.get(f.items), line.get("timestamp").time()
	if !items.exists() || f.types != nil && !slices.Contains(f.types, line.get("type").text()) {
		return false
	}
	l.source = f.source
	if folder := line.get(f.workspace).text(); folder != "" {
		l.workspace = folder
	}
	if !items.json.IsArray() {
		l.item(f.source, f.item, items, at, result{at: at})
		return true
	}
	for _, one := range items.each() {
		l.item(f.source, f.item, one, at, result{at: at})
	}
	return true
}

// item reads an item, with what is beside its result.
func (l *log) item(tool Source, in item, one value, asked time.Time, r result) {
	l.ask(tool, one.get(in.id).text(), one.get(in.name).text(), one.get(in.input), asked)
	r.failed = one.get("is_error").isTrue() || one.get("success").json.Raw == "false"
	for _, name := range in.contents {
		if content := one.get(name); content.exists() {
			r.content = content
		}
	}
	if r.content.exists() || in.of != in.id {
		l.answer(one.get(in.of).text(), r)
	}
}
