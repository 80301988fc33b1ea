package transcript

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"followup/internal/question"
)

// block is one piece of a message: the call of a tool, the result of one, or both.
type block struct {
	tool     Source // whose names of tools it uses
	kind     string
	id, name string // the id is that of the call
	status   string
	at       time.Time // of the result
	failed   bool
	given    bool // it has a result
	images   int
	input    capture
	text     capture
	content  capture // the texts of the result, as JSON
	ends     []int   // of each text in content
}

func (b *block) reset(tool Source) {
	*b = block{tool: tool, input: b.input, text: b.text, content: b.content, ends: b.ends[:0]}
	b.input.reset()
	b.text.reset()
	b.content.reset()
}

// piece takes an object with these members as a block of a tool's message, and calls done at its end.
func (f *file) piece(tool Source, of members, done func() error) take {
	object := f.object(of)
	return func() error {
		f.block.reset(tool)
		if err := object(); err != nil {
			return err
		}
		return done()
	}
}

// callOrResult opens the call that the block is, and closes the call that it has the result of.
func (f *file) callOrResult() error {
	if f.open(); f.block.given {
		return f.close()
	}
	return nil
}

// native returns how a call of the block's name asks the user, or nil if it asks nothing.
func (f *file) native() *native {
	b := &f.block
	if b.tool != ClaudeCode {
		return natives[b.tool][b.name]
	}
	if n := natives[ClaudeCode][toolNamed(b.name)]; n != nil || !f.nested {
		return n
	}
	return natives[Cline][b.name]
}

// asks reports whether the block can be a call that asks the user, as far as its name is known.
func (f *file) asks() bool { return f.block.name == "" || f.native() != nil }

// answers reports whether the block can have the result of an open call, as far as its name and its id are known.
func (f *file) answers() bool {
	b := &f.block
	return b.name != "" && f.native() != nil || b.id == "" && len(f.calls.open) > 0 || f.calls.open[f.callKey(b.id)] != nil
}

// maxResultDepth bounds how deeply an API nests the text of a result.
const maxResultDepth = 8

// texts takes the result of a block: it keeps the texts, however the tool's API nests them, and counts the images.
func (f *file) texts() error {
	f.block.content.reset()
	f.block.ends, f.block.images, f.block.given = f.block.ends[:0], 0, true
	return f.textsIn(maxResultDepth)
}

func (f *file) textsIn(depth int) error {
	b := &f.block
	c, err := f.peek()
	switch {
	case err != nil:
		return err
	case c == '"':
		err := f.keep(&b.content)
		b.ends = append(b.ends, len(b.content.raw))
		return err
	case depth == 0:
		return f.skip()
	case c == '[':
		return f.list(func() error { return f.textsIn(depth - 1) })()
	}
	return f.each(func(key []byte) error {
		switch string(key) {
		case "type":
			return f.value(func(raw []byte) {
				if decode(raw) == "image" {
					b.images++
				}
			})()
		case "text", "value", "content", "message", "output", "error", "result", "response", "functionResponse":
			return f.textsIn(depth - 1)
		}
		return f.skip()
	})
}

// open opens the call that the block is, if it asks the user.
func (f *file) open() {
	b, n := &f.block, f.native()
	switch {
	case n == nil || b.id == "":
		return
	case b.input.over:
		f.damaged(f.name, f.line, ReasonTooLarge)
		return
	}
	c := &call{tool: toolNamed(b.name), input: b.input.raw}
	if n.read != nil {
		if text := decode(c.input); text != "" { // JSON in a string
			c.input = []byte(text)
		}
		read, keys, ok := n.read(c.input)
		if !ok {
			return
		}
		c.tool, c.native, c.read, c.keys = read.Tool, n, &read, keys
	}
	c.input = compacted(c.input)
	f.openCall(c, b.id)
}

// openCall adds a call to the ledger. In a task's folder the other file does not know the id: there the exchange gets one later.
func (f *file) openCall(c *call, id string) {
	c.live, c.fresh = f.record.live, true
	if f.record.role == "" || f.nested {
		if c.id, c.shared = id, question.IsUniqueCall(id); !c.shared {
			c.id = f.scope + "/" + id + "/" + short(digest(string(c.input)))
		}
		if f.calls.isOver(c.id) {
			return
		}
	}
	f.record.calls = append(f.record.calls, c)
	f.report.Unanswered += f.calls.add(f.callKey(id), c)
}

// close closes the call that the block has the result of, if it is open.
func (f *file) close() error {
	b := &f.block
	var parts []string
	if isOpen := f.calls.open[f.callKey(b.id)] != nil; isOpen && !b.content.over { // others can be long
		from := 0
		for _, end := range b.ends {
			parts = append(parts, serverParts(decode(b.content.raw[from:end]))...)
			from = end
		}
	}
	return f.closeWith(parts...)
}

// closeWith closes the call that the block has the result of, and keeps the texts of the result until the record is complete.
func (f *file) closeWith(parts ...string) error {
	b, r := &f.block, &f.record
	c := f.calls.take(f.callKey(b.id))
	switch {
	case c == nil:
		r.claude.orphan = b.id
		return nil
	case b.content.over:
		f.damaged(f.name, f.line, ReasonTooLarge)
		f.unanswered(c)
		return nil
	}
	r.results = append(r.results, result{
		call: c, parts: parts, at: b.at, failed: b.failed, cancelled: b.status == cancelled, images: b.images, turn: r.viewer.messages,
	})
	if r.bytes += len(c.input) + len(b.content.raw); r.bytes > maxResultBytes {
		return f.emitResults()
	}
	return nil
}

// callKey is that of a call in the ledger.
func (f *file) callKey(id string) string {
	if question.IsUniqueCall(id) {
		return id
	}
	if session := sessionFolder(f.real); session != "" {
		return session + "\x00" + id
	}
	return f.real + "\x00" + id
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

// ownServer is the name of Followup's own server in an agent's configuration.
const ownServer = "followup"

// toolNamed returns the tool that an agent calls by the name, and "" for one that asks nothing. Servers of the Model Context
// Protocol have their name before it: mcp__server__tool, or server__tool in Cline. The history has the questions of Followup's own
// server already.
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

// compacted returns a copy of JSON without its indentation.
func compacted(raw []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return bytes.Clone(raw)
	}
	return out.Bytes()
}

// short is enough of a digest to distinguish the questions of one log.
func short(d [16]byte) string { return hex.EncodeToString(d[:8]) }
