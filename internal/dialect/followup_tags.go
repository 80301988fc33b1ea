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
	"generate_image", "plan_mode_respond", "web_fetch", "new_rule", "condense",
	"thinking",
}

var defaultOuter = toolcall.NewNames(append([]string{tagAsk}, defaultOpaque...)...)

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
	call    *tagCall // the one that is open, or might be: the room, or nil
	room    tagCall  // the calls of a message use it one after the other
	run     run
	text    strings.Builder
	taken   int // of text
}

// tagMessages are those that are complete, to be used again: most messages are short, and one of these is larger than they.
// Nothing that an event holds is part of them.
var tagMessages = sync.Pool{New: func() any { return new(tagMessage) }}

// NewTags returns a reader of one message.
func NewTags(o Options) *Tags {
	m := tagMessages.Get().(*tagMessage)
	m.options = o
	m.options.Limits = o.Limits.WithDefaults()
	outer := defaultOuter
	if len(o.OpaqueTags) > 0 {
		outer = toolcall.NewNames(slices.Concat([]string{tagAsk}, defaultOpaque, o.OpaqueTags)...)
	}
	m.scanner.Init(toolcall.Config{
		Call: tagAsk, Known: names, Params: paramNames, Outer: outer, Limit: m.options.Limits.Message,
	}, (*tagSink)(m))
	return &Tags{m}
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
		m.end(emit)
		t.m = nil
		*m = tagMessage{}
		tagMessages.Put(m)
	}
}

// Open reports whether a call is open: Opened was told, and Done was not.
func (t *Tags) Open() bool { return t.m != nil && t.m.call != nil && t.m.call.draft.open }

func (t *tagMessage) append(chunk []byte, emit func(Event)) {
	t.out.emit = emit
	if t.run.fits(chunk) && toolcall.PlainText(chunk) {
		t.run.take(chunk)
		t.call.draft.grow()
		return
	}
	if t.run.text != nil {
		t.settle()
	}
	t.scanner.Append(chunk)
	t.flush()
	if t.call != nil && t.call.place == inQuestion {
		t.run = t.call.run(t.scanner.Room())
	}
}

// settle ends the run that was under way.
func (t *tagMessage) settle() {
	if n := t.run.taken; n > 0 {
		t.scanner.Skip(n)
		t.call.size += n
	}
	t.run = run{}
}

func (t *tagMessage) end(emit func(Event)) {
	t.out.emit = emit
	t.settle()
	t.scanner.End()
	t.flush()
}

// begin opens a call.
func (t *tagMessage) begin(tag *toolcall.Tag, reread bool) *tagCall {
	t.call = &t.room
	t.call.init(&t.options, &t.out, tag, reread)
	return t.call
}

// flush tells what is known and was not told.
func (t *tagMessage) flush() {
	if t.text.Len() > t.taken {
		t.out.text.Text = t.text.String()[t.taken:]
		t.taken = t.text.Len()
		t.out.emit(&t.out.text)
	}
	if t.call != nil {
		t.call.draft.grow()
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

func (s *tagSink) Begin(tag *toolcall.Tag, reread bool) {
	t := (*tagMessage)(s)
	t.flush()
	t.begin(tag, reread)
}

func (s *tagSink) Chars(b []byte)             { s.call.Chars(b) }
func (s *tagSink) CDataBegin()                { s.call.CDataBegin() }
func (s *tagSink) CData(b []byte)             { s.call.CData(b) }
func (s *tagSink) CDataEnd()                  { s.call.CDataEnd() }
func (s *tagSink) Tag(tag *toolcall.Tag) bool { return s.call.Tag(tag) }
func (s *tagSink) Certain() bool              { return s.call.draft.open }
func (s *tagSink) Finish(end toolcall.End) {
	t := (*tagMessage)(s)
	call := t.call
	t.call = nil
	switch {
	case end == toolcall.Mention:
		return
	case call == nil: // the message is too large, and no call was open
		t.flush()
		call = t.begin(&toolcall.Tag{}, false)
		t.call = nil
	}
	read := call.finish()
	read.truncated = end == toolcall.Cut
	if end == toolcall.Overflow {
		read.large = &question.Detail{Limit: t.options.Limits.Message}
	}
	call.draft.finish(question.ToolFollowup, read, t.options.Strict)
}
