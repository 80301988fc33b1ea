package transcript

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"followup/internal/question"
)

// log is the reading of one log. The file of each tool has a method that reads its documents: it sets the source, and reports calls with
// ask and their results with answer.
type log struct {
	*reader
	scanner
	name      string // as the user named it
	real      string
	scope     string // to which calls with short ids belong
	known     bool   // something in it was of a known kind
	source    Source // of the document; empty in a task's folder
	workspace string
	kinds     kind            // of the document, by its members
	ids       map[string]bool // of the calls in the document
	words     map[string]bool
	malformed bool  // the document is not JSON
	failed    error // of emit
	missed    generations[int]

	taskState
	chatState
}

// kind is a set of tools that a document can be of.
type kind uint

const (
	claudeLine kind = 1 << iota
	qwenLine
	viewerRequest
	taskMessage
	clineSession
	codexLine
	copilotEvent
	geminiChat
	vscodeChat
)

// member adds the kinds of documents that have a member.
func (l *log) member(name []byte) {
	switch string(name) {
	case "message":
		l.kinds |= claudeLine | qwenLine
	case "type", "leafUuid":
		l.kinds |= claudeLine
	case "body", "msgs", "msg", "ph", "op":
		l.kinds |= viewerRequest
	case "ask", "say", "role":
		l.kinds |= taskMessage
	case "messages":
		l.kinds |= clineSession | geminiChat
	case "payload", "record_type":
		l.kinds |= codexLine
	case "data":
		l.kinds |= copilotEvent
	case "toolCalls", "projectHash", "$set":
		l.kinds |= geminiChat
	case "v", "requests":
		l.kinds |= vscodeChat
	}
}

// words are the strings, besides the ids of open calls, that a document of interest has: names of tools that ask, a member beside an
// answer in Claude Code's, and the types of lines that name the workspace.
var words = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{"questions": true, "session_meta": true, "turn_context": true, copilotStart: true}
	for _, tools := range natives {
		for name := range tools {
			all[name] = true
		}
	}
	return all
})

func (l *log) matches(word []byte) bool {
	if l.words[string(word)] || l.ids[string(word)] || l.calls.waits(word) {
		return true
	}
	before, after := word, word // a server's name, or what VS Code adds to an id
	if i := bytes.LastIndex(word, []byte("__")); i > 0 {
		before, after = word[:i], word[i+2:]
	}
	return len(after) < len(word) && (l.words[string(after)] || l.calls.waits(before))
}

// element notes the id of a call, so that a result of it later in the document is found.
func (l *log) element(raw []byte) {
	var call struct{ ID string }
	if json.Unmarshal(raw, &call) == nil && call.ID != "" {
		l.ids[call.ID] = true
	}
}

func (l *log) flaw(line int, reason Reason) { l.damaged(l.name, line, reason) }

// document reads a document that can have a question, or that can show what kind of log this is.
func (l *log) document(raw []byte, hit, over, cut bool) error {
	kinds := l.kinds
	l.kinds, l.malformed = 0, false
	defer clear(l.ids)
	if over && hit {
		l.flaw(l.line, ReasonTooLarge)
	}
	if over || l.known && !hit && !l.listed && kinds&vscodeChat == 0 {
		return nil
	}
	for i, read := range []func(*log, []byte){
		(*log).claudeLine, (*log).qwenLine, (*log).viewerRequest, (*log).taskMessage, (*log).clineSession, (*log).codexLine,
		(*log).copilotEvent, (*log).geminiChat, (*log).vscodeChat,
	} {
		if kinds&(1<<i) != 0 {
			read(l, raw)
		}
	}
	if l.malformed && !cut {
		l.flaw(l.line, ReasonMalformed)
	}
	return l.failed
}

// decode decodes a document. Members of another type are left out.
func (l *log) decode(raw []byte, into any) {
	var bad *json.SyntaxError
	l.malformed = errors.As(json.Unmarshal(raw, into), &bad) || l.malformed
}

// of notes whose document this is.
func (l *log) of(source Source) { l.known, l.source = true, source }

