package transcript

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"followup/internal/question"
)

// Files of a task folder.
const (
	interfaceFile = "ui_messages.json"
	messagesFile  = "api_conversation_history.json"
	historyFile   = "history_item.json"
	metadataFile  = "task_metadata.json"
)

// What a task's interface shows: a question, and what the user wrote.
const (
	askFollowup = "followup"
	sayFeedback = "user_feedback"
)

// task is what is known of a task besides its messages.
type task struct {
	source    Source // empty if it is not known
	workspace string
}

// taskMessage is what a task's interface showed: {"ts", "type", "ask", "say", "text", "images", "partial"}.
type taskMessage struct {
	ask, say string
	partial  bool
	header   bool // the result of a call in tags was announced
	text     capture
}

// taskMembers are those of a message of a task: of its interface, or of its model, which has role and content.
func (f *file) taskMembers() members {
	r, m := &f.record, &f.record.task
	content := func() error {
		r.live, f.known = true, f.known || r.role != ""
		return f.content()
	}
	return members{
		"role": f.set(&r.role), "content": content, "partial": f.set(&m.partial),
		"ask": f.marks(f.set(&m.ask)), "say": f.marks(f.set(&m.say)),
		"text": f.when(func() bool {
			return (m.say == "" || m.say == sayFeedback) && (m.ask == "" || m.ask == askFollowup)
		}, f.raw(&m.text)),
		"images": f.list(func() error {
			r.images++
			return f.skip()
		}),
	}
}

// marks takes a value that only logs of a known kind have.
func (f *file) marks(then take) take {
	return func() error {
		f.known = true
		return then()
	}
}

// suggestion is {answer, mode}, or the answer alone.
type suggestion question.Suggestion

// UnmarshalJSON never fails: it leaves out what has another form.
func (s *suggestion) UnmarshalJSON(raw []byte) error {
	var from struct{ Answer, Mode json.RawMessage }
	if s.Answer = decode(raw); s.Answer == "" {
		_ = json.Unmarshal(raw, &from)
		s.Answer, s.Mode = decode(from.Answer), decode(from.Mode)
	}
	return nil
}

// showed takes what the interface showed: a question, what the user wrote, or something else.
func (f *file) showed() error {
	r, m := &f.record, &f.record.task
	asks, answers := m.ask == askFollowup, m.say == sayFeedback && f.asked != nil
	switch {
	case (asks || answers) && m.text.over:
		f.damaged(f.name, f.line, ReasonTooLarge)
		f.drop()
	case answers:
		return f.answerShown(decode(m.text.raw), r.images, r.at)
	case asks && m.partial:
		// still arriving: the whole question takes its place
	case asks:
		f.drop()
		return f.showedQuestion()
	case m.ask != "", m.say == "api_req_started", m.say == "completion_result", m.say == "task":
		f.drop() // the task continued without an answer
	}
	return nil
}

// showedQuestion takes a question. Its text is JSON, and was the question itself in older versions. Cline notes in it which option was
// chosen.
func (f *file) showedQuestion() error {
	var from struct {
		Question string
		Suggest  []suggestion
		Options  []string
		Selected string
	}
	if text := decode(f.record.task.text.raw); strings.HasPrefix(text, "{") {
		_ = json.Unmarshal([]byte(text), &from) // what has another form is left out
	} else {
		from.Question = text
	}
	read, _, ok := followupCall(from.Question)
	if !ok {
		return nil
	}
	for _, one := range from.Suggest {
		if one.Answer != "" {
			read.Followup.Suggest = append(read.Followup.Suggest, question.Suggestion(one))
		}
	}
	for _, o := range from.Options {
		read.Followup.Suggest = append(read.Followup.Suggest, question.Suggestion{Answer: o})
	}
	read.Notices = question.Notices(read.Followup.Suggest)
	f.asked = &call{tool: question.ToolFollowup, read: &read, asked: f.record.at, source: Roo}
	if from.Options != nil {
		f.asked.source = Cline
	}
	if from.Selected == "" {
		return nil
	}
	return f.answerShown(from.Selected, 0, time.Time{})
}

