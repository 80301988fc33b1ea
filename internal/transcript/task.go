package transcript

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"followup/internal/question"
)

// Files in the folder of a task of Roo Code or a related tool. interfaceFile has the questions and answers as they were
// shown. messagesFile has them in the form of the model's API; only the workspace is read from it.
const (
	interfaceFile = "ui_messages.json"
	messagesFile  = "api_conversation_history.json"
	historyFile   = "history_item.json"
	metadataFile  = "task_metadata.json"
)

// shown is the id of the question that a task shows. It is not valid UTF-8, so no id in a log equals it.
const shown = "\xff"

// taskMessage reads a message of the interface: a question, the user's words, or another one.
func (l *log) taskMessage(m value) (isMine bool) {
	ask, say, text := m.get("ask").text(), m.get("say").text(), m.get("text").text()
	switch {
	case ask == "" && say == "":
		return false
	case len(l.readers) > 1:
		l.source = taskSource(l.real)
	}
	asks, goesOn := ask == "followup", []string{"user_feedback", "api_req_started", "completion_result", "task"}
	if asks && m.get("partial").isTrue() || ask == "" && !slices.Contains(goesOn, say) {
		return true // a partial question is written again later; other messages leave the question open
	}
	c, images := l.calls.take(l.key(shown)), m.get("images").json
	answers := c != nil && say == "user_feedback"
	if (asks || answers) && len(text) > l.limit {
		l.flaw(ReasonTooLarge)
		asks, answers = false, false
	}
	switch {
	case answers && (text != "" || images.IsArray() && images.Raw != "[]"):
		c.AnsweredAt = m.get("ts").time()
		c.end(question.Answered, text)
		l.emitExchange(c.Exchange)
	case c != nil: // the task continued without an answer
		l.report.Unanswered++
	}
	if asks && !answers {
		l.showed(text, m.get("ts").time())
	}
	return true
}

// showed opens the call of a question. The text is JSON; in older versions it is the question itself. Cline adds the chosen
// option to it.
func (l *log) showed(text string, at time.Time) {
	from, asked, source := parse(text), text, Roo
	if strings.HasPrefix(text, "{") {
		asked = from.get("question").text()
	}
	if from.get("options").json.IsArray() {
		source = Cline
	}
	var suggestions []question.Suggestion
	for _, list := range []value{from.get("options"), from.get("suggest")} {
		for one := range list.list(maxAnswers) { // {answer, mode}, or the answer alone
			suggestions = append(suggestions, question.Suggestion{Answer: cmp.Or(one.text(), one.get("answer").text()), Mode: one.get("mode").text()})
		}
	}
	read, ok := followupCall(asked, suggestions)
	if !ok {
		return
	}
	id := filepath.Base(l.session) + "/" + short(at.String()+read.Followup.Question)
	c := &call{Exchange: Exchange{ID: id, Source: cmp.Or(l.source, source), Call: read, AskedAt: at}}
	if selected := from.get("selected").text(); selected != "" {
		c.end(question.Answered, selected)
		l.emitExchange(c.Exchange)
	} else {
		l.report.Unanswered += l.calls.add(l.key(shown), c)
	}
}

// sourceOf returns the source that a path reveals: the path of an extension's storage contains its identifier. It returns
// "" for other paths.
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

// taskSource returns the source of a task, from its path or its metadata.
func taskSource(path string) Source {
	metadata := string(look(filepath.Join(filepath.Dir(path), metadataFile)))
	switch source := sourceOf(path); {
	case source != "":
		return source
	case strings.Contains(metadata, `"cline_read_date"`):
		return Cline
	case strings.Contains(metadata, `"roo_read_date"`):
		return Roo
	}
	return ""
}
