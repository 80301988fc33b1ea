package transcript

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"followup/internal/question"
)

// Files of a task's folder, of Roo Code and its relatives. interfaceFile has the questions and answers as they were shown. messagesFile has
// them once more, in the form of the model's API; of it only the workspace is read.
const (
	interfaceFile = "ui_messages.json"
	messagesFile  = "api_conversation_history.json"
	historyFile   = "history_item.json"
	metadataFile  = "task_metadata.json"
)

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

// taskMessage reads what the interface showed: a question, what the user wrote, or something else.
func (l *log) taskMessage(raw []byte) (isMine bool) {
	var m struct {
		TS             stamp
		Ask, Say, Text string
		Partial        bool
		Images         []json.RawMessage
	}
	decodeInto(raw, &m)
	asks, answers := m.Ask == "followup", m.Say == "user_feedback" && l.asked != nil
	switch {
	case m.Ask == "" && m.Say == "":
		return false
	case l.mine == nil:
		l.source, l.workspace = taskAt(l.real)
	}
	switch {
	case (asks || answers) && len(m.Text) > l.limit:
		l.flaw(ReasonTooLarge)
		l.dropAsked()
	case answers:
		l.answerAsked(m.Text, len(m.Images), m.TS)
	case asks && m.Partial:
		// still arriving: the whole question takes its place
	case asks:
		l.dropAsked()
		l.showed(m.Text, m.TS)
	case m.Ask != "", m.Say == "api_req_started", m.Say == "completion_result", m.Say == "task":
		l.dropAsked() // the task continued without an answer
	}
	return true
}

// showed takes a question. Its text is JSON, and was the question itself in older versions. Cline notes in it which option was chosen.
func (l *log) showed(text string, at stamp) {
	var from struct {
		Question string
		Suggest  []suggestion
		Options  []string
		Selected string
	}
	if strings.HasPrefix(text, "{") {
		decodeInto([]byte(text), &from)
	} else {
		from.Question = text
	}
	read, _, ok := followupCall(from.Question, from.Options...)
	if !ok {
		return
	}
	for _, one := range from.Suggest {
		if one.Answer != "" {
			read.Followup.Suggest = append(read.Followup.Suggest, question.Suggestion(one))
		}
	}
	read.Notices = question.Notices(read.Followup.Suggest)
	id := l.scope + "/" + short(at.String()+read.Followup.Question)
	c := &call{Exchange: Exchange{ID: id, Source: l.source, Call: read, AskedAt: at.Time}}
	switch {
	case c.Source == "" && from.Options != nil:
		c.Source = Cline
	case c.Source == "":
		c.Source = Roo
	}
	if l.asked = c; from.Selected != "" {
		l.answerAsked(from.Selected, 0, stamp{})
	}
}

// answerAsked emits the question that is shown with its answer.
func (l *log) answerAsked(words string, images int, at stamp) {
	c := l.asked
	if words == "" && images == 0 {
		l.dropAsked()
		return
	}
	l.asked, c.AnsweredAt = nil, at.Time
	c.answer(words)
	l.emitExchange(c.Exchange)
}

// dropAsked gives up a question that was shown.
func (l *log) dropAsked() {
	if l.asked != nil {
		l.asked = nil
		l.report.Unanswered++
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

// taskAt reads what the path and the other files of its folder say about a task.
func taskAt(path string) (source Source, workspace string) {
	folder := filepath.Dir(path)
	if source = sourceOf(path); source == "" {
		switch metadata := look(filepath.Join(folder, metadataFile)); {
		case bytes.Contains(metadata, []byte(`"cline_read_date"`)):
			source = Cline
		case bytes.Contains(metadata, []byte(`"roo_read_date"`)):
			source = Roo
		}
	}
	var item struct{ Workspace string }
	if decodeInto(look(filepath.Join(folder, historyFile)), &item); item.Workspace != "" {
		return source, item.Workspace
	}
	if m := workspaceLine().FindSubmatch(look(filepath.Join(folder, messagesFile))); m != nil {
		workspace = decode([]byte(`"` + string(m[1]) + `"`))
	}
	return source, workspace
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
