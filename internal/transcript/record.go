package transcript

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// record is one line of a transcript, one request, or one message of a task, as far as it matters here.
type record struct {
	at        time.Time
	took      time.Duration
	workspace string
	source    Source // where what was read so far tells it
	kind      string // of a line: its type
	session   bool   // it names its session
	agent     bool   // it names its agent
	line      bool   // of a transcript: it has a message
	request   bool   // of cc-viewer: it has messages
	wire      bool   // of cc-viewer's format 2
	seq       int    // likewise: the number of the request
	path      string // of a chat: the first step to what a line changes
	role      string // of a message of a task
	ask, say  string // of what a task's interface showed
	partial   bool
	// messages counts those of a request, so far; live tells that what is being read
	// happened when the record was written, which a request's history did not.
	messages   int
	live       bool
	header     bool   // the result of a question in tags was announced
	orphan     string // the id of a result whose call is not known
	structured capture
	text       capture
	images     int
	calls      []*call
	results    []result
	bytes      int // in results
}

// result is what a call was given.
type result struct {
	call       *call
	parts      []string
	at         time.Time // where it has a time of its own
	failed     bool
	cancelled  bool
	images     int
	turn       int
	structured []byte
}

// maxResultBytes is how much is kept of one record's results; past it they are told before the whole record is known.
const maxResultBytes = 16 << 20

func (r *record) reset() {
	structured, text := r.structured, r.text
	structured.reset()
	text.reset()
	clear(r.calls)
	*r = record{structured: structured, text: text, calls: r.calls[:0], results: r.results[:0]}
}

// readRecord reads the inside of an object of any of the kinds, and tells what it held, also when its end is damaged.
func (f *file) readRecord(key []byte) error {
	r := &f.record
	r.reset()
	err := f.members(key, f.recordMember)
	if told := f.finish(); told != nil {
		return told
	}
	return err
}

// recordMember takes one member. Claude Code: type, timestamp, sessionId, cwd, message, toolUseResult. cc-viewer: timestamp,
// project, body, response, duration. Task folders: ts, role, content; ts, type, ask, say, text, images, partial. The files of the
// other tools tell theirs.
func (f *file) recordMember(key []byte) error {
	r := &f.record
	switch string(key) {
	case "timestamp", "ts":
		return f.value(func(raw []byte) { r.at = instant(raw) })
	case "duration":
		return f.value(func(raw []byte) {
			ms, _ := strconv.ParseFloat(string(raw), 64)
			if ms > 0 && ms < 1e9 {
				r.took = time.Duration(ms * float64(time.Millisecond))
			}
		})
	case "cwd", "project":
		return f.text(&r.workspace)
	case "type":
		return f.text(&r.kind)
	case "sessionId": // lines without a message have it too
		r.session = true
	case "leafUuid", "record_type": // of Claude Code, of Codex in 2025
		f.known = true
	case "message":
		r.live = true
		return f.object(f.lineMember)
	case "toolUseResult":
		return f.toolUseResult()
	case "body":
		return f.object(f.bodyMember)
	case "response":
		return f.object(f.responseMember)
	case "role":
		if f.inSession {
			r.source = Cline
		}
		return f.text(&r.role)
	case "content":
		r.live, f.known = true, f.known || r.role != ""
		return f.content()
	case "ask":
		f.known = true
		return f.text(&r.ask)
	case "say":
		f.known = true
		return f.text(&r.say)
	case "text":
		if r.say != "" && r.say != sayFeedback || r.ask != "" && r.ask != askFollowup {
			break
		}
		r.text.reset()
		return f.raw(&r.text)
	case "images":
		return f.array(func() error {
			r.images++
			return f.skip()
		})
	case "partial":
		return f.value(func(raw []byte) { r.partial = string(raw) == "true" })
	case "payload":
		return f.payload()
	case "data":
		return f.eventData()
	case "toolCalls":
		return f.toolCalls()
	case "projectHash": // of Gemini CLI
		f.known = f.known || r.session
	case "agent": // of Cline
		r.agent = true
	case "$set":
		return f.object(func(key []byte) error {
			if string(key) == "messages" && f.known {
				return f.messages()
			}
			return f.skip()
		})
	case "messages":
		if !f.inSession && (f.known || r.session && r.agent || strings.HasSuffix(f.real, messagesSuffix)) {
			return f.messages()
		}
	case "seq", "rid", "ph", "op", "msgs", "msg":
		return f.wireMember(key)
	case "kind", "k", "v", "requests":
		return f.chatMember(key)
	}
	return f.skip()
}

// lineMember takes one member of the message of a line: of Claude Code it has content, of Qwen Code parts.
func (f *file) lineMember(key []byte) error {
	switch r := &f.record; string(key) {
	case "content":
		r.line, r.source, f.known = true, ClaudeCode, true
	case "parts":
		r.line, r.source, f.known = true, Qwen, true
		return f.parts()
	}
	return f.messageMember(key)
}

func (f *file) messageMember(key []byte) error {
	if string(key) != "content" {
		return f.skip()
	}
	return f.content()
}

// instant reads a time: RFC 3339, or milliseconds since 1970.
func instant(raw []byte) time.Time {
	if t, err := time.Parse(time.RFC3339Nano, decode(raw)); err == nil {
		return t.UTC()
	}
	var ms float64
	if json.Unmarshal(raw, &ms) == nil && ms > 0 && ms < 1e14 {
		return time.UnixMilli(int64(ms)).UTC()
	}
	return time.Time{}
}

// finish tells what a record held, now that all of it is known.
func (f *file) finish() error {
	r := &f.record
	asked := r.at
	if r.request && !asked.IsZero() {
		asked = asked.Add(r.took)
	}
	for _, c := range r.calls {
		if c.asked.IsZero() && c.live {
			c.asked = asked
		}
	}
	f.known = f.known || (r.session && r.kind != "" || claudeKinds[r.kind]) && !f.inSession
	if err := f.tellOrphan(); err != nil {
		return err
	}
	if err := f.tellResults(); err != nil {
		return err
	}
	for _, c := range r.calls {
		c.fresh = false
	}
	switch {
	case r.ask != "" || r.say != "":
		return f.showed()
	case r.role == roleUser && !f.inSession:
		f.drop()
	}
	return nil
}

// tellResults tells the results of a record, or of what is known of it.
func (f *file) tellResults() error {
	r := &f.record
	for i := range r.results {
		one := &r.results[i]
		if !r.structured.over && len(r.results) == 1 {
			one.structured = r.structured.raw
		}
		if !r.line && len(r.results) == 1 && r.role != "" {
			one.images += r.images // Roo puts them beside the result
		}
		answered := r.at
		if r.request && one.call.fresh && one.turn != r.messages {
			answered = time.Time{} // both stood in the history
		}
		if !one.at.IsZero() {
			answered = one.at
		}
		if err := f.answered(one, answered); err != nil {
			return err
		}
		*one = result{}
	}
	r.results, r.bytes = r.results[:0], 0
	return nil
}
