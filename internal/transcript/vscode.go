package transcript

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
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

// chatMember takes one member of a line, or of a chat.
func (f *file) chatMember(key []byte) error {
	r := &f.record
	switch string(key) {
	case "kind":
		return f.value(func(raw []byte) { r.kind = string(raw) })
	case "k":
		first := true
		return f.array(func() error {
			if !first {
				return f.skip()
			}
			first = false
			return f.text(&r.path)
		})
	case "v":
		if r.kind == "0" || (r.kind == "1" || r.kind == "2") && f.known && r.path == "requests" {
			r.source = Copilot
			return f.chatValue(0, &f.facts.asked)
		}
	case "requests":
		f.known, r.source = true, Copilot
		return f.chatValue(1, &f.facts.asked)
	}
	return f.skip()
}

// chatValue looks for questions in a chat, a request, a response, or a part of one. At is when its request was made.
func (f *file) chatValue(depth int, at *time.Time) error {
	c, err := f.peek()
	switch {
	case err != nil:
		return err
	case depth > maxChatDepth || c != '[' && c != '{':
		return f.skip()
	case c == '[':
		return f.array(func() error { return f.chatValue(depth+1, at) })
	}
	var part carousel
	err = f.object(func(key []byte) error {
		switch string(key) {
		case "requests":
			f.known = true
			return f.chatValue(depth+1, at)
		case "requestId":
			*at = time.Time{}
		case "timestamp":
			return f.value(func(raw []byte) { *at = instant(raw) })
		case "response", "result", "metadata":
			return f.chatValue(depth+1, at)
		case "toolCallRounds":
			return f.toolCallRounds()
		case "toolCallResults":
			return f.toolCallResults()
		case "kind":
			return f.text(&part.Kind)
		case "resolveId":
			return f.text(&part.ResolveID)
		case "isUsed":
			return f.value(func(raw []byte) { part.used = string(raw) == "true" })
		case "questions", "data":
			if part.Kind == carouselKind {
				return f.carouselMember(&part, string(key))
			}
		}
		return f.skip()
	})
	if err == nil && part.Kind == carouselKind {
		err = f.carousel(&part, *at)
	}
	return err
}

const carouselKind = "questionCarousel"

// carousel is a questionnaire of VS Code's.
type carousel struct {
	Kind, ResolveID string
	questions, data []byte
	used, over      bool
}

func (f *file) carouselMember(part *carousel, key string) error {
	f.block.content.reset()
	if err := f.raw(&f.block.content); err != nil {
		return err
	}
	part.over = part.over || f.block.content.over
	if kept := slices.Clone(f.block.content.raw); key == "data" {
		part.data = kept
	} else {
		part.questions = kept
	}
	return nil
}

// internalID is what the chat extension adds to the id of a call.
var internalID = pattern(`__vscode-\d+$`)

// carousel takes a questionnaire: open, answered, or skipped.
func (f *file) carousel(part *carousel, at time.Time) error {
	if part.over {
		f.damaged(f.name, f.line(), ReasonTooLarge)
		return nil
	}
	all, keys := readCarousel(part.questions)
	if len(keys) == 0 || part.ResolveID == "" {
		return nil
	}
	read := questionnaireCall(all)
	c := &call{tool: question.ToolAskUser, read: &read, input: compacted(part.questions), keys: keys, asked: at}
	id := internalID().ReplaceAllString(part.ResolveID, "")
	f.wasShown(read.Questionnaire, id)
	f.openCall(c, id)
	if !part.used || f.calls.take(f.key(id)) == nil {
		return nil
	}
	x := f.exchange(c)
	if !judgeCarousel(part.data, keys, x) {
		f.unanswered(x)
		return nil
	}
	return f.tell(*x)
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
