package dialect

import (
	"slices"
	"sync"

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
)

// Tags reads ask_followup_question calls that an assistant writes as tags in its text, in the spelling of Roo, Kilo Code
// and AI Cockpit (and Cline's options), and in those that models write as text without being told, as the text arrives.
type Tags struct{ message *tagMessage } // nil once it is complete

// tagMessage is the state of one message. It is the scanner's sink.
type tagMessage struct {
	options Options
	scanner toolcall.Scanner
	out     output

	inCall   bool
	opening  toolcall.Tag
	call     tagCall
	unclosed bool // it was hidden by what is never closed
}

var tagMessages = sync.Pool{New: func() any { return &tagMessage{} }}

// NewTags returns a reader of one message, which tells emit what it reads.
func NewTags(o Options, emit func(Event)) *Tags {
	m := tagMessages.Get().(*tagMessage)
	m.options, m.out.emit = o, emit
	m.options.Limits = o.Limits.WithDefaults()
	outer := defaultOuter
	if len(o.OpaqueTags) > 0 {
		outer = toolcall.NewNames(slices.Concat(outerNames, o.OpaqueTags)...)
	}
	m.scanner.Init(toolcall.Config{
		Call: tagAsk, Known: names, Params: paramNames, Outer: outer, Thinking: thinkingNames, Foreign: foreignNames, Spans: spans,
		Limit: m.options.Limits.Message,
	}, m)
	return &Tags{m}
}

// Append reads the next bytes of the message, which may be cut anywhere, within a character too.
func (t *Tags) Append(chunk []byte) {
	if t.message != nil {
		t.message.scanner.Append(chunk)
	}
}

// End tells that the message is complete: what waited for more is read as it is, and an open call is truncated. What comes
// after that is not read.
func (t *Tags) End() {
	if m := t.message; m != nil {
		t.message = nil
		m.scanner.End()
		m.scanner.Init(toolcall.Config{}, nil)
		m.options, m.out = Options{}, output{}
		m.call.begin(nil, nil, &toolcall.Tag{})
		tagMessages.Put(m)
	}
}

// Open reports whether a call is open: Opened was told, and Done was not.
func (t *Tags) Open() bool {
	return t.message != nil && t.message.inCall && t.message.call.draft.open
}

// Held returns how many bytes End may have to read.
func (t *Tags) Held() int {
	if t.message == nil {
		return 0
	}
	return t.message.scanner.Held()
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

func (t *tagMessage) Text(b []byte) {
	t.out.text.Text = string(b)
	t.out.emit(&t.out.text)
}

func (t *tagMessage) Hidden(by toolcall.Hider) {
	t.out.hidden.By = question.Hider(by)
	t.out.emit(&t.out.hidden)
}

func (t *tagMessage) Begin(tag *toolcall.Tag) {
	t.inCall, t.opening, t.unclosed = true, *tag, false
	t.call.begin(&t.options, &t.out, tag)
}

func (t *tagMessage) Unclosed() {
	t.unclosed, t.call.grows = true, false // what was taken for CDATA may have been shown
	t.call.codes.add(question.RepairUnclosedElement)
}

func (t *tagMessage) Fenced() { t.call.codes.add(question.RepairFencedCall) }

func (t *tagMessage) Tag(tag *toolcall.Tag, call string) { t.call.Tag(call, tag) }

func (t *tagMessage) Grew(call string, to int) { t.call.Grew(call, to) }

func (t *tagMessage) Finish(end toolcall.End, call string) {
	open := t.inCall
	t.inCall = false
	if end == toolcall.Mention {
		return
	}
	if !open { // the message is too large, and no call was open
		t.call.begin(&t.options, &t.out, &toolcall.Tag{})
	}
	read := reading{tool: question.ToolFollowup}
	var asked param
	switch end {
	case toolcall.Closed:
		t.call.finish(call, &t.opening)
		read, asked = t.call.reading()
		read.scanner = &t.scanner
		if t.unclosed {
			read.fault = &question.Detail{Reason: question.ReasonHidden}
		}
	case toolcall.Cut:
		read.err = &question.Error{Code: question.CodeTruncated}
	case toolcall.Overflow:
		read.err = &question.Error{Code: question.CodeTooLarge, Detail: question.Detail{Limit: t.options.Limits.Message}}
	}
	t.call.show(&read, asked)
}
