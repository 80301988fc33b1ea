package transcript

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"followup/internal/dialect"
	"followup/internal/question"
)

// Files of a task folder.
const (
	interfaceFile = "ui_messages.json"
	messagesFile  = "api_conversation_history.json"
	historyFile   = "history_item.json"
	metadataFile  = "task_metadata.json"
)

// taskState is the state of one of a task's files.
type taskState struct {
	about  func() task
	counts generations[int] // of the exchanges, by what was asked
	tagged []*call          // written in tags by the message before
	asked  *call            // shown by the interface, not answered yet
}

// task is what is known of a task besides its messages.
type task struct {
	source    Source // empty if it is not known
	workspace string
}

// message is one of a task: of its interface, which has ask or say, or of its model, which has role and content.
type message struct {
	TS                   stamp
	Ask, Say, Role, Text string
	Partial              bool
	Images               []json.RawMessage
	Content              json.RawMessage
}

// taskMessage reads a message of a task.
func (l *log) taskMessage(raw []byte) (isMine bool) {
	var m message
	decodeInto(raw, &m)
	if m.Ask == "" && m.Say == "" && (m.Role == "" || m.Content == nil) {
		return false
	}
	l.source = ""
	if m.Ask != "" || m.Say != "" {
		l.showed(&m)
	} else {
		l.said(&m)
	}
	return true
}

// suggestion is {answer, mode}, or the answer alone.
type suggestion question.Suggestion

// UnmarshalJSON never fails: it leaves out what has another form.
func (s *suggestion) UnmarshalJSON(raw []byte) error {
	var from struct{ Answer, Mode json.RawMessage }
	if s.Answer = decode(raw); s.Answer == "" {
		decodeInto(raw, &from)
		s.Answer, s.Mode = decode(from.Answer), decode(from.Mode)
	}
	return nil
}

// showed takes what the interface showed: a question, what the user wrote, or something else.
func (l *log) showed(m *message) {
	asks, answers := m.Ask == "followup", m.Say == "user_feedback" && l.asked != nil
	switch {
	case (asks || answers) && m.Text == decode([]byte(tooLong)):
		l.flaw(l.line, ReasonTooLarge)
		l.drop()
	case answers:
		l.answerAsked(result{parts: []string{m.Text}, images: len(m.Images), at: m.TS.Time})
	case asks && m.Partial:
		// still arriving: the whole question takes its place
	case asks:
		l.drop()
		l.showedQuestion(m)
	case m.Ask != "", m.Say == "api_req_started", m.Say == "completion_result", m.Say == "task":
		l.drop() // the task continued without an answer
	}
}

// showedQuestion takes a question. Its text is JSON, and was the question itself in older versions. Cline notes in it which option was
// chosen.
func (l *log) showedQuestion(m *message) {
	var from struct {
		Question string
		Suggest  []suggestion
		Options  []string
		Selected string
	}
	if strings.HasPrefix(m.Text, "{") {
		decodeInto([]byte(m.Text), &from)
	} else {
		from.Question = m.Text
	}
	read, _, ok := followupCall(from.Question)
	if !ok {
		return
	}
	for _, option := range from.Options {
		from.Suggest = append(from.Suggest, suggestion{Answer: option})
	}
	for _, one := range from.Suggest {
		if one.Answer != "" {
			read.Followup.Suggest = append(read.Followup.Suggest, question.Suggestion(one))
		}
	}
	read.Notices = question.Notices(read.Followup.Suggest)
	l.asked = &call{tool: question.ToolFollowup, read: &read, asked: m.TS.Time, source: Roo}
	if from.Options != nil {
		l.asked.source = Cline
	}
	if from.Selected != "" {
		l.answerAsked(result{parts: []string{from.Selected}})
	}
}

// answerAsked emits the question that is shown with its answer.
func (l *log) answerAsked(r result) {
	r.call, l.asked = l.asked, nil
	r.parts[0] = "<" + tagAnswer + ">\n" + r.parts[0] + "\n</" + tagAnswer + ">"
	l.answered(&r)
}

// resultHeader begins the text that announces the result of a call in tags: [ask_followup_question for 'QUESTION'] Result:
const resultHeader = "[" + question.ToolFollowup + " for '"

