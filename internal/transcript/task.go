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
	source    Source // empty where it is not known
	workspace string
}

// shown is a question that the interface of a task showed.
type shown struct {
	Question string
	Suggest  []json.RawMessage // {answer, mode}, or the answer alone
	Options  []string
	Selected string

	at time.Time
}

// showed takes what the interface showed: a question, what the user wrote, or something else.
func (f *file) showed() error {
	r := &f.record
	switch {
	case r.say == sayFeedback && f.asked != nil:
		return f.wrote()
	case r.ask == askFollowup && r.text.over:
		f.damaged(f.name, f.line(), ReasonTooLarge)
		f.drop()
	case r.ask == askFollowup && r.partial:
		// still arriving: the whole question takes its place
	case r.ask == askFollowup:
		f.drop()
		return f.showedQuestion()
	case r.ask != "", r.say == "api_req_started", r.say == "completion_result", r.say == "task":
		f.drop() // the task went on without an answer
	}
	return nil
}

// showedQuestion takes a question. Its text is JSON, and was the question itself in older versions. Cline notes in it which option was
// chosen.
func (f *file) showedQuestion() error {
	text := decode(f.record.text.raw)
	asked := shown{at: f.record.at}
	if !strings.HasPrefix(text, "{") {
		asked.Question = text
	} else {
		_ = json.Unmarshal([]byte(text), &asked) // what has another form is left out
	}
	if strings.TrimSpace(asked.Question) == "" {
		return nil
	}
	f.asked = &asked
	if asked.Selected == "" {
		return nil
	}
	return f.tellShown(asked.Selected, 0, time.Time{})
}

// wrote takes the answer to the question that is shown.
func (f *file) wrote() error {
	r := &f.record
	if r.text.over {
		f.damaged(f.name, f.line(), ReasonTooLarge)
		f.drop()
		return nil
	}
	words := decode(r.text.raw)
	if words == "" && r.images == 0 {
		f.drop()
		return nil
	}
	return f.tellShown(words, r.images, r.at)
}

func (f *file) tellShown(words string, images int, at time.Time) error {
	x := f.asked.exchange()
	f.asked = nil
	x.AnsweredAt, x.Outcome, x.AnswerText, x.Images = at, question.Answered, words, images
	return f.tell(x)
}

// exchange begins the exchange of a question that was shown.
func (s *shown) exchange() Exchange {
	payload := question.Followup{Question: strings.TrimSpace(s.Question), Suggest: []question.Suggestion{}}
	for _, raw := range s.Suggest {
		var one struct {
			Answer string
			Mode   json.RawMessage
		}
		if one.Answer = decode(raw); one.Answer == "" {
			_ = json.Unmarshal(raw, &one) // what has another form is left out
		}
		if one.Answer != "" {
			payload.Suggest = append(payload.Suggest, question.Suggestion{Answer: one.Answer, Mode: decode(one.Mode)})
		}
	}
	source := Roo
	if s.Options != nil {
		source = Cline
	}
	for _, o := range s.Options {
		payload.Suggest = append(payload.Suggest, question.Suggestion{Answer: o})
	}
	return Exchange{
		Source: source, Tool: question.ToolFollowup, AskedAt: s.at,
		Call: question.Call{
			Tool: question.ToolFollowup, Followup: &payload,
			Repairs: []question.Code{}, Notices: question.Notices(payload.Suggest),
		},
	}
}

// inTask says of an exchange what the task tells.
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
		f.unanswered(f.exchange(c))
	}
	f.tagged = nil
	if f.asked != nil {
		x := f.asked.exchange()
		f.unanswered(&x)
		f.asked = nil
	}
}

// dropCalls gives up the calls of a task that wait for their result, at its end. Those of a transcript can go on in another file.
func (f *file) dropCalls() {
	for key, c := range f.calls.open {
		if c.id == "" {
			f.calls.take(key)
			f.unanswered(f.exchange(c))
		}
	}
}

// sourceOf tells the source from a path: the storage of an extension has its identifier in it. It is empty when the path does not
// tell.
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

// workspaceLine is what tasks tell their model about where they work, in the JSON of a message.
var workspaceLine = pattern(`# Current (?:Workspace|Working) Directory \(((?:[^"\\\n]|\\.)+?)\) Files`)

// taskAt learns what the other files of the folder tell about a task.
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
