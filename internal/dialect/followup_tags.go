package dialect

import (
	"slices"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// defaultOpaque lists the elements of other tools, used by agents that write tool calls as tags.
var defaultOpaque = []string{
	"execute_command", "read_file", "write_to_file", "apply_diff", "replace_in_file", "search_and_replace",
	"search_replace", "insert_content", "edit_file", "apply_patch", "search_files", "list_files",
	"list_code_definition_names", "codebase_search", "browser_action", "use_mcp_tool", "access_mcp_resource",
	"attempt_completion", "switch_mode", "new_task", "fetch_instructions", "update_todo_list", "run_slash_command",
	"generate_image", "plan_mode_respond", "web_fetch", "new_rule", "condense", "act_mode_respond", "report_bug",
	"summarize_task", "use_skill", "use_subagents", "generate_explanation", "load_mcp_documentation", "web_search", "focus_chain",
}

// thinkingTags are elements in which a model thinks or quotes a call.
var thinkingTags = []string{"thinking", "think", "thought", "reasoning", "seed:think", "pre", "code"}

// hiddenSpans are delimiters that hide calls, and those of calls in other formats.
var hiddenSpans = append([]toolcall.Span{
	{Open: "<!--", Close: "-->"},
	{Open: "[THINK]", Close: "[/THINK]"},
	{Open: "<|channel|>analysis<|message|>", Close: "<|end|>"},
}, foreignSpans()...)

func foreignSpans() (all []toolcall.Span) {
	for _, f := range wordForms {
		all = append(all, toolcall.Span{Open: f.open, Foreign: true})
	}
	return all
}

var (
	outerNames    = append(slices.Concat(thinkingTags, defaultOpaque, foreignTags), tagAsk)
	defaultOuter  = toolcall.NewNames(outerNames...)
	thinkingNames = toolcall.NewNames(thinkingTags...)
)

// Tags reads ask_followup_question calls in the text of an assistant's message, as the text arrives. It reads the
// tags of Roo, Kilo Code and AI Cockpit (and Cline's options), and the forms in foreign.go.
type Tags struct {
	message *tagMessage // nil after End
}

// tagMessage reads one message. It is the scanner's sink.
type tagMessage struct {
	options Options
	scanner *toolcall.Scanner
	out     output
	call    tagCall
	size    int  // bytes received
	over    bool // the message exceeds its limit
}

// NewTags returns a reader of one message that calls emit with each event.
func NewTags(o Options, emit func(Event)) *Tags {
	m := &tagMessage{options: o, out: output{send: emit}}
	m.options.Limits = o.Limits.WithDefaults()
	outer := defaultOuter
	if len(o.OpaqueTags) > 0 {
		outer = toolcall.NewNames(slices.Concat(outerNames, o.OpaqueTags)...)
	}
	m.scanner = toolcall.NewScanner(toolcall.Config{
		Call: tagAsk, Known: names, Outer: outer, Thinking: thinkingNames, Foreign: foreignNames,
		Spans: hiddenSpans, Ends: endWords, Opens: opens, Shown: shown,
	}, m)
	return &Tags{m}
}

// Append reads the next bytes of the message. Chunks may end anywhere, even inside a character.
func (t *Tags) Append(chunk []byte) {
	m := t.message
	if m == nil || m.over {
		return
	}
	room := m.options.Limits.Message - m.size
	m.over = len(chunk) > room
	chunk = chunk[:min(len(chunk), room)]
	m.size += len(chunk)
	if m.scanner.Append(chunk); m.over {
		m.scanner.Finish(true)
		d := &m.call.draft.draft
		if !d.open {
			d = &draft{out: &m.out, tool: question.ToolFollowup}
		}
		d.fail(question.CodeTooLarge, m.options.Limits.Message)
	}
	m.out.flush()
}

// End ends the message. Pending text is read as it stands, an open call is truncated, and later chunks are ignored.
func (t *Tags) End() {
	m := t.message
	if t.message = nil; m != nil && !m.over {
		m.scanner.Finish(false)
	}
}

// Held returns how many buffered bytes End may have to read.
func (t *Tags) Held() int {
	if t.message == nil || t.message.over {
		return 0
	}
	return t.message.scanner.Held()
}

func (m *tagMessage) Text(text string) { m.out.emit(&Text{text}) }

func (m *tagMessage) Hidden(by toolcall.Hider) { m.out.emit(&Hidden{question.Hider(by)}) }

func (m *tagMessage) Grew(to int) {
	if d := &m.call.draft; d.grows {
		d.show(m.scanner.Call(), to, false)
	}
}

func (m *tagMessage) Tag(tag toolcall.Tag) {
	if tag.Start == 0 {
		m.call.begin(m, &tag)
	} else {
		m.call.tag(&tag)
	}
}

func (m *tagMessage) CallEnded(cut bool) {
	if !cut {
		m.call.ended()
	} else if !m.over { // else Append reports the message
		m.call.draft.fail(question.CodeTruncated, 0)
	}
}
