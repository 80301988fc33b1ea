package hook

import (
	"cmp"
	"encoding/json"
	"strings"

	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/subject"
)

// opencodeAgent returns opencode, or a fork of it.
func opencodeAgent(name string) agent {
	return agent{
		name: name, read: of(readOpencode), answer: answerOpencode, approval: of(readOpencodeApproval), decide: decideOpencode, follows: true,
	}
}

// readOpencode parses the message of the plugin for opencode and its fork Kilo Code: their event question.asked, with the folder.
func readOpencode(message json.RawMessage, _ locale.Tag) (*Call, error) {
	var from struct {
		ID      string `json:"id"`
		Session string `json:"sessionID"`
		Folder  string `json:"directory"`
		Tool    struct {
			CallID string `json:"callID"`
		} `json:"tool"`
	}
	questions, err := dialect.ReadAsked(message)
	if err = cmp.Or(json.Unmarshal(message, &from), err); err != nil {
		return nil, err
	}
	c := &Call{conversation: from.Session, folder: from.Folder, id: from.ID, call: from.Tool.CallID, beside: true}
	return c.ask(questions), nil
}

// answerOpencode returns the reply to such a question: for each question the chosen labels and the user's words, then everything
// that has no field.
func answerOpencode(c *Call, r reply) any {
	if r.Outcome == protocol.OutcomeDismissed {
		return map[string]any{"rejected": true}
	}
	answers := opencodeAnswers(c, r)
	last := 0
	for i := range answers {
		if len(answers[i]) > 0 {
			last = i
		}
	}
	answers[last] = append(answers[last], r.beside...)
	return map[string]any{"answers": answers}
}

func opencodeAnswers(c *Call, r reply) [][]string {
	if r.Structured == nil || len(r.Structured.Questions) == 0 {
		return [][]string{{userWords(r.Answer)}}
	}
	answers := make([][]string, len(r.Structured.Questions))
	if r.Outcome == protocol.OutcomeReplied {
		answers[0] = []string{r.Text}
	}
	for i, q := range r.Structured.Questions {
		if answers[i] == nil {
			answers[i] = []string{}
		}
		if r.Outcome == protocol.OutcomeReplied {
			continue // already in the text
		}
		switch value := r.Structured.Answers[q.Question].(type) {
		case string:
			answers[i] = append(answers[i], value)
		case []any:
			for _, each := range value {
				label, _ := each.(string)
				answers[i] = append(answers[i], label)
			}
		}
		if notes := r.Structured.Annotations[q.Question].Notes; notes != "" {
			answers[i] = append(answers[i], c.locale.Text("The user's note: {0}", notes))
		}
	}
	return answers
}

// readOpencodeApproval parses the event permission.asked, with the folder.
func readOpencodeApproval(from opencodeRequest, speak locale.Tag) (*Call, error) {
	if from.Permission == "" {
		return nil, nil
	}
	if len(from.Metadata) == 0 {
		from.Metadata = json.RawMessage("{}")
	}
	options := choices()
	if len(from.Always) > 0 {
		options = choices(question.Choice{
			ID: choiceAlways, Kind: question.ChoiceSession,
			Label: speak.Text("Allows {0} without asking: {1}", subject.Visible(from.Permission), subject.Visible(strings.Join(from.Always, ", "))),
		})
	}
	c := &Call{conversation: from.Session, folder: from.Folder, id: from.ID, beside: true}
	return c.approve(question.Approval{Title: from.Permission, Subject: from.subject(), Options: options}), nil
}

// subject returns what the request would allow; empty if that cannot be shown exactly.
func (from opencodeRequest) subject() question.Subject {
	a, ok := readArguments(from.Metadata)
	if !ok {
		return question.Subject{}
	}
	s := question.Subject{Kind: question.SubjectTool, Name: from.Permission, Text: indented(map[string]any{"patterns": from.Patterns, "metadata": a})}
	if command, has := a.text("command"); has {
		s = question.Subject{Kind: question.SubjectCommand, Text: command, Folder: from.Folder}
	} else if url, has := a.text("url"); has && from.Permission == "webfetch" {
		s = question.Subject{Kind: question.SubjectFetch, Text: url}
	} else if patch, has := a.text("diff"); has && from.Permission == "edit" {
		path, _ := a.text("filepath")
		if path == "" {
			path = strings.Join(from.Patterns, ", ")
		}
		s = question.Subject{Kind: question.SubjectEdit, Path: path, Text: patch}
		delete(a, "filediff") // repeats other arguments
	}
	if s.Kind != question.SubjectTool {
		s.OtherArguments = a.others()
	}
	return s
}

type opencodeRequest struct {
	ID         string          `json:"id"`
	Session    string          `json:"sessionID"`
	Folder     string          `json:"directory"`
	Permission string          `json:"permission"`
	Patterns   []string        `json:"patterns"`
	Metadata   json.RawMessage `json:"metadata"`
	Always     []string        `json:"always"`
}

// decideOpencode returns the decision as the reply to such a request.
func decideOpencode(_ *Call, r reply, allowed bool) any {
	switch {
	case !allowed:
		return map[string]any{"reply": "reject", "message": r.Text}
	case r.Option == choiceAlways:
		return map[string]any{"reply": "always"}
	}
	return map[string]any{"reply": "once"}
}
