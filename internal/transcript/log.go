package transcript

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"followup/internal/dialect"
	"followup/internal/question"
)

// log is the reading of one log. The file of each tool has a method that reads its documents: it reports calls with ask, and their
// results with answer.
type log struct {
	*reader
	scanner
	name      string // as the user named it
	real      string
	scope     string // to which calls with short ids belong
	known     bool   // something in it was of a known kind
	source    Source // whose log it is; empty in a task's folder
	workspace string
	mine      func(raw []byte) (isMine bool) // the only reader of documents, once one has recognized the log
	words     map[string]bool
	unknown   int   // documents that were read before the log was known
	failed    error // of emit
	missed    generations[int]

	taskState
	chatState
}

// maxUnknown is how many documents show what kind of log this is, if none is relevant.
const maxUnknown = 1000

// words are the strings that make a document relevant, besides the ids of open calls: names of tools that ask, a member that Claude Code
// writes beside an answer, and the types of lines that name the workspace.
var words = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{"questions": true, "session_meta": true, "turn_context": true, copilotStart: true}
	for _, tools := range natives {
		for name := range tools {
			all[name] = true
		}
	}
	return all
})

// matches reports whether a string makes its document relevant.
func (l *log) matches(word []byte) bool {
	if l.words[string(word)] || l.calls.waits(word) {
		return true
	}
	before, after := word, word // a server's name, or what VS Code adds to an id
	if i := bytes.LastIndex(word, []byte("__")); i > 0 {
		before, after = word[:i], word[i+2:]
	}
	return len(after) < len(word) && (l.words[string(after)] || l.calls.waits(before))
}

func (l *log) flaw(line int, reason Reason) { l.damaged(l.name, line, reason) }

// document reads a document that is relevant, or that can show what kind of log this is. Of a damaged one it reads what is complete.
func (l *log) document(raw []byte, isCut bool) error {
	isSearched := l.isArray || l.source == Copilot
	if !l.known {
		l.unknown++
		isSearched = l.unknown <= maxUnknown
	}
	if l.hit < 0 && !isSearched {
		return nil
	}
	if isCut {
		raw = repaired(raw)
	}
	var bad *json.SyntaxError
	if errors.As(json.Unmarshal(raw, &struct{}{}), &bad) {
		if !isCut {
			l.flaw(l.line, ReasonMalformed)
		}
		raw = repaired(raw[:bad.Offset-1])
	}
	readers := []func([]byte) bool{
		l.claudeLine, l.qwenLine, l.viewerRequest, l.taskMessage, l.clineSession, l.codexLine, l.copilotEvent, l.geminiChat, l.vscodeChat,
	}
	if l.mine != nil {
		readers = []func([]byte) bool{l.mine}
	}
	for _, read := range readers {
		if read(raw) {
			l.known, l.mine = true, read
			break
		}
	}
	return l.failed
}

// repaired returns the complete part of a damaged document: its complete members, and the complete elements of the outermost open array.
// A call or a result that is cut off is not read as if it were whole.
func repaired(doc []byte) []byte {
	var open []byte
	end, kept := 0, 0 // the part that is complete, and how many brackets are open there
	list := 0         // how many are open within the outermost array
	inString := false
	for i := 0; i < len(doc); i++ {
		c := doc[i]
		isOpening, isClosing := c == '{' || c == '[', len(open) > 0 && c == open[len(open)-1]
		switch {
		case c == '"':
			inString = !inString
		case inString:
			if c == '\\' {
				i++
			}
			continue
		case isOpening:
			if open = append(open, c+2); c == '[' && list == 0 { // both closing brackets follow two behind in ASCII
				list = len(open)
			}
		case isClosing:
			if open = open[:len(open)-1]; len(open) < list {
				list = 0
			}
		}
		isComplete := len(open) <= 1 || len(open) == list || len(open) < kept
		if isComplete && (isOpening || isClosing) {
			end, kept = i+1, len(open)
		} else if isComplete && c == ',' {
			end, kept = i, len(open)
		}
	}
	open = open[:kept]
	slices.Reverse(open)
	return append(doc[:end:end], open...)
}

// newLog begins the reading of a log.
func (r *reader) newLog(at found, in io.Reader) *log {
	counter := generations[int]{size: 2 * maxKnown}
	l := &log{
		reader: r, name: at.path, real: at.real, scope: scopeOf(at.real), words: words(), missed: counter,
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
	if err = l.scan(); l.failed != nil {
		err = l.failed
	}
	if base := filepath.Base(at.real); base == interfaceFile || base == messagesFile {
		l.known = l.known || l.isEnded // even if nothing was said yet
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
			var compact bytes.Buffer
			_ = json.Compact(&compact, []byte(text)) // leaves nothing of other text
			c.input = compact.Bytes()
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

// answer closes the call with a result, if it is open.
func (l *log) answer(id string, r result) {
	switch r.call = l.calls.take(l.key(id)); {
	case r.call == nil:
	case l.isLong(r.content):
		l.flaw(l.line, ReasonTooLarge)
		l.unanswered(r.call)
	default:
		var content any
		decodeInto(r.content, &content)
		r.read(content)
		l.answered(&r)
	}
}

// isOpen reports whether a call waits for its result.
func (l *log) isOpen(id string) bool { return l.calls.open[l.key(id)] != nil }

// read adds the texts of a result, however its tool's API nests them, and counts the images.
func (r *result) read(content any) {
	switch content := content.(type) {
	case string:
		r.parts = append(r.parts, serverParts(content)...)
	case []any:
		for _, each := range content {
			r.read(each)
		}
	case map[string]any:
		if content["type"] == "image" {
			r.images++
		}
		for _, name := range []string{"text", "value", "content", "message", "output", "error", "result", "response", "functionResponse"} {
			r.read(content[name])
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
		x.Call = dialect.ReadInput(c.tool, c.input, dialect.Options{Limits: l.o.Limits})
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

// short is enough of a digest to distinguish the questions of one log.
func short(d [16]byte) string { return hex.EncodeToString(d[:8]) }

// decodeInto decodes JSON, and leaves out what is of another type than into.
func decodeInto(raw []byte, into any) { _ = json.Unmarshal(raw, into) }

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
