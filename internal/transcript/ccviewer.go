package transcript

import (
	"bufio"
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

// viewerRequest is a request of cc-viewer's.
type viewerRequest struct {
	request  bool // it has messages
	wire     bool // it is of format 2
	seq      int
	messages int // so far
	took     time.Duration
}

// viewerMembers are those of a request, or of a line of format 2. A request's body is that of Anthropic's Messages API.
func (f *file) viewerMembers() members {
	r, v := &f.record, &f.record.viewer
	isWire := func() bool { return v.wire }
	is := func(then take) take {
		return func() error {
			v.request, r.source, f.known = true, CCViewer, true
			return then()
		}
	}
	object := f.object(members{"content": f.content})
	message := func() error {
		v.messages++
		return object()
	}
	// Messages of a line have the time at which their request began, and the response that at which it ended.
	lines := func(then take) take {
		return f.when(isWire, is(func() error {
			times := f.sessionTimes()
			r.at, f.workspace = times.began[v.seq], times.project
			return then()
		}))
	}
	response := is(func() error {
		r.at = f.sessionTimes().done[v.seq]
		return f.whileLive(f.content)
	})
	return members{
		"body": f.object(members{
			"messages": f.when(func() bool { return !v.wire }, is(f.list(message))),
			"content":  f.when(isWire, response),
		}),
		"response": f.object(members{"body": f.object(members{"content": func() error { return f.whileLive(f.content) }})}),
		"duration": func() error {
			var ms float64
			err := f.set(&ms)()
			if ms > 0 && ms < 1e9 {
				v.took = time.Duration(ms * float64(time.Millisecond))
			}
			return err
		},
		"seq": f.set(&v.seq),
		"rid": f.flag(&v.wire),
		"ph": func() error {
			if sessionFolder(f.real) != "" || v.seq > 0 {
				f.known, r.source = true, CCViewer
			}
			return f.skip()
		},
		"op":   f.when(isWire, f.flag(&f.known)), // compact has no message
		"msgs": lines(f.list(message)),
		"msg":  lines(object),
	}
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
	// What is wrong with the journal is reported when it is read as a log.
	for lines := bufio.NewScanner(in); lines.Scan() && len(f.times.began) < maxTimes && f.ctx.Err() == nil; {
		var line struct {
			Seq int
			Ph  string
			Ts  json.RawMessage
		}
		switch _ = json.Unmarshal(lines.Bytes(), &line); line.Ph {
		case "req":
			f.times.began[line.Seq] = instant(line.Ts)
		case "done":
			f.times.done[line.Seq] = instant(line.Ts)
		}
	}
	return f.times
}
