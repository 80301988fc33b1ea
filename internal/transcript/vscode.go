package transcript

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	"followup/internal/protocol"
	"followup/internal/question"
)

// Chats of VS Code, as Copilot's. chatSessions/SESSION.jsonl has lines: the chat first, and then what is now at a path in it. In older versions
// SESSION.json is the chat. Made after microsoft/vscode 047238f9, src/vs/workbench/contrib/chat/common/model/objectMutationLog.ts.
//
// A response has a part of the kind questionCarousel for each questionnaire, of the editor's own tool or of another extension, and again when it
// was answered. Made after microsoft/vscode 05955351, chatQuestionCarouselData.ts, and 07710685, common/tools/builtinTools/askQuestionsTool.ts.

// carousel is the kind of a part that is a questionnaire.
const carousel = "questionCarousel"

// vscodeChat reads a line, or a chat.
func (l *log) vscodeChat(raw []byte) (isMine bool) {
	var line struct {
		Kind, V, Requests json.RawMessage
		K                 []any
	}
	decodeInto(raw, &line)
	switch {
	case line.Requests != nil:
		l.chat(raw, maxChatDepth)
	case string(line.Kind) == "0", l.known && len(line.K) > 0 && line.K[0] == "requests":
		l.chat(line.V, maxChatDepth)
	}
	return l.source == Copilot
}

// chatPart is a chat, a request, a response, or a part of one.
type chatPart struct {
	Requests, Response         json.RawMessage
	RequestID, Questions, Data json.RawMessage
	Timestamp                  stamp
	Kind                       any
	ResolveID                  string
	IsUsed                     bool
}

// maxChatDepth bounds how deeply a part of a response is nested in a line: chat, requests, request, response, part.
const maxChatDepth = 8

// chat looks for questions in a chat, or in a part of one.
func (l *log) chat(raw json.RawMessage, depth int) {
	var list []json.RawMessage
	if depth == 0 || raw == nil {
		return
	}
	if json.Unmarshal(raw, &list) == nil {
		for _, one := range list {
			l.chat(one, depth-1)
		}
		return
	}
	var p chatPart
	decodeInto(raw, &p)
	if p.Requests != nil {
		l.source = Copilot
	}
	if p.RequestID != nil || !p.Timestamp.IsZero() {
		l.requested = p.Timestamp.Time
	}
	if p.Kind == carousel {
		id := internalID().ReplaceAllString(p.ResolveID, "")
		l.calls.take(l.key(id)) // it is written again when it was answered
		if l.ask(Copilot, id, carousel, p.Questions, l.requested) && p.IsUsed {
			l.answer(id, result{parts: []string{string(p.Data)}})
		}
	}
	l.chat(p.Requests, depth-1)
	l.chat(p.Response, depth-1)
}

// internalID is what the chat extension adds to the id of a call.
var internalID = pattern(`__vscode-\d+$`)

// unattended is what VS Code gives an agent in place of the user's words when nobody is there.
const unattended = "The user is not available to respond and will review your work later."

// carouselQuestions are the questions as they were shown: an option's label has its description behind a dash. The result is {id: text |
// list | {"selectedValue", "selectedValues", "freeformValue"}}; it is empty if the user skipped all.
var carouselQuestions = &native{
	read: func(input []byte) (question.Call, []string, bool) {
		var from []struct {
			ID, Type, Title string
			Message         json.RawMessage // a text, or {"value"}
			Options         []struct {
				Label string
				Value any
			}
		}
		decodeInto(input, &from)
		all := make([]foreign, len(from))
		for i, one := range from {
			var markdown struct{ Value string }
			decodeInto(one.Message, &markdown)
			all[i] = foreign{ID: one.ID, Question: question.Question{
				Question: cmp.Or(decode(one.Message), markdown.Value, one.Title), Header: one.Title, MultiSelect: one.Type == "multiSelect",
			}}
			for _, o := range one.Options {
				value, _ := o.Value.(string)
				label := cmp.Or(value, o.Label)
				description, _ := strings.CutPrefix(strings.TrimPrefix(o.Label, label), " - ")
				all[i].Options = append(all[i].Options, question.Option{Label: label, Description: description})
			}
		}
		return questionnaireCall(all, func(q foreign) string { return q.ID })
	},
	judge: func(c *call, r *result) bool {
		var values map[string]json.RawMessage
		if decodeInto([]byte(r.first()), &values); len(values) == 0 {
			return c.dismiss()
		}
		isAlone := false
		isGiven := c.choose(func(i int, p *pick, q question.Question) {
			var list []string
			var object struct {
				SelectedValue, FreeformValue string
				SelectedValues               []string
			}
			switch raw := values[c.keys[i]]; {
			case json.Unmarshal(raw, &list) == nil:
			case json.Unmarshal(raw, &object) == nil:
				list = append(object.SelectedValues, object.SelectedValue, object.FreeformValue)
			default:
				list = []string{decode(raw)}
			}
			for _, value := range list {
				isAlone = isAlone || strings.HasPrefix(value, unattended)
				p.choose(q, value)
			}
		})
		return isGiven && !isAlone
	},
}

// chatWorkspace is the folder that a chat belongs to: the editor notes it above chatSessions.
func chatWorkspace(real string) string {
	chats := filepath.Dir(real)
	if filepath.Base(chats) != "chatSessions" {
		return ""
	}
	var about struct{ Folder string }
	decodeInto(look(filepath.Join(filepath.Dir(chats), "workspace.json")), &about)
	return protocol.PathOf(about.Folder)
}
