package transcript

import (
	"cmp"
	"encoding/hex"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	fast "github.com/segmentio/encoding/json"
	"github.com/tidwall/gjson"

	"followup/internal/dialect"
	"followup/internal/question"
)

// log is the state of reading one log. Each tool's reader passes the calls in a document to ask, and their results to
// answer.
type log struct {
	*reader
	scanner
	found
	session   string // qualifies the ids of calls that are too short to be unique
	known     bool   // a document was of a known kind
	source    Source
	workspace string
	beside    func() string // returns the workspace according to the files next to the log
	readers   []reads       // all of them, until one has recognized the log
	documents int           // how many were read
	failed    error         // the error of emit

	requested time.Time           // when the last request of a chat was made
	carousels recent[digest, int] // the number of parts with an id of their own, by their texts
}

// maxUnknown is how many documents without relevant words are parsed to identify the log.
const maxUnknown = 1000

// words are the strings that make a document relevant, besides the ids of open calls: the names of tools that ask, a member
// that Claude Code writes beside an answer, the types of lines that name the workspace, and a member of cc-viewer's lines
// with times.
var words = func() map[string]bool {
	all := map[string]bool{
		"questions": true, "session_meta": true, "turn_context": true, "session.start": true, "config.update": true, "ph": true,
	}
	for source, tools := range natives {
		for name := range tools {
			all[name] = source != OpenCode // matches only reads files, and opencode has a database
		}
	}
	return all
}()

// matches reports whether a string makes its document relevant.
func (l *log) matches(word string) bool {
	if words[word] || l.isOpen(word) {
		return true
	}
	i := strings.LastIndex(word, "__") // separates a server's name from a tool's, and an id from VS Code's suffix
	return i > 0 && (words[word[i+2:]] || l.isOpen(word[:i]))
}

func (l *log) flaw(reason Reason) { l.damaged(l.path, l.start, reason) }

// reads reads a document. It reports whether the document identifies the log as the tool's.
type reads func(l *log, document value) (isMine bool)

// document reads a document if it is relevant, or may identify the log.
func (l *log) document(raw []byte) error {
	if !fast.Valid(raw) {
		l.flaw(ReasonMalformed)
		return nil
	}
	l.documents++
	isSearched := !l.known && l.documents <= maxUnknown || l.known && (l.isArray || l.source == Copilot)
	if l.hit < 0 && !isSearched {
		return nil
	}
	whole := value{gjson.Parse(string(raw))}
	for _, read := range l.readers {
		if read(l, whole) {
			l.known, l.readers = true, []reads{read}
			break
		}
	}
	return l.failed
}

// newLog returns the state for reading a log.
func (r *reader) newLog(at found, in io.Reader) *log {
	session := cmp.Or(sessionFolder(at.real), strings.TrimSuffix(at.real, filepath.Ext(at.real)))
	l := &log{reader: r, found: at, session: session, readers: readers, carousels: recent[digest, int]{most: maxKnown}}
	l.beside = sync.OnceValue(func() string { return workspaceBeside(l.real) })
	l.scanner = scanner{to: l, in: in, most: r.limit + 2<<20}
	return l
}

// file reads one log, up to an error of the file. If the file is not a log, it returns ReasonUnknown.
func (r *reader) file(at found, in io.Reader) error {
	l := r.newLog(at, in)
	damaged := r.report.Damaged
	l.known = filepath.Base(l.real) == interfaceFile
	err := l.scan()
	if !l.known { // damage in a file that is not a log is not reported
		r.report.Damaged = damaged
		return cmp.Or(err, error(ReasonUnknown))
	}
	r.report.Files++
	return err
}