// answerShown emits the question that is shown with its answer.
func (f *file) answerShown(words string, images int, at time.Time) error {
	c := f.asked
	f.asked = nil
	return f.answered(&result{call: c, parts: []string{element(tagAnswer, words)}, images: images}, at)
}

// element is how a result holds the user's words.
func element(tag, words string) string { return "<" + tag + ">\n" + words + "\n</" + tag + ">" }

// wantsText reports whether a text can matter: in the messages of tasks, where calls were written in tags.
func (f *file) wantsText() bool {
	return !f.nested && (f.record.role == roleAssistant || f.record.role == roleUser && len(f.tagged) > 0)
}

// said takes the text of a task's message: calls in tags, or the answer to them.
func (f *file) said() error {
	text, r := &f.block.text, &f.record
	switch {
	case text.over:
		f.damaged(f.name, f.line, ReasonTooLarge)
	case !f.wantsText():
	case r.role == roleUser:
		f.answeredInTags(decode(text.raw))
	case bytes.Contains(text.raw, []byte(question.ToolFollowup)):
		for _, read := range f.o.ReadTags(decode(text.raw)) {
			c := &call{tool: read.Tool, read: &read, live: true, fresh: true}
			f.tagged = append(f.tagged, c)
			r.calls = append(r.calls, c)
		}
	}
	return nil
}

// resultHeader begins the text that announces the result of a call in tags: [ask_followup_question for 'QUESTION'] Result:
const resultHeader = "[" + question.ToolFollowup + " for '"

// answeredInTags takes a text of the message that follows calls in tags. Only the first call of a message is ever run.
func (f *file) answeredInTags(text string) {
	r := &f.record
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, resultHeader) {
		r.task.header = true
		_, text, _ = strings.Cut(text, "'] Result:")
		text = strings.TrimSpace(text)
	}
	words, tag := wrapped(text)
	if tag == tagAnswer || tag != "" && r.task.header {
		r.results = append(r.results, result{call: f.tagged[0], parts: []string{element(tag, words)}})
		f.tagged = f.tagged[1:]
	}
}

// inTask adds to an exchange what is known of its task.
func (f *file) inTask(x *Exchange) {
	about := f.task()
	x.Workspace = about.workspace
	switch {
	case about.source != "":
		x.Source = about.source
	case x.Source == "" && bytes.Contains(x.Input, []byte(`"options"`)):
		x.Source = Cline
	case x.Source == "":
		x.Source = Roo
	}
	x.ID = f.idIn(&f.counts, x)
}

// idIn makes the id of an exchange of a task. Both files of a folder hold the same exchanges, and neither has an id that the
// other knows; so it is made of the task, the question, and how often that was counted before.
func (f *file) idIn(counts *generations[int], x *Exchange) string {
	what := string(x.Input)
	if x.Call.Followup != nil {
		what = strings.Join(strings.Fields(html.UnescapeString(x.Call.Followup.Question)), " ")
	}
	d := digest(what)
	n, _ := counts.get(d)
	counts.set(d, n+1)
	task := filepath.Base(filepath.Dir(f.real))
	if task == "." {
		task = f.scope
	}
	return task + "/" + short(d) + "/" + strconv.Itoa(n+1)
}

// drop gives up what waits for the next message.
func (f *file) drop() {
	for _, c := range f.tagged {
		f.unanswered(c)
	}
	f.tagged = nil
	if f.asked != nil {
		f.unanswered(f.asked)
		f.asked = nil
	}
}

// dropCalls gives up the calls of a task that wait for their result, at its end. Those of a transcript can continue in another file.
func (f *file) dropCalls() {
	for key, c := range f.calls.open {
		if c.id == "" {
			f.calls.take(key)
			f.unanswered(c)
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