// said reads a message of the model, or to it. Its texts can have calls in tags, or the answers to those of the message before.
func (l *log) said(m *message) {
	all, at := blocks(m.Content), m.TS.Time
	beside, announced := result{at: at}, false
	for _, b := range all {
		if b.Type == "image" { // Roo puts them beside the result
			beside.images++
		}
	}
	l.blocks(ClaudeCode, all, at, beside)
	for _, b := range all {
		isAnswer, isCall := m.Role == "user" && len(l.tagged) > 0, m.Role == "assistant" && strings.Contains(b.Text, question.ToolFollowup)
		switch {
		case b.Type != "text":
		case b.Text == decode([]byte(tooLong)) && (isAnswer || m.Role == "assistant"):
			l.flaw(l.line, ReasonTooLarge)
		case isAnswer:
			text := strings.TrimSpace(b.Text)
			if strings.HasPrefix(text, resultHeader) {
				announced = true
				_, text, _ = strings.Cut(text, "'] Result:")
			}
			// Only the first call of a message is ever run.
			if _, tag := wrapped(text); tag == tagAnswer || tag != "" && announced {
				l.answered(&result{call: l.tagged[0], parts: []string{text}, at: at, images: beside.images})
				l.tagged = l.tagged[1:]
			}
		case isCall:
			for _, read := range dialect.ReadTags(b.Text, dialect.Options{Limits: l.o.Limits}) {
				l.tagged = append(l.tagged, &call{tool: read.Tool, read: &read, asked: at})
			}
		}
	}
	if m.Role == "user" {
		l.drop()
	}
}

// inTask adds to an exchange what is known of its task.
func (l *log) inTask(x *Exchange) {
	about := l.about()
	x.Workspace = about.workspace
	switch {
	case about.source != "":
		x.Source = about.source
	case x.Source == "" && bytes.Contains(x.Input, []byte(`"options"`)):
		x.Source = Cline
	case x.Source == "":
		x.Source = Roo
	}
	x.ID = l.idIn(&l.counts, x)
}

// idIn makes the id of an exchange of a task. Both files of a folder hold the same exchanges, and neither has an id that the
// other knows; so it is made of the task, the question, and how often that was counted before.
func (l *log) idIn(counts *generations[int], x *Exchange) string {
	what := string(x.Input)
	if x.Call.Followup != nil {
		what = strings.Join(strings.Fields(html.UnescapeString(x.Call.Followup.Question)), " ")
	}
	d := digest(what)
	n, _ := counts.get(d)
	counts.set(d, n+1)
	task := filepath.Base(filepath.Dir(l.real))
	if task == "." {
		task = l.scope
	}
	return task + "/" + short(d) + "/" + strconv.Itoa(n+1)
}

// drop gives up what waits for the next message.
func (l *log) drop() {
	for _, c := range l.tagged {
		l.unanswered(c)
	}
	l.tagged = nil
	if l.asked != nil {
		l.unanswered(l.asked)
		l.asked = nil
	}
}

// dropCalls gives up the calls of a task that wait for their result, at its end. Those of a transcript can continue in another file.
func (l *log) dropCalls() {
	for key, c := range l.calls.open {
		if c.id == "" {
			l.calls.take(key)
			l.unanswered(c)
		}
	}
}

// sourceOf returns the source that a path names: the storage of an extension has its identifier in it. It returns "" for other paths.
func sourceOf(path string) Source {
	path = strings.ToLower(filepath.ToSlash(path))
	for _, hint := range []struct {
		part   string
		source Source
	}{
		{"kilocode.kilo-code", Kilo}, {"rooveterinaryinc.roo", Roo}, {"saoudrizwan.claude-dev", Cline},
		{"zoocodeorganization.zoo-code", Zoo}, {"ibm.bob-code", Bob},
		{"/.kilocode/", Kilo}, {"/.roo/", Roo}, {"/.cline/", Cline}, {"/ibm bob/", Bob}, {"/bob-ide/", Bob},
	} {
		if strings.Contains(path, hint.part) {
			return hint.source
		}
	}
	return ""
}

// lookBytes is how much of a file is looked at to learn about a task.
const lookBytes = 512 << 10

// workspaceLine matches the line that names the working folder to a task's model, in the JSON of a message.
var workspaceLine = pattern(`# Current (?:Workspace|Working) Directory \(((?:[^"\\\n]|\\.)+?)\) Files`)

// taskAt reads what the other files of its folder say about a task.
func taskAt(path string) task {
	folder := filepath.Dir(path)
	about := task{source: sourceOf(path)}
	if about.source == "" {
		switch metadata := look(filepath.Join(folder, metadataFile)); {
		case bytes.Contains(metadata, []byte(`"cline_read_date"`)):
			about.source = Cline
		case bytes.Contains(metadata, []byte(`"roo_read_date"`)):
			about.source = Roo
		}
	}
	var item struct{ Workspace string }
	if json.Unmarshal(look(filepath.Join(folder, historyFile)), &item) == nil && item.Workspace != "" {
		about.workspace = item.Workspace
	} else if m := workspaceLine().FindSubmatch(look(filepath.Join(folder, messagesFile))); m != nil {
		about.workspace = decode([]byte(`"` + string(m[1]) + `"`))
	}
	return about
}

// look returns the beginning of a file, and nothing for one that cannot be read.
func look(path string) []byte {
	in, err := openFile(path)
	if err != nil {
		return nil
	}
	defer func() { _ = in.Close() }()
	data, _ := io.ReadAll(io.LimitReader(in, lookBytes))
	return data
}