func (r *reader) newLog(at found, in io.Reader) *log {
	counter := generations[int]{size: 2 * maxKnown}
	l := &log{
		reader: r, name: at.path, real: at.real, scope: scopeOf(at.real), ids: map[string]bool{}, words: words(), missed: counter,
		taskState: taskState{counts: counter, about: sync.OnceValue(func() task { return taskAt(at.real) })},
		chatState: chatState{carousels: counter},
	}
	l.scanner = scanner{to: l, in: in, longest: r.limit}
	return l
}

// file reads one log and reports whether it is one.
func (r *reader) file(at found, in io.Reader) (known bool, err error) {
	l := r.newLog(at, in)
	damaged, total := len(r.report.Damaged), r.report.DamagedTotal
	err = l.scan()
	if base := filepath.Base(at.real); base == interfaceFile || base == messagesFile {
		l.known = l.known || l.list // even if nothing was said yet
	}
	l.drop()
	l.dropCalls()
	if l.known {
		r.report.Files++
	} else { // nobody needs to know what is wrong with a file that is not a log
		r.report.Damaged, r.report.DamagedTotal = r.report.Damaged[:damaged], total
	}
	return l.known, err
}

// scopeOf returns the name of the log without folder and extension, or of its folder where several files are one log.
func scopeOf(real string) string {
	if session := sessionFolder(real); session != "" {
		return filepath.Base(session)
	}
	base := filepath.Base(real)
	if base == copilotEvents {
		return filepath.Base(filepath.Dir(real))
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// isLong reports whether a value of a document was too long to be kept.
func (l *log) isLong(raw []byte) bool {
	return len(raw) > l.limit || bytes.Contains(raw, []byte(tooLong))
}

// nativeOf returns how a call of the name asks the user, or nil if it asks nothing.
func nativeOf(tool Source, name string) *native {
	if n := natives[ClaudeCode][toolNamed(name)]; n != nil && (tool == ClaudeCode || tool == Cline) {
		return n
	}
	return natives[tool][name]
}

// ask opens a call of a tool, if it asks the user.
func (l *log) ask(tool Source, id, name string, input json.RawMessage, at time.Time) *call {
	n := nativeOf(tool, name)
	switch {
	case n == nil || id == "":
		return nil
	case l.isLong(input):
		l.flaw(l.line, ReasonTooLarge)
		return nil
	}
	c := &call{ref: id, tool: toolNamed(name), input: input, asked: at}
	if n.read != nil {
		if text := decode(input); text != "" { // JSON in a string
			c.input = compacted([]byte(text))
		}
		read, keys, ok := n.read(c.input)
		if !ok {
			return nil
		}
		c.tool, c.native, c.read, c.keys = read.Tool, n, &read, keys
	}
	if l.source != "" { // the other file of a task does not know the id: there the exchange gets one later
		if c.id, c.shared = id, question.IsUniqueCall(id); !c.shared {
			c.id = l.scope + "/" + id + "/" + short(digest(string(c.input)))
		}
		if l.calls.isOver(c.id) {
			return nil
		}
	}
	l.report.Unanswered += l.calls.add(l.key(id), c)
	return c
}

// result is what a call was given.
type result struct {
	call       *call
	content    json.RawMessage // with the texts of parts
	parts      []string
	at         time.Time
	failed     bool
	cancelled  bool
	images     int
	structured []byte // what Claude Code writes beside it
}

// answer closes a call with its result. It reports whether the call was open.
func (l *log) answer(id string, r result) bool {
	if r.call = l.calls.take(l.key(id)); r.call == nil {
		return false
	}
	if l.isLong(r.content) {
		l.flaw(l.line, ReasonTooLarge)
		l.unanswered(r.call)
		return true
	}
	r.read(r.content, maxResultDepth)
	l.answered(&r)
	return true
}

// isOpen reports whether a call waits for its result.
func (l *log) isOpen(id string) bool { return l.calls.open[l.key(id)] != nil }

// maxResultDepth bounds how deeply an API nests the text of a result.
const maxResultDepth = 8

// read adds the texts of a result, however its tool's API nests them, and counts the images.
func (r *result) read(raw json.RawMessage, depth int) {
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		r.parts = append(r.parts, serverParts(decode(raw))...)
	case depth == 0:
	case raw[0] == '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list)
		for _, one := range list {
			r.read(one, depth-1)
		}
	case raw[0] == '{':
		var of struct {
			Type                                                                             string
			Text, Value, Content, Message, Output, Error, Result, Response, FunctionResponse json.RawMessage
		}
		_ = json.Unmarshal(raw, &of) // what has another form is left out
		if of.Type == "image" {
			r.images++
		}
		for _, one := range []json.RawMessage{
			of.Text, of.Value, of.Content, of.Message, of.Output, of.Error, of.Result, of.Response, of.FunctionResponse,
		} {
			r.read(one, depth-1)
		}
	}
}

// serverParts returns the texts of a server's result. Cline keeps it whole, as JSON: {"content": [{"type": "text", "text": …}]}. Made
// after cline/cline 21cb8d25, sdk/packages/core/src/session/persisted-tool-result-content.ts.
func serverParts(text string) (parts []string) {
	var from struct {
		Content []struct{ Type, Text string }
	}
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &from) == nil {
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

// first is the text of a result.
func (r *result) first() string {
	if len(r.parts) == 0 {
		return ""
	}
	return strings.TrimSpace(r.parts[0])
}

// key is that of a call in the ledger.
func (l *log) key(id string) string {
	if question.IsUniqueCall(id) {
		return id
	}
	return cmp.Or(sessionFolder(l.real), l.real) + "\x00" + id
}

// answered emits the exchange of a call and its result, if the result is an answer or a refusal.
func (l *log) answered(r *result) {
	x := l.exchange(r.call)
	x.AnsweredAt, x.Images = r.at, r.images
	if l.judge(r, x) {
		l.emitExchange(x)
	} else {
		l.unanswered(r.call)
	}
}

// exchange begins the exchange of a call.
func (l *log) exchange(c *call) *Exchange {
	x := &Exchange{ID: c.id, Shared: c.shared, Source: c.source, Tool: c.tool, Input: c.input, AskedAt: c.asked}
	if c.read != nil {
		x.Call = *c.read
	} else {
		x.Call = l.o.Read(c.tool, c.input)
	}
	return x
}

// unanswered counts a call without an outcome, once: request logs repeat it, and both files of a task have it.
func (l *log) unanswered(c *call) {
	id := c.id
	if id == "" {
		id = "unanswered " + l.idIn(&l.missed, l.exchange(c))
	}
	if l.calls.end(id) {
		l.report.Unanswered++
	}
}

// emitExchange emits an exchange once, with its source and its workspace.
func (l *log) emitExchange(x *Exchange) {
	if l.source == "" {
		l.inTask(x)
	} else {
		if l.workspace == "" {
			l.workspace = cmp.Or(clineWorkspace(l.real), geminiProject(l.real), chatWorkspace(l.real))
		}
		x.Source, x.Workspace = l.source, l.workspace
	}
	x.Agent = agents[x.Source]
	if l.failed == nil && l.calls.end(x.ID) {
		l.report.Found++
		l.failed = l.emit(*x)
	}
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

// compacted returns JSON without its indentation.
func compacted(raw []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return raw
	}
	return out.Bytes()
}

// short is enough of a digest to distinguish the questions of one log.
func short(d [16]byte) string { return hex.EncodeToString(d[:8]) }

// decode returns the string that the JSON raw is, and "" for any other value.
func decode(raw []byte) (s string) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// stamp is a time: RFC 3339, or milliseconds since 1970.
type stamp struct{ time.Time }

// UnmarshalJSON never fails: the time is zero if the value has another form.
func (s *stamp) UnmarshalJSON(raw []byte) error {
	var ms float64
	if t, err := time.Parse(time.RFC3339Nano, decode(raw)); err == nil {
		s.Time = t.UTC()
	} else if json.Unmarshal(raw, &ms) == nil && ms > 0 && ms < 1e14 {
		s.Time = time.UnixMilli(int64(ms)).UTC()
	}
	return nil
}
