package transcript

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"followup/internal/question"
)

// Chats of VS Code, as Copilot's: chatSessions/SESSION.jsonl has lines {"kind": 0, "v": the chat} and then {"kind": 1 to 3, "k": path, "v":
// what is there now}; before that, SESSION.json is the chat. A response has a part {"kind": "questionCarousel", "resolveId", "questions",
// "data", "isUsed"} for each vscode_askQuestions, again when it was answered. Made after microsoft/vscode 047238f9,
// src/vs/workbench/contrib/chat/common/model/objectMutationLog.ts, 05955351, chatQuestionCarouselData.ts, and 07710685,
// common/tools/builtinTools/askQuestionsTool.ts.

// maxChatDepth is how deep a part of a response stands in a line: chat, requests, request, response, part.
const maxChatDepth = 8

// carouselKind is the kind of a part that is a questionnaire.
const carouselKind = "questionCarousel"

// chatMembers are those of a line, or of a chat.
func (f *file) chatMembers() members {
	path, first := "", true
	step := f.text(&path)
	steps := f.list(func() error {
		if !first {
			return f.skip()
		}
		first = false
		return step()
	})
	chat := f.chatValue()
	requests := func() error {
		f.known, f.record.source = true, Copilot
		return chat()
	}
	return members{
		"kind": f.value(func(raw []byte) { f.record.kind, path = string(raw), "" }),
		"k": func() error {
			first = true
			return steps()
		},
		"v": f.when(func() bool {
			kind := f.record.kind
			return kind == "0" || (kind == "1" || kind == "2") && f.known && path == "requests"
		}, func() error {
			f.record.source = Copilot
			return chat()
		}),
		"requests": requests,
	}
}

// chatValue takes a chat, a request, a response, or a part of one, and looks for questions in it.
func (f *file) chatValue() take {
	b, depth := &f.block, 0
	var used bool
	var within take // a value of those in which there can be questions
	isCarousel := func() bool { return b.kind == carouselKind }
	part := f.object(members{
		"requests": f.marks(func() error { return within() }), "response": func() error { return within() },
		"result": func() error { return within() }, "metadata": func() error { return within() },
		"requestId": func() error {
			f.requested = time.Time{}
			return f.skip()
		},
		"timestamp": f.time(&f.requested), "toolCallRounds": f.list(f.toolCallRound()), "toolCallResults": f.toolCallResults,
		"kind": f.text(&b.kind), "resolveId": f.text(&b.id), "isUsed": f.is("true", &used),
		"questions": f.when(isCarousel, f.raw(&b.input)), "data": f.when(isCarousel, f.raw(&b.content)),
	})
	object := func() error {
		b.reset(Copilot)
		used = false
		err := part()
		if err == nil && isCarousel() {
			err = f.carousel(used)
		}
		b.reset(Copilot) // what it is part of is none
		return err
	}
	list := f.list(func() error { return within() })
	within = func() error {
		c, err := f.peek()
		depth++
		defer func() { depth-- }()
		switch {
		case err != nil:
			return err
		case depth > maxChatDepth+1 || c != '[' && c != '{':
			return f.skip()
		case c == '[':
			return list()
		}
		return object()
	}
	return within
}

// internalID is what the chat extension adds to the id of a call.
var internalID = pattern(`__vscode-\d+$`)

// carousel takes a questionnaire: open, answered, or skipped.
func (f *file) carousel(used bool) error {
	b := &f.block
	if b.input.over || b.content.over {
		f.damaged(f.name, f.line, ReasonTooLarge)
		return nil
	}
	all, keys := readCarousel(b.input.raw)
	if len(keys) == 0 || b.id == "" {
		return nil
	}
	read := questionnaireCall(all)
	c := &call{tool: question.ToolAskUser, read: &read, input: compacted(b.input.raw), keys: keys, asked: f.requested}
	id := internalID().ReplaceAllString(b.id, "")
	f.wasShown(read.Questionnaire, id)
	f.openCall(c, id)
	if !used || f.calls.take(f.callKey(id)) == nil {
		return nil
	}
	x := f.exchange(c)
	if !judgeCarousel(b.content.raw, keys, x) {
		f.unanswered(x)
		return nil
	}
	return f.emitExchange(*x)
}

// readCarousel reads the questions as they were shown: an option's label has its description behind a dash.
func readCarousel(raw []byte) (*question.Questionnaire, []string) {
	var from []struct {
		ID, Type, Title string
		Message         json.RawMessage // a text, or {"value"}
		Options         []struct {
			ID, Label string
			Value     any
		}
	}
	_ = json.Unmarshal(raw, &from)
	var all question.Questionnaire
	var keys []string
	for _, one := range from {
		var markdown struct{ Value string }
		text := decode(one.Message)
		if text == "" && json.Unmarshal(one.Message, &markdown) == nil {
			text = markdown.Value
		}
		if text == "" {
			text = one.Title
		}
		if len(keys) == maxAnswers || strings.TrimSpace(text) == "" {
			continue
		}
		q := question.Question{Question: strings.TrimSpace(text), Header: one.Title, MultiSelect: one.Type == "multiSelect", Options: []question.Option{}}
		for _, o := range one.Options {
			label, _ := o.Value.(string)
			if label == "" {
				label = o.Label
			}
			description, _ := strings.CutPrefix(strings.TrimPrefix(o.Label, label), " - ")
			if len(q.Options) < maxAnswers && strings.TrimSpace(label) != "" {
				q.Options = append(q.Options, question.Option{Label: label, Description: description})
			}
		}
		keys = append(keys, one.ID)
		all.Questions = append(all.Questions, q)
	}
	return &all, keys
}

// unattended is what VS Code gives an agent in place of the user's words when nobody is there.
const unattended = "The user is not available to respond and will review your work later."

// judgeCarousel reads {id: text | list | {"selectedValue", "selectedValues", "freeformValue"}}. Without any the user skipped all.
func judgeCarousel(data []byte, keys []string, x *Exchange) bool {
	var values map[string]json.RawMessage
	_ = json.Unmarshal(data, &values)
	if len(values) == 0 {
		x.Outcome = question.Dismissed
		return true
	}
	alone := false
	given := x.choose(func(i int, a *Answer, q asked) {
		raw := values[keys[i]]
		var list []string
		var object struct {
			SelectedValue  string
			SelectedValues []string
			FreeformValue  string
		}
		if json.Unmarshal(raw, &list) != nil {
			if list = nil; json.Unmarshal(raw, &object) == nil {
				list = append(object.SelectedValues, object.SelectedValue, object.FreeformValue)
			} else {
				list = []string{decode(raw)}
			}
		}
		for _, value := range list {
			alone = alone || strings.HasPrefix(value, unattended)
			if value != "" {
				a.choose(q, value)
			}
		}
	})
	return given && !alone
}

// chatWorkspace is the folder that a chat belongs to: the editor notes it above chatSessions.
func chatWorkspace(real string) string {
	chats := filepath.Dir(real)
	if filepath.Base(chats) != "chatSessions" {
		return ""
	}
	var about struct{ Folder string }
	_ = json.Unmarshal(look(filepath.Join(filepath.Dir(chats), "workspace.json")), &about)
	if u, err := url.Parse(about.Folder); err == nil && u.Scheme == "file" {
		return filepath.FromSlash(u.Path)
	}
	return about.Folder
}
