package transcript

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"

	"followup/internal/question"
)

// Roles of messages.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// block is one content block of a message, as Anthropic's Messages API has them: text, image, tool_use with id, name and input,
// tool_result with tool_use_id, content and is_error.
type block struct {
	kind, id, name, resultOf string
	status                   string
	at                       []byte // the JSON of its time
	failed                   bool
	images                   int
	input, text, content     capture
	parts                    []span // of content, a string each
}

type span struct{ from, to int }

func (b *block) reset() {
	input, text, content := b.input, b.text, b.content
	input.reset()
	text.reset()
	content.reset()
	*b = block{input: input, text: text, content: content, parts: b.parts[:0], at: b.at[:0]}
}

// content takes the content of a message: a text, or blocks.
func (f *file) content() error {
	c, err := f.peek()
	if err != nil {
		return err
	}
	if c != '"' {
		return f.array(f.contentBlock)
	}
	if !f.wantsText() {
		return f.skip()
	}
	f.block.reset()
	if err := f.raw(&f.block.text); err != nil {
		return err
	}
	return f.said(&f.block.text)
}

// contentBlock takes one block. What cannot belong to a question is skipped as early as that is known.
func (f *file) contentBlock() error {
	b := &f.block
	b.reset()
	if err := f.object(f.blockMember); err != nil {
		return err
	}
	switch b.kind {
	case "tool_use":
		if tool := toolNamed(b.name); tool != "" {
			f.called(tool)
		} else if n := f.native(b.name); n != nil {
			f.record.source = Cline
			f.openNative(n, b.id, b.input.raw)
		}
	case "tool_result":
		return f.gave()
	case "text":
		return f.said(&b.text)
	case "image":
		f.record.images++
	}
	return nil
}

func (f *file) blockMember(key []byte) error {
	b := &f.block
	switch string(key) {
	case "type":
		return f.text(&b.kind)
	case "id":
		return f.text(&b.id)
	case "name":
		return f.text(&b.name)
	case "tool_use_id":
		return f.text(&b.resultOf)
	case "is_error":
		return f.value(func(raw []byte) { b.failed = string(raw) == "true" })
	case "input":
		if b.name == "" || toolNamed(b.name) != "" || f.native(b.name) != nil {
			b.input.reset()
			return f.raw(&b.input)
		}
	case "text":
		if f.wantsText() {
			b.text.reset()
			return f.raw(&b.text)
		}
	case "content":
		if b.resultOf == "" && f.calls.len() > 0 || f.calls.open[f.key(b.resultOf)] != nil {
			return f.resultContent()
		}
	}
	return f.skip()
}

// resultContent takes the content of a result: a string, or blocks of which the texts are kept and the images counted.
func (f *file) resultContent() error {
	b := &f.block
	b.content.reset()
	b.parts, b.images = b.parts[:0], 0
	part := func() error {
		from := len(b.content.raw)
		err := f.raw(&b.content)
		b.parts = append(b.parts, span{from, len(b.content.raw)})
		return err
	}
	if c, err := f.peek(); err != nil || c == '"' {
		if err != nil {
			return err
		}
		return part()
	}
	return f.array(func() error {
		return f.object(func(key []byte) error {
			switch string(key) {
			case "type":
				return f.value(func(raw []byte) {
					if decode(raw) == "image" {
						b.images++
					}
				})
			case "text":
				return part()
			}
			return f.skip()
		})
	})
}

// ownServer is the name of Followup's own server in an agent's configuration.
const ownServer = "followup"

// toolNamed returns the tool that an agent calls by the name, and "" for one that asks nothing. Servers of the Model Context
// Protocol have their name before it: mcp__server__tool, or server__tool in Cline. What Followup's own server was asked is in the
// history already.
func toolNamed(name string) string {
	if strings.HasPrefix(strings.TrimPrefix(name, "mcp__"), ownServer+"__") {
		return ""
	}
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	if name == question.ToolFollowup || name == question.ToolAskUser {
		return name
	}
	return ""
}

// key is that of a call in the ledger.
func (f *file) key(id string) string {
	if question.IsUniqueCall(id) {
		return id
	}
	if session := sessionFolder(f.real); session != "" {
		return session + "\x00" + id
	}
	return f.real + "\x00" + id
}

// native is the call of another name by which the tool asks whose session this is.
func (f *file) native(name string) *native {
	if !f.inSession {
		return nil
	}
	return natives[Cline][name]
}

// called opens the call that the block holds.
func (f *file) called(tool string) {
	b := &f.block
	if b.id == "" {
		return
	}
	if b.input.over {
		f.damaged(f.name, f.line(), ReasonTooLarge)
		return
	}
	f.openCall(&call{tool: tool, input: compacted(b.input.raw)}, b.id)
}

// openNative opens a call by which another tool asks.
func (f *file) openNative(n *native, id string, input []byte) {
	if f.block.input.over {
		f.damaged(f.name, f.line(), ReasonTooLarge)
		return
	}
	if read, keys, ok := n.read(input); ok && id != "" {
		f.openCall(&call{tool: read.Tool, native: n, read: &read, keys: keys, input: compacted(input)}, id)
	}
}

