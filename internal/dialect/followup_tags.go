package dialect

import (
	"slices"
	"strings"
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

// thinking are the elements in which an assistant thinks.
var thinking = []string{"thinking", "think", "thought", "reasoning"}

var (
	outerNames    = append(slices.Concat(thinking, defaultOpaque), tagAsk)
	defaultOuter  = toolcall.NewNames(outerNames...)
	thinkingNames = toolcall.NewNames(thinking...)
)

// Tags reads ask_followup_question calls that an assistant writes as tags in its text, in the spelling of Roo, Kilo Code
// and AI Cockpit (and Cline's options), as the text arrives.
type Tags struct {
	m *tagMessage // nil once the message is complete
}

// tagMessage is what is known of one message.
type tagMessage struct {
	options Options
	scanner toolcall.Scanner
	out     output
	text    strings.Builder
	taken   int // of text

	inCall   bool
	opening  toolcall.Tag
	tags     []toolcall.Tag // of the call, behind its opening one
	codes    codes          // of what stands around it
	unclosed bool           // it was hidden by what is never closed
	room     int            // how many bytes of the question may come by the short way, by every limit
	preview  preview
}

// tagMessages are those that are complete, to be used again: a message of 2 KB is read at half the speed of keeping it only
// because no room has to be made for one of these, which is larger. All but the room for tags is zero in them, and what events
// hold is no part of them.
var tagMessages = sync.Pool{New: func() any { return &tagMessage{tags: make([]toolcall.Tag, 0, 16)} }}

// NewTags returns a reader of one message.
func NewTags(o Options) *Tags {
	t := tagMessages.Get().(*tagMessage)
	t.options = o
	t.options.Limits = o.Limits.WithDefaults()
	outer := defaultOuter
	if len(o.OpaqueTags) > 0 {
		outer = toolcall.NewNames(slices.Concat(outerNames, o.OpaqueTags)...)
	}
	t.scanner.Init(toolcall.Config{
		Call: tagAsk, Known: names, Params: paramNames, Outer: outer, Thinking: thinkingNames, Limit: t.options.Limits.Message,
	}, (*tagSink)(t))
	return &Tags{t}
}

// Append reads the next bytes of the message, which may be cut anywhere, within a character too.
func (t *Tags) Append(chunk []byte, emit func(Event)) {
	if t.m != nil {
		t.m.append(chunk, emit)
	}
}

// End tells that the message is complete: what waited for more is read as it is, and an open call is truncated. What comes
// after that is not read.
func (t *Tags) End(emit func(Event)) {
	if m := t.m; m != nil {
		m.out.emit = emit
		m.scanner.End()
		m.flush()
		t.m = nil
		tags := m.tags[:0]
		*m = tagMessage{} // one assignment with the tags would make a copy first
		m.tags = tags
		tagMessages.Put(m)
	}
}

// Open reports whether a call is open: Opened was told, and Done was not.
func (t *Tags) Open() bool { return t.m != nil && t.m.inCall && t.m.preview.draft.open }

func (t *tagMessage) append(chunk []byte, emit func(Event)) {
	if 0 < len(chunk) && len(chunk) <= t.room && toolcall.PlainText(chunk) {
		t.room -= len(chunk)
		t.preview.more(t.scanner.Keep(chunk), len(chunk), emit)
		return
	}
	t.out.emit = emit
	t.scanner.Append(chunk)
	t.flush()
	if t.room = 0; t.inCall {
		t.room = min(t.scanner.Room(), t.preview.room(len(t.scanner.Call())))
	}
}

// flush tells text that was not told.
func (t *tagMessage) flush() {
	if t.text.Len() > t.taken {
		t.out.text.Text = t.text.String()[t.taken:]
		t.taken = t.text.Len()
		t.out.emit(&t.out.text)
	}
}

// Text is kept in blocks, of which events get parts, so that telling it costs an allocation only for each block.
const (
	minBlock = 1 << 10
	maxBlock = 64 << 10
)

// tagSink is what the scanner tells a tagMessage.
type tagSink tagMessage

func (s *tagSink) Text(b []byte) {
	t := (*tagMessage)(s)
	if t.text.Len()+len(b) > t.text.Cap() {
		t.flush()
		size := max(min(2*t.text.Cap(), maxBlock), minBlock, len(b))
		t.text.Reset()
		t.text.Grow(size)
		t.taken = 0
	}
	t.text.Write(b)
}

func (s *tagSink) Hidden(by toolcall.Hider) {
	s.out.hidden.By = question.Hider(by)
	s.out.emit(&s.out.hidden)
}

func (s *tagSink) Begin(tag *toolcall.Tag) {
	t := (*tagMessage)(s)
	t.flush()
	t.inCall, t.opening, t.tags, t.codes, t.unclosed = true, *tag, t.tags[:0], nil, false
	t.preview.init(&t.out, t.options.Limits.Parameter)
}

func (s *tagSink) Unclosed() {
	s.unclosed = true
	s.codes.add(question.RepairUnclosedElement)
	if s.preview.draft.open { // what was taken for CDATA may have been shown
		s.preview.place, s.preview.name = inUnshown, ""
	}
}

func (s *tagSink) Fenced() { s.codes.add(question.RepairFencedCall) }

func (s *tagSink) Tag(tag *toolcall.Tag, call string) {
	s.tags = append(s.tags, *tag)
	s.preview.Tag(call, tag)
}

func (s *tagSink) Grew(call string, to int) { s.preview.Grew(call, to) }

func (s *tagSink) Finish(end toolcall.End, call string) {
	t := (*tagMessage)(s)
	open := t.inCall
	t.inCall = false
	if end == toolcall.Mention {
		return
	}
	if !open { // the message is too large, and no call was open
		t.flush()
		t.preview.init(&t.out, t.options.Limits.Parameter)
	}
	var read reading
	var asked param
	switch end {
	case toolcall.Closed:
		c := tagCall{options: &t.options, call: call, seen: &t.preview, tags: t.tags, codes: t.codes}
		c.read(&t.opening)
		read, asked = c.reading()
		if t.unclosed {
			read.fault, read.faultName, read.faultAt = question.ReasonHidden, "", question.Place{}
		}
	case toolcall.Cut:
		read.truncated = true
	case toolcall.Overflow:
		read.large = &question.Detail{Limit: t.options.Limits.Message}
	}
	t.preview.finish(call, &read, asked, t.options.Strict)
}
