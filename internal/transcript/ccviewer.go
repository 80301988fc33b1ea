package transcript

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"
)

// cc-viewer's logs of requests. Before its format 2: objects {"timestamp", "project", "body": {"messages"}, "response": {"body"},
// "duration"} with lines of --- between them. Since then a folder for each session: journal.jsonl has when each request began and
// ended, responses.jsonl what came back, and conversations/NAME/eN.jsonl what was sent, as lines {"seq", "rid", "t", "msgs"} with only
// what is new. Made after weiesky/cc-viewer 047db59b, docs/refactor/WIRE_FORMAT_V2.md, and f3a8413d, server/lib/v2/v2-writer.js.
const (
	journalFile   = "journal.jsonl"
	responsesFile = "responses.jsonl"
)

// sessionFolder is the folder of the session of cc-viewer that a file belongs to; "" where it is none of its files.
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

// bodyMember takes one member of a request's body, which is that of Anthropic's Messages API, or of a response in responses.jsonl.
func (f *file) bodyMember(key []byte) error {
	r := &f.record
	switch {
	case string(key) == "messages" && !r.wire:
		f.request()
		return f.array(func() error {
			r.messages++
			return f.object(f.messageMember)
		})
	case string(key) == "content" && r.wire:
		f.request()
		r.at = f.sessionTimes().done[r.seq]
		return f.whileLive(f.content)
	}
	return f.skip()
}

func (f *file) request() {
	f.record.request, f.record.source, f.known = true, CCViewer, true
}

// responseMember takes one member of a response that stands with its request: the message is its body.
func (f *file) responseMember(key []byte) error {
	if string(key) != "body" {
		return f.skip()
	}
	return f.whileLive(func() error { return f.object(f.messageMember) })
}

// whileLive reads what happened when the record was written.
func (f *file) whileLive(read func() error) error {
	f.record.live = true
	err := read()
	f.record.live = false
	return err
}

// wireMember takes one member of a line of format 2.
func (f *file) wireMember(key []byte) error {
	r := &f.record
	switch string(key) {
	case "seq":
		return f.value(func(raw []byte) { _ = json.Unmarshal(raw, &r.seq) })
	case "rid":
		r.wire = true
	case "ph":
		if sessionFolder(f.real) != "" || r.seq > 0 {
			f.known, r.source = true, CCViewer
		}
	case "op": // compact has no message
		f.known = f.known || r.wire
	case "msgs":
		if !r.wire {
			break
		}
		f.wireMessages()
		return f.array(func() error {
			r.messages++
			return f.object(f.messageMember)
		})
	case "msg":
		if !r.wire {
			break
		}
		f.wireMessages()
		return f.object(f.messageMember)
	}
	return f.skip()
}

// wireMessages begins the messages of a line.
func (f *file) wireMessages() {
	f.request()
	times := f.sessionTimes()
	f.record.at = times.began[f.record.seq]
	f.facts.workspace = times.project
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
func (f *file) sessionTimes() sessionTimes {
	folder := sessionFolder(f.real)
	if folder == "" || folder == f.times.folder {
		return f.times
	}
	f.times = sessionTimes{folder: folder, began: map[int]time.Time{}, done: map[int]time.Time{}}
	var about struct{ Project string }
	_ = json.Unmarshal(look(filepath.Join(folder, "meta.json")), &about)
	f.times.project = about.Project
	in, err := openFile(filepath.Join(folder, journalFile))
	if err != nil {
		return f.times
	}
	defer func() { _ = in.Close() }()
	journal := &file{reader: f.reader, scanner: newScanner(stoppable{f.reader, in})}
	journal.journal(&f.times)
	return f.times
}

// journal reads the times out of a journal; what is wrong with it is told when it is read as a log.
func (f *file) journal(into *sessionTimes) {
	for len(into.began) < maxTimes {
		f.form = flat
		seq, phase, at := 0, "", time.Time{}
		err := f.object(func(key []byte) error {
			switch string(key) {
			case "seq":
				return f.value(func(raw []byte) { _ = json.Unmarshal(raw, &seq) })
			case "ph":
				return f.text(&phase)
			case "ts":
				return f.value(func(raw []byte) { at = instant(raw) })
			}
			return f.skip()
		})
		switch phase {
		case "req":
			into.began[seq] = at
		case "done":
			into.done[seq] = at
		}
		if _, bad := asFlaw(err); err != nil && !bad || f.skipLine() != nil {
			return
		}
	}
}

// stoppable is what is read beside a log: it ends when the context does, and is not counted.
type stoppable struct {
	*reader
	in interface{ Read([]byte) (int, error) }
}

func (s stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.in.Read(b)
}
