package transcript

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"followup/internal/protocol"
	"followup/internal/question"
)

// Chats of VS Code, as Copilot's. chatSessions/SESSION.jsonl has lines: the chat first, and then what is now at a path in it. In older versions
// SESSION.json is the chat. Made after microsoft/vscode 047238f9, src/vs/workbench/contrib/chat/common/model/objectMutationLog.ts,
// 05955351, chatQuestionCarouselData.ts, and 07710685, common/tools/builtinTools/askQuestionsTool.ts.
//
// A response has a part of the kind questionCarousel for each call of vscode_askQuestions, and again when it was answered. The result of a request
// has the calls of the agent and their results. A response has no part for the questions of ask_questions, which the editor's own tool followed.
// Made after microsoft/vscode 2e5f7a6a, extensions/copilot/src/extension/prompt/common/conversation.ts, and 0488178c, toolCallRound.ts, and
// after microsoft/vscode-copilot-chat 454cfd9a, src/extension/tools/vscode-node/askQuestionsTool.ts.

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
	Requests, Response, Result, Metadata json.RawMessage
	RequestID, Questions, Data           json.RawMessage
	Timestamp                            stamp
	Kind                                 any
	ResolveID                            string
	IsUsed                               bool
	ToolCallResults                      map[string]json.RawMessage
	ToolCallRounds                       []struct {
		Timestamp stamp
		ToolCalls []struct {
			ID, Name  string
			Arguments json.RawMessage
		}
	}
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
		l.carousel(&p)
	}
	for _, within := range []json.RawMessage{p.Requests, p.Response, p.Result, p.Metadata} {
		l.chat(within, depth-1)
	}
	for _, round := range p.ToolCallRounds {
		for _, c := range round.ToolCalls {
			l.roundCall(ownID(c.ID), c.Name, c.Arguments, round.Timestamp.Time)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(p.ToolCallResults)) {
		l.answer(ownID(id), result{content: p.ToolCallResults[id]})
	}
}

// internalID is what the chat extension adds to the id of a call.
var internalID = pattern(`__vscode-\d+$`)

// ownID is the id that a model gave a call.
func ownID(id string) string { return internalID().ReplaceAllString(id, "") }

// carousel reads a questionnaire: open, answered, or skipped. Only its texts show which call one with an id of its own belongs to, if any.
func (l *log) carousel(p *chatPart) {
	id := ownID(p.ResolveID)
	if uuid.Validate(id) == nil && !l.calls.isOver(id) && !l.isOpen(id) {
		asked, _, _ := carouselQuestions.read(p.Questions)
		l.count(asked.Questionnaire, 1)
	}
	l.calls.take(l.key(id)) // it is written again when it was answered
	if l.ask(Copilot, id, carousel, p.Questions, l.requested) && p.IsUsed {
		l.answer(id, result{parts: []string{string(p.Data)}})
	}
}

// roundCall opens a call of a round, unless a part of the response with an id of its own has its questions.
func (l *log) roundCall(id, name string, arguments json.RawMessage, at time.Time) {
	n, _ := nativeOf(Copilot, name)
	if n == nil || n == carouselQuestions || l.calls.isOver(id) {
		return
	}
	if asked, _, ok := n.read([]byte(decode(arguments))); ok && l.count(asked.Questionnaire, 0) > 0 {
		l.count(asked.Questionnaire, -1)
		l.calls.end(id)
		return
	}
	l.calls.take(l.key(id)) // the part of the response has no end yet
	l.ask(Copilot, id, name, arguments, at)
}

// count adds to the number of a questionnaire's parts with an id of their own, and returns it.
func (l *log) count(all *question.Questionnaire, more int) int {
	var texts strings.Builder
	for _, q := range all.Questions {
		texts.WriteString(q.Question + "\x00")
	}
	key := digestOf(texts.String())
	n, _ := l.carousels.get(key)
	l.carousels.set(key, n+more, 1)
	return n + more
}

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
		return c.chooseAttended(func(key string, _ question.Question) (list []string) {
			var object struct {
				SelectedValue, FreeformValue string
				SelectedValues               []string
			}
			switch raw := values[key]; {
			case json.Unmarshal(raw, &list) == nil:
				return list
			case json.Unmarshal(raw, &object) == nil:
				return append(object.SelectedValues, object.SelectedValue, object.FreeformValue)
			default:
				return []string{decode(raw)}
			}
		})
	},
}

// chooseAttended adds the values that a result has for the key of each question. It returns false if nobody was there.
func (c *call) chooseAttended(values func(key string, q question.Question) []string) bool {
	isAlone := false
	isGiven := c.choose(func(i int, p *pick, q question.Question) {
		for _, value := range values(c.keys[i], q) {
			isAlone = isAlone || strings.HasPrefix(value, unattended)
			p.choose(q, value)
		}
	})
	return isGiven && !isAlone
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

// copilotOther is what ask_questions says was selected where only own words were given.
const copilotOther = "Other"

// copilotQuestions is vscode_askQuestions, and ask_questions; the result is {"answers": {header: {"selected", "freeText", "skipped"}}}.
var copilotQuestions = &native{
	read: byPlace(func(q foreign) string { return q.Header }),
	judge: func(c *call, r *result) bool {
		var from struct {
			Answers map[string]struct {
				Selected []string
				FreeText string
				Skipped  bool
			}
		}
		if json.Unmarshal([]byte(r.first()), &from) != nil || len(from.Answers) == 0 {
			return false
		}
		isSkipped := true
		isGiven := c.chooseAttended(func(key string, q question.Question) []string {
			one := from.Answers[key]
			isSkipped = isSkipped && one.Skipped
			return append(slices.DeleteFunc(one.Selected, func(value string) bool {
				return value == copilotOther && !slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Label == value })
			}), one.FreeText)
		})
		return isGiven || isSkipped && c.dismiss()
	},
}
