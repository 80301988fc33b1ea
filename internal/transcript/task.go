package transcript

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"
	"time"

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

// taskMessage reads what the interface showed: a question, what the user wrote, or something else.
func (l *log) taskMessage(m value) (isMine bool) {
	ask, say, text, at := m.get("ask").text(), m.get("say").text(), m.get("text").text(), m.get("ts").time()
	asks, answers := ask == "followup", say == "user_feedback" && l.asked != nil
	switch {
	case ask == "" && say == "":
		return false
	case l.mine == nil:
		l.source = taskSource(l.real)
	}
	switch {
	case (asks || answers) && len(text) > l.limit:
		l.flaw(ReasonTooLarge)
		l.dropAsked()
	case answers:
		l.answerAsked(text, len(m.get("images").first(1)), at)
	case asks && m.get("partial").isTrue():
		// still arriving: the whole question takes its place
	case asks:
		l.dropAsked()
		l.showed(text, at)
	case ask != "", say == "api_req_started", say == "completion_result", say == "task":
		l.dropAsked() // the task continued without an answer
	}
	return true
}

// showed takes a question. Its text is JSON, and was the question itself in older versions. Cline notes in it which option was chosen.
func (l *log) showed(text string, at time.Time) {
	from, asked := parse(text), text
	if strings.HasPrefix(text, "{") {
		asked = from.get("question").text()
	}
	var suggestions []question.Suggestion
	for _, list := range []value{from.get("options"), from.get("suggest")} {
		for _, one := range list.first(maxAnswers) { // {answer, mode}, or the answer alone
			suggestions = append(suggestions, question.Suggestion{Answer: cmp.Or(one.text(), one.get("answer").text()), Mode: one.get("mode").text()})
		}
	}
	read, ok := followupCall(asked, suggestions)
	if !ok {
		return
	}
	id := l.scope + "/" + short(at.String()+read.Followup.Question)
	c := &call{Exchange: Exchange{ID: id, Source: l.source, Call: read, AskedAt: at}}
	switch {
	case c.Source == "" && from.get("options").json.IsArray():
		c.Source = Cline
	case c.Source == "":
		c.Source = Roo
	}
	l.asked = c
	if selected := from.get("selected").text(); selected != "" {
		l.answerAsked(selected, 0, time.Time{})
	}
}

// answerAsked emits the question that is shown with its answer.
func (l *log) answerAsked(words string, images int, at time.Time) {
	c := l.asked
	if words == "" && images == 0 {
		l.dropAsked()
		return
	}
	l.asked, c.AnsweredAt = nil, at
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

// taskSource returns the source of a task, by its path or by the names in its metadata.
func taskSource(path string) Source {
	metadata := look(filepath.Join(filepath.Dir(path), metadataFile))
	switch source := sourceOf(path); {
	case source != "":
		return source
	case bytes.Contains(metadata, []byte(`"cline_read_date"`)):
		return Cline
	case bytes.Contains(metadata, []byte(`"roo_read_date"`)):
		return Roo
	}
	return ""
}
