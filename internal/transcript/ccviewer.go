package transcript

import (
	"bufio"
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
		RID, Ph  json.RawMessage
		Op       string
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
	case r.Ph != nil && (sessionFolder(l.real) != "" || r.Seq > 0), isFormat2 && r.Op != "": // compact has no message
		return true
	default:
		return false
	}
	if isFormat2 {
		times := l.sessionTimes()
		l.workspace, began, ended = times.project, times.began[r.Seq], times.done[r.Seq]
	} else {
		if l.workspace = r.Project; !began.IsZero() && 0 < r.Duration && r.Duration < 1e9 {
			ended = began.Add(time.Duration(r.Duration * float64(time.Millisecond)))
		}
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

// sessionTimes are when the requests of a session of cc-viewer began and ended, by their number.
type sessionTimes struct {
	folder      string
	project     string
	began, done map[int]time.Time
}

// maxTimes bounds how many requests of a session have their times.
const maxTimes = 100_000

// sessionTimes reads the journal of the file's session, once for all of its files.
func (l *log) sessionTimes() sessionTimes {
	folder := sessionFolder(l.real)
	if folder == "" || folder == l.times.folder {
		return l.times
	}
	l.times = sessionTimes{folder: folder, began: map[int]time.Time{}, done: map[int]time.Time{}}
	var about struct{ Project string }
	decodeInto(look(filepath.Join(folder, "meta.json")), &about)
	l.times.project = about.Project
	in, err := openFile(filepath.Join(folder, journalFile))
	if err != nil {
		return l.times
	}
	defer func() { _ = in.Close() }()
	// What is wrong with the journal is reported when it is read as a log.
	for lines := bufio.NewScanner(in); lines.Scan() && len(l.times.began) < maxTimes && l.ctx.Err() == nil; {
		var line struct {
			Seq int
			Ph  string
			Ts  stamp
		}
		switch decodeInto(lines.Bytes(), &line); line.Ph {
		case "req":
			l.times.began[line.Seq] = line.Ts.Time
		case "done":
			l.times.done[line.Seq] = line.Ts.Time
		}
	}
	return l.times
}