// openCall opens a call that has an id. In a task's folder the other file does not know the id: there the exchange gets one later.
func (f *file) openCall(c *call, id string) {
	c.live, c.fresh = f.record.live, true
	if f.record.role == "" || f.inSession {
		if c.id, c.shared = id, question.IsUniqueCall(id); !c.shared {
			c.id = f.scope + "/" + id + "/" + short(digest(string(c.input)))
		}
		if f.calls.isOver(c.id) {
			return
		}
	}
	f.record.calls = append(f.record.calls, c)
	f.report.Unanswered += f.calls.add(f.key(id), c)
}

// compacted returns a copy of JSON without its indentation.
func compacted(raw []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return bytes.Clone(raw)
	}
	return out.Bytes()
}

// short is enough of a digest to tell the questions of one log apart.
func short(d [16]byte) string { return hex.EncodeToString(d[:8]) }

// gave takes the result that the block holds, if it is that of an open call.
func (f *file) gave() error {
	b := &f.block
	return f.take(func(one *result) {
		for _, p := range b.parts {
			one.parts = append(one.parts, serverParts(decode(b.content.raw[p.from:p.to]))...)
		}
	})
}

// serverParts returns the texts of a server's result. Cline keeps it whole, as JSON: {"content": [{"type": "text", "text": …}]}. Made
// after cline/cline 21cb8d25, sdk/packages/core/src/session/persisted-tool-result-content.ts.
func serverParts(text string) []string {
	if !strings.HasPrefix(text, "{") {
		return []string{text}
	}
	var from struct {
		Content []struct{ Type, Text string }
	}
	var parts []string
	if json.Unmarshal([]byte(text), &from) == nil {
		for _, part := range from.Content {
			if part.Type == "text" {
				parts = append(parts, part.Text)
			}
		}
	}
	if parts == nil { // another document
		return []string{text}
	}
	return parts
}

// gaveText is gave for a result whose text was read already; also can add to it.
func (f *file) gaveText(text string, also func(*result)) error {
	return f.take(func(one *result) {
		one.parts = []string{text}
		if also != nil {
			also(one)
		}
	})
}

// take closes the call that the block has the result of, and keeps the result until the record is known.
func (f *file) take(read func(*result)) error {
	b, r := &f.block, &f.record
	c := f.calls.take(f.key(b.resultOf))
	if c == nil {
		if r.orphan = b.resultOf; !question.IsUniqueCall(b.resultOf) {
			r.orphan = ""
		}
		return nil
	}
	if b.content.over {
		f.damaged(f.name, f.line(), ReasonTooLarge)
		f.unanswered(f.exchange(c))
		return nil
	}
	one := result{call: c, failed: b.failed, images: b.images, turn: r.messages}
	read(&one)
	r.results = append(r.results, one)
	if r.bytes += len(c.input) + len(b.content.raw); r.bytes > maxResultBytes {
		return f.tellResults()
	}
	return nil
}

// wantsText reports whether a text can matter: in the messages of tasks, where calls were written in tags.
func (f *file) wantsText() bool {
	return !f.inSession && (f.record.role == roleAssistant || f.record.role == roleUser && len(f.tagged) > 0)
}

// said takes a text of a task's message: calls in tags, or the answer to them.
func (f *file) said(raw *capture) error {
	switch {
	case raw.over:
		f.damaged(f.name, f.line(), ReasonTooLarge)
	case f.record.role == roleAssistant:
		if bytes.Contains(raw.raw, []byte(question.ToolFollowup)) {
			f.calledInTags(decode(raw.raw))
		}
	case f.record.role == roleUser && len(f.tagged) > 0:
		return f.gaveInTags(decode(raw.raw))
	}
	return nil
}

func (f *file) calledInTags(message string) {
	for _, read := range f.o.ReadTags(message) {
		c := &call{tool: read.Tool, read: &read, live: true, fresh: true}
		f.tagged = append(f.tagged, c)
		f.record.calls = append(f.record.calls, c)
	}
}

// resultHeader begins the text that announces the result of a call in tags: [ask_followup_question for 'QUESTION'] Result:
const resultHeader = "[" + question.ToolFollowup + " for '"

// gaveInTags takes a text of the message that follows calls in tags. Only the first call of a message is ever run.
func (f *file) gaveInTags(text string) error {
	r := &f.record
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, resultHeader) {
		r.header = true
		_, text, _ = strings.Cut(text, "'] Result:")
		text = strings.TrimSpace(text)
	}
	words, tag := wrapped(text)
	if tag == "" || tag != tagAnswer && !r.header {
		return nil
	}
	r.results = append(r.results, result{call: f.tagged[0], parts: []string{"<" + tag + ">\n" + words + "\n</" + tag + ">"}})
	f.tagged = f.tagged[1:]
	return nil
}
