package dialect

import (
	"runtime"
	"slices"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// defaultOpaque are the elements of other tools, of the agents that write tools as tags.
var defaultOpaque = []string{
	"execute_command", "read_file", "write_to_file", "apply_diff", "replace_in_file", "search_and_replace",
	"search_replace", "insert_content", "edit_file", "apply_patch", "search_files", "list_files",
	"list_code_definition_names", "codebase_search", "browser_action", "use_mcp_tool", "access_mcp_resource",
	"attempt_completion", "switch_mode", "new_task", "fetch_instructions", "update_todo_list", "run_slash_command",
	"generate_image", "plan_mode_respond", "web_fetch", "new_rule", "condense", "act_mode_respond", "report_bug",
	"summarize_task", "use_skill", "use_subagents", "generate_explanation", "load_mcp_documentation", "web_search", "focus_chain",
}

// thinking are the elements in which an assistant thinks or shows what a call looks like.
var thinking = []string{"thinking", "think", "thought", "reasoning", "seed:think", "pre", "code"}

// spans are what hides calls without being an element, and the form of Llama and Qwen.
var spans = []toolcall.Span{
	{Open: "<!--", Close: "-->"},
	{Open: "[THINK]", Close: "[/THINK]"},
	{Open: functionOf + question.ToolFollowup + ">", Close: functionEnd, Foreign: true},
	{Open: functionOf + question.ToolAskUser + ">", Close: functionEnd, Foreign: true},
}

var (
	outerNames    = append(slices.Concat(thinking, defaultOpaque, foreign), tagAsk)
	defaultOuter  = toolcall.NewNames(outerNames...)
	thinkingNames = toolcall.NewNames(thinking...)
	hiddenNames   = toolcall.NewNames(slices.Concat(tagNames, foreign)...)
)

// Tags reads ask_followup_question calls that an assistant writes as tags in its text, in the spelling of Roo, Kilo Code
// and AI Cockpit (and Cline's options), and in those that models write as text without being told, as the text arrives.
type Tags struct {
	message *tagMessage // nil once it is complete
	emit    func(Event)
	size    int  // bytes so far
	over    bool // they are over the limit
	cleanup runtime.Cleanup
}

// tagMessage reads a message. It is the scanner's sink.
type tagMessage struct {
	options Options
	feed    *toolcall.Feed
	scanner toolcall.Scanner
	out     output
	call    tagCall
}

// NewTags returns a reader of one message, which tells emit what it reads.
func NewTags(o Options, emit func(Event)) *Tags {
	m := &tagMessage{options: o, out: output{take: discard}}
	m.options.Limits = o.Limits.WithDefaults()
	m.feed = toolcall.NewFeed(m.scanner.Read)
	outer := defaultOuter
	if len(o.OpaqueTags) > 0 {
		outer = toolcall.NewNames(slices.Concat(outerNames, o.OpaqueTags)...)
	}
	m.scanner.Init(toolcall.Config{
		Call: tagAsk, Known: names, Outer: outer, Thinking: thinkingNames, Foreign: foreignNames,
		Hidden: hiddenNames, Spans: spans,
	}, m, m.feed)
	t := &Tags{message: m, emit: emit}
	t.cleanup = runtime.AddCleanup(t, (*toolcall.Feed).Stop, m.feed) // the parser does not hold t
	return t
}

// Append reads the next bytes of the message, which may be cut anywhere, within a character too.
func (t *Tags) Append(chunk []byte) {
	if t.message == nil || t.over {
		return
	}
	m := t.message
	room := m.options.Limits.Message - t.size
	t.over = len(chunk) > room
	chunk = chunk[:min(len(chunk), room)]
	t.size += len(chunk)
	m.out.take = t.emit
	if m.scanner.Append(chunk); t.over {
		m.scanner.Overflow()
		m.feed.End()
		if m.scanner.End != toolcall.Overflow { // or the open call has ended so
			d := draft{out: &m.out, tool: question.ToolFollowup}
			d.fail(question.CodeTooLarge, m.options.Limits.Message)
		}
	}
	m.out.flush()
	m.out.take = discard
}

// End ends the message: what waited for more is read as it is, an open call is truncated, and later pieces are ignored.
func (t *Tags) End() {
	m := t.message
	if t.message = nil; m == nil {
		return
	}
	if m.out.take = t.emit; !t.over {
		m.feed.End()
	}
	t.cleanup.Stop()
}

// Held returns how many bytes End may have to read.
func (t *Tags) Held() int {
	if t.message == nil || t.over {
		return 0
	}
	return t.message.feed.Len() - t.message.scanner.Passed()
}

// ReadTags returns the calls in a whole message.
func ReadTags(message string, o Options) []question.Call {
	var calls []question.Call
	t := NewTags(o, func(e Event) {
		if done, ok := e.(*Done); ok {
			calls = append(calls, done.Call)
		}
	})
	t.Append([]byte(message))
	t.End()
	return calls
}

func (m *tagMessage) Text(text string) { m.out.emit(&Text{text}) }

func (m *tagMessage) Hidden(by toolcall.Hider) { m.out.emit(&Hidden{question.Hider(by)}) }

func (m *tagMessage) Grew(to int) {
	if d := &m.call.draft; d.grows {
		d.show(m.scanner.Call(), to, false)
	}
}

func (m *tagMessage) Call(opening toolcall.Tag) { m.call.take(m, &opening) }