// ask opens a call of a tool, if it asks the user.
func (l *log) ask(tool Source, id, name string, input value, at time.Time) {
	n, own := nativeOf(tool, name)
	switch {
	case n == nil:
		return
	case id == "":
		l.flaw(ReasonForm)
		return
	case len(input.json.Raw) > l.limit:
		l.flaw(ReasonTooLarge)
		return
	}
	if text := input.text(); text != "" && n.read != nil { // JSON in a string
		input = parse(text)
	}
	c := &call{Exchange: Exchange{ID: id, Shared: question.IsUniqueCall(id), AskedAt: at}, by: n}
	if !c.Shared {
		c.ID = filepath.Base(l.session) + "/" + id + "/" + short(input.json.Raw)
	}
	if before, _ := l.calls.open.get(l.key(id)); l.calls.isOver(c.ID) || before != nil && before.ID == c.ID {
		return
	}
	asks := true
	if n.read != nil {
		c.Call, c.keys, asks = n.read(input)
	} else {
		c.Call = dialect.ReadInput(own, []byte(input.json.Raw), dialect.Options{Limits: l.o.Limits})
		for _, q := range c.questions() {
			c.keys = append(c.keys, q.Question)
		}
	}
	if asks {
		l.report.Unanswered += l.calls.add(l.key(id), c)
	} else if input.json.IsObject() && input.json.Raw != "{}" {
		l.flaw(ReasonForm)
	}
}

// result is the result of a call.
type result struct {
	content value // contains the texts of parts
	parts   []string
	first   string // the first of parts, trimmed, or "" without parts
	at      time.Time
	failed  bool
	status  string // the tool's name for it
	images  int
	beside  value // what the tool writes next to the result
}

// answer closes an open call with its result. It emits the exchange if the result is an answer or a refusal.
func (l *log) answer(id string, r result) {
	c := l.calls.take(l.key(id))
	if c == nil {
		return
	}
	isRead := len(r.content.json.Raw) <= l.limit
	if isRead {
		r.read(r.content, maxNesting)
		r.first = strings.TrimSpace(append(r.parts, "")[0])
	} else {
		l.flaw(ReasonTooLarge)
	}
	switch c.AnsweredAt = r.at; {
	case isRead && (r.failed && c.refused(&r) || c.by.judge(c, &r) || c.refused(&r)):
		l.emitExchange(c.Exchange)
	case l.calls.end(c.ID): // only once, since logs of requests repeat the result
		l.report.Unanswered++
	}
}

// isOpen reports whether a call has no result yet.
func (l *log) isOpen(id string) bool {
	_, isOpen := l.calls.open.get(l.key(id))
	return isOpen
}

// maxNesting limits how deeply the texts of a result may be nested.
const maxNesting = 16

// read adds the texts in a result, however the tool's API nests them, and counts the images. Based on cline/cline 21cb8d25,
// sdk/packages/core/src/session/persisted-tool-result-content.ts, and the sources of the other tools.
func (r *result) read(content value, depth int) {
	switch text := content.text(); {
	case depth == 0:
	case text != "":
		if server := parse(text).get("content"); server.json.IsArray() { // Cline keeps an MCP server's complete result as JSON
			r.read(server, depth-1)
		} else {
			r.parts = append(r.parts, text)
		}
	case content.json.IsArray():
		for _, each := range content.each() {
			r.read(each, depth-1)
		}
	case content.json.IsObject():
		if content.get("type").text() == "image" {
			r.images++
		}
		for _, name := range []string{"text", "value", "content", "message", "output", "error", "result", "response", "functionResponse"} {
			r.read(content.get(name), depth-1)
		}
	}
}

// key returns the key of a call in the ledger.
func (l *log) key(id string) callKey {
	if question.IsUniqueCall(id) {
		return callKey{id: id}
	}
	return callKey{l.session, id}
}

// emitExchange emits an exchange once, with its source and its workspace.
func (l *log) emitExchange(x Exchange) {
	x.Source = cmp.Or(x.Source, l.source)
	if x.Agent = string(x.Source); x.Source == CCViewer {
		x.Agent = string(ClaudeCode)
	}
	if x.Workspace = l.workspace; x.Workspace == "" {
		x.Workspace = l.beside()
	}
	if l.failed == nil && l.calls.end(x.ID) {
		l.report.Found++
		l.failed = l.emit(x)
	}
}

// short returns a short digest that distinguishes the questions of one log.
func short(s string) string {
	d := digestOf(s)
	return hex.EncodeToString(d[:8])
}
