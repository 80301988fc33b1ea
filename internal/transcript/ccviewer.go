package transcript

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"
)

// cc-viewer's logs of requests. Before its format 2: objects with lines of --- between them. Since then a folder for each session:
// journal.jsonl has when each request began and ended, responses.jsonl what came back, and conversations/NAME/eN.jsonl what was sent that
// is new. Made after weiesky/cc-viewer 047db59b, docs/refactor/WIRE_FORMAT_V2.md, and f3a8413d, server/lib/v2/v2-writer.js.
const (
	journalFile   = "journal.jsonl"
	responsesFile = "responses.jsonl"
)

type viewerMessage struct{ Content json.RawMessage }

// viewerRequest reads a request, or a line of format 2. A message has the time at which its request began, and a response that at which the
// request ended.
func (l *log) viewerRequest(raw []byte) (isMine bool) {
	var r struct {
		Timestamp stamp
		Project   string
		Duration  float64 // ms
		Body      struct {
			Messages []viewerMessage
			Content  json.RawMessage
		}
		Response struct{ Body viewerMessage }
		Seq      int // from here on format 2
		TS       stamp
		Ph, Op   string
		RID      json.RawMessage
		Msgs     []viewerMessage
		Msg      *viewerMessage
	}
	decodeInto(raw, &r)
	began, ended, history, response := r.Timestamp.Time, r.Timestamp.Time, r.Body.Messages, r.Response.Body.Content
	isFormat2 := r.RID != nil
	if isFormat2 {
		history, response = r.Msgs, r.Body.Content
		if r.Msg != nil {
			history = []viewerMessage{*r.Msg}
		}
	}
	switch {
	case history != nil, isFormat2 && response != nil:
		l.source = CCViewer
	case r.Ph != "" && (sessionFolder(l.real) != "" || r.Seq > 0), isFormat2 && r.Op != "": // compact has no message
		l.times.set(viewerTime{l.session, r.Seq, r.Ph}, r.TS.Time, 1)
		return true
	default:
		return false
	}
	l.workspace = r.Project
	if isFormat2 {
		began, _ = l.times.get(viewerTime{l.session, r.Seq, "req"})
		ended, _ = l.times.get(viewerTime{l.session, r.Seq, "done"})
	} else if !began.IsZero() && 0 < r.Duration && r.Duration < 1e9 {
		ended = began.Add(time.Duration(r.Duration * float64(time.Millisecond)))
	}
	fresh := map[string]bool{} // calls that no earlier request had
	for i, message := range history {
		for _, b := range blocks(message.Content) {
			answer, wasOpen := result{at: began}, l.isOpen(b.ID)
			if fresh[b.ToolUseID] && i < len(history)-1 {
				answer.at = time.Time{} // both the call and its result are history
			}
			l.blocks(ClaudeCode, []block{b}, time.Time{}, answer)
			fresh[b.ID] = !wasOpen && l.isOpen(b.ID)
		}
	}
	l.blocks(ClaudeCode, blocks(response), ended, result{})
	return true
}

// sessionFolder is the folder of the session of cc-viewer that a file belongs to; "" for any other file.
func sessionFolder(real string) string {
	folder := filepath.Dir(real)
	switch name := filepath.Base(real); {
	case name == journalFile, name == responsesFile:
		return folder
	case strings.HasPrefix(name, "e") && filepath.Ext(name) == ".jsonl" && filepath.Base(filepath.Dir(folder)) == "conversations":
		return filepath.Dir(filepath.Dir(folder))
	}
	return ""
}

// viewerTime is the key of the time at which a request of a session began ("req"), or ended ("done").
type viewerTime struct {
	session string
	seq     int
	ph      string
}

// maxTimes bounds how many requests have their times.
const maxTimes = 100_000

// viewerProject is the project of a session of format 2.
func viewerProject(real string) string {
	var about struct{ Project string }
	if folder := sessionFolder(real); folder != "" {
		decodeInto(look(filepath.Join(folder, "meta.json")), &about)
	}
	return about.Project
}
