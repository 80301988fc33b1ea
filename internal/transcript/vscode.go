package transcript

import (
	"bytes"
	"cmp"
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

// maxChatDepth bounds how deeply a part of a response is nested in a line: chat, requests, request, response, part.
const maxChatDepth = 8

// carousel is the kind of a part that is a questionnaire.
const carousel = "questionCarousel"

// chatMembers are those of a line, or of a chat.
func (f *file) chatMembers() members {
	inRequests := false
	chat := f.chatValue()
	return members{
		"kind": f.value(func(raw []byte) { f.record.kind, inRequests = string(raw), false }),
		"k": f.value(func(raw []byte) {
			inRequests = bytes.HasPrefix(bytes.TrimLeft(raw, "[ \t\r\n"), []byte(`"requests"`))
		}),
		"v": f.when(func() bool {
			kind := f.record.kind
			return kind == "0" || (kind == "1" || kind == "2") && f.known && inRequests
		}, func() error {
			f.record.source = Copilot
			return chat()
		}),
		"requests": func() error {
			f.known, f.record.source = true, Copilot
			return chat()
		},
	}
}

// chatValue takes a chat, a request, a response, or a part of one, and looks for questions in it.
func (f *file) chatValue() take {
	b, depth := &f.block, 0
	var used bool
	var within take
	deeper := func() error { return within() }
	isCarousel := func() bool { return b.name == carousel }
	part := f.piece(Copilot, members{
		"requests": f.marks(deeper), "response": deeper, "result": deeper, "metadata": deeper,
		"toolCallRounds": f.list(f.toolCallRound()), "toolCallResults": f.toolCallResults,
		"requestId": func() error {
			f.requested = time.Time{}
			return f.skip()
		},
		"timestamp": f.set(&f.requested), "kind": f.set(&b.name), "resolveId": f.set(&b.id), "isUsed": f.set(&used),
		"questions": f.when(isCarousel, f.raw(&b.input)), "data": f.when(isCarousel, f.raw(&b.content)),
	}, func() error {
		defer b.reset(Copilot) // the object around the part is not a questionnaire
		if !isCarousel() {
			return nil
		}
		return f.carousel(used)
	})
	list := f.list(deeper)
	within = func() error {
		c, err := f.peek()
		if err != nil || depth == maxChatDepth || c != '[' && c != '{' {
			return f.skip()
		}
		depth++
		defer func() { depth-- }()
		if c == '[' {
			return list()
		}
		used = false
		return part()
	}
	return within
}

// internalID is what the chat extension adds to the id of a call.
var internalID = pattern(`__vscode-\d+$`)

// carousel takes a questionnaire: open, answered, or skipped.
func (f *file) carousel(used bool) error {
	b := &f.block
	read, _, ok := carouselQuestions.read(b.input.raw)
	if b.id == "" || !ok && !b.input.over {
		return nil
	}
	b.id = internalID().ReplaceAllString(b.id, "")
	if ok {
		f.wasShown(read.Questionnaire, b.id)
	}
	f.calls.take(f.callKey(b.id)) // it is written again when it was answered
	f.open()
	c := f.calls.open[f.callKey(b.id)]
	if c == nil {
		return nil
	}
	if c.asked = f.requested; !used {
		return nil
	}
	if err := f.closeWith(string(b.content.raw)); err != nil {
		return err
	}
	return f.emitResults() // before a round of the request repeats the call
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
		_ = json.Unmarshal(input, &from) // what has another form is left out
		all := make([]foreign, len(from))
		for i, one := range from {
			var markdown struct{ Value string }
			_ = json.Unmarshal(one.Message, &markdown)
			all[i] = foreign{
				ID: one.ID, Header: one.Title, Question: cmp.Or(decode(one.Message), markdown.Value, one.Title),
				MultiSelect: one.Type == "multiSelect",
			}
			for _, o := range one.Options {
				value, _ := o.Value.(string)
				label := cmp.Or(value, o.Label)
				description, _ := strings.CutPrefix(strings.TrimPrefix(o.Label, label), " - ")
				all[i].Options = append(all[i].Options, foreignOption{label, description})
			}
		}
		return questionnaireCall(all, func(q foreign) string { return q.ID })
	},
	judge: func(r *result, x *Exchange) bool {
		var values map[string]json.RawMessage
		_ = json.Unmarshal([]byte(r.first()), &values)
		if len(values) == 0 {
			return x.dismiss()
		}
		alone := false
		given := x.choose(func(i int, a *Answer, q question.Question) {
			raw := values[r.call.keys[i]]
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
				a.choose(q, value)
			}
		})
		return given && !alone
	},
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
