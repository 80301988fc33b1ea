package transcript

import (
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// cc-viewer's logs of requests. Format 1 is a file with JSON objects, separated by lines of ---. Format 2 is a folder for
// each session: journal.jsonl has the times of requests, responses.jsonl the responses, and conversations/NAME/eN.jsonl the
// new messages of each request. Based on weiesky/cc-viewer 047db59b, docs/refactor/WIRE_FORMAT_V2.md, and f3a8413d,
// server/lib/v2/v2-writer.js.
const (
	journalFile   = "journal.jsonl"
	responsesFile = "responses.jsonl"
	eventsFile    = "events.jsonl" // of Copilot CLI
	wireFile      = "wire.jsonl"   // of Kimi Code: SESSION/agents/AGENT/wire.jsonl
)

// viewerRequest reads a request, or a line of format 2. A message gets the time at which its request began, and a response
// the time at which its request ended.
func (l *log) viewerRequest(r value) (isMine bool) {
	began, history, response := r.get("timestamp").time(), r.get("body.messages"), r.get("response.body.content")
	ended, seq, phase, isFormat2 := began, int(r.get("seq").json.Num), r.get("ph").text(), r.get("rid").exists()
	if isFormat2 {
		if history, response = r.get("msgs"), r.get("body.content"); !history.exists() {
			history = r.get("msg")
		}
	}
	switch {
	case history.json.Type == gjson.JSON, isFormat2 && response.exists():
		l.source = CCViewer
	case phase != "" && (r.get("wireFormat").exists() || seq > 0), isFormat2 && r.get("op").text() != "": // compact has no message
		l.times.set(viewerTime{l.session, seq, phase}, r.get("ts").time(), 1)
		return true
	default:
		return false
	}
	l.workspace = r.get("project").text()
	if duration := r.get("duration").json.Num; isFormat2 {
		began, _ = l.times.get(viewerTime{l.session, seq, "req"})
		ended, _ = l.times.get(viewerTime{l.session, seq, "done"})
	} else if !began.IsZero() && 0 < duration && duration < 1e9 {
		ended = began.Add(time.Duration(duration * float64(time.Millisecond)))
	}
	fresh := map[string]bool{} // calls that no earlier request contained
	left := int(history.json.Get("#").Num)
	for message := range history.list(math.MaxInt) {
		left--
		for b := range message.get("content").list(math.MaxInt) {
			answer, id := result{at: began}, b.get("id").text()
			if fresh[b.get("tool_use_id").text()] && left > 0 {
				answer.at = time.Time{} // the request repeats both the call and its result
			}
			wasOpen := l.isOpen(id)
			if l.item(ClaudeCode, blockItem, b, time.Time{}, answer); !wasOpen && l.isOpen(id) {
				fresh[id] = true
			}
		}
	}
	l.items(ClaudeCode, blockItem, response, ended, result{})
	return true
}

// sessionFolder returns the folder of a file's session, if it names the session; "" if the file's own name does.
func sessionFolder(real string) string {
	folder := filepath.Dir(real)
	switch name := filepath.Base(real); {
	case name == journalFile, name == responsesFile, name == interfaceFile, name == eventsFile:
		return folder
	case name == wireFile:
		return filepath.Dir(filepath.Dir(folder))
	case strings.HasPrefix(name, "e") && filepath.Ext(name) == ".jsonl" && filepath.Base(filepath.Dir(folder)) == "conversations":
		return filepath.Dir(filepath.Dir(folder))
	}
	return ""
}

// viewerTime is a key for the time at which a session's request began (phase "req") or ended ("done").
type viewerTime struct {
	session string
	seq     int
	phase   string
}

// maxTimes is how many times of requests are kept.
const maxTimes = 100_000
