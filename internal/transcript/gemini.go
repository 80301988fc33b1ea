package transcript

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"followup/internal/question"
)

// Chats of Gemini CLI: JSONL with a line for each message, written anew when it changes, or, before that, one object with messages. A
// message has toolCalls: {"id", "name", "args", "result", "status", "timestamp"}. Made after google-gemini/gemini-cli 5411f113,
// packages/core/src/services/chatRecordingService.ts, chatRecordingTypes.ts and tools/ask-user.ts.

// toolCalls takes those of a message, each with its result.
func (f *file) toolCalls() error {
	return f.array(func() error {
		b := &f.block
		b.reset()
		if err := f.object(f.toolCallMember); err != nil {
			return err
		}
		n := natives[Gemini][b.name]
		if n == nil {
			return nil
		}
		f.record.source, f.known, f.record.live = Gemini, true, true
		f.openNative(n, b.id, b.input.raw)
		if b.status == "" || b.content.over || len(b.content.raw) == 0 && b.status != "cancelled" {
			return nil
		}
		b.resultOf = b.id
		return f.gaveText(responseText(b.content.raw), func(r *result) { r.at, r.cancelled = instant(b.at), b.status == "cancelled" })
	})
}

func (f *file) toolCallMember(key []byte) error {
	b := &f.block
	switch string(key) {
	case "id":
		return f.text(&b.id)
	case "name":
		return f.text(&b.name)
	case "status":
		return f.text(&b.status)
	case "timestamp":
		return f.value(func(raw []byte) { b.at = append(b.at[:0], raw...) })
	case "args":
		return f.ofNative(Gemini, &b.input)
	case "result":
		return f.ofNative(Gemini, &b.content)
	}
	return f.skip()
}

// responseText is the text of a function's response as Google's API has it: a part, or a list of them.
func responseText(raw []byte) string {
	type part struct {
		Text             string
		FunctionResponse struct {
			Response struct{ Output, Error, Result string }
		}
	}
	var parts []part
	if json.Unmarshal(raw, &parts) != nil {
		var one part
		if json.Unmarshal(raw, &one) != nil {
			return decode(raw)
		}
		parts = []part{one}
	}
	var texts []string
	for _, p := range parts {
		given := p.FunctionResponse.Response
		for _, text := range []string{given.Output, given.Error, given.Result, p.Text} {
			if text != "" {
				texts = append(texts, text)
				break
			}
		}
	}
	return strings.Join(texts, "\n")
}

// geminiQuestions is ask_user; its result is {"answers": {place: label, labels with commas, or own words}}.
var geminiQuestions = &native{
	read: byPlace(nil),
	judge: func(_ *file, r *result, x *Exchange) bool {
		var from struct{ Answers map[string]string }
		if r.cancelled || json.Unmarshal([]byte(r.first()), &from) != nil {
			if r.cancelled {
				x.Outcome = question.Dismissed
				return true
			}
			return x.dismissed(r.first(), "User dismissed ask_user dialog", "[Operation Cancelled]")
		}
		return x.choose(func(i int, a *Answer, q asked) { a.read(q, from.Answers[r.call.keys[i]]) })
	},
}

// geminiProject is the folder that a chat of Gemini CLI belongs to: its project's folder, above chats, says it.
func geminiProject(real string) string {
	chats := filepath.Dir(real)
	if filepath.Base(chats) != "chats" {
		return ""
	}
	return strings.TrimSpace(string(look(filepath.Join(filepath.Dir(chats), ".project_root"))))
}

// Chats of Qwen Code: lines {"sessionId", "timestamp", "cwd", "message"}, whose message has parts with functionCall {"id", "name", "args"}
// and functionResponse {"id", "name", "response": {"output"}}. Made after QwenLM/qwen-code 015346f1,
// packages/core/src/services/chatRecordingService.ts, and 1190f0b0, packages/core/src/tools/askUserQuestion.ts.

// parts takes the parts of a message.
func (f *file) parts() error {
	return f.array(func() error {
		b := &f.block
		b.reset()
		if err := f.object(f.partMember); err != nil {
			return err
		}
		switch n := natives[Qwen][b.name]; {
		case n == nil:
		case b.kind == "functionCall":
			f.openNative(n, b.id, b.input.raw)
		case b.kind == "functionResponse":
			b.resultOf = b.id
			return f.gaveText(responseText(append([]byte(`{"functionResponse":{"response":`), append(b.content.raw, "}}"...)...)), nil)
		}
		return nil
	})
}

func (f *file) partMember(key []byte) error {
	kind := string(key)
	if kind != "functionCall" && kind != "functionResponse" {
		return f.skip()
	}
	f.block.kind = kind
	return f.object(func(key []byte) error {
		b := &f.block
		switch string(key) {
		case "id":
			return f.text(&b.id)
		case "name":
			return f.text(&b.name)
		case "args":
			return f.ofNative(Qwen, &b.input)
		case "response":
			return f.ofNative(Qwen, &b.content)
		}
		return f.skip()
	})
}

// qwenQuestions is ask_user_question; its result has a paragraph for each answer: **Header**: labels, or own words.
var qwenQuestions = &native{
	read: byPlace(func(q foreign) string { return q.Header }),
	judge: func(_ *file, r *result, x *Exchange) bool {
		text, ok := strings.CutPrefix(r.first(), "User has provided the following answers:")
		if !ok {
			return x.dismissed(r.first(), "User declined to answer the questions")
		}
		marks := make([]string, len(r.call.keys))
		for i, header := range r.call.keys {
			if strings.TrimSpace(header) == "" {
				header = "Question " + strconv.Itoa(i+1)
			}
			marks[i] = "\n**" + header + "**: "
		}
		return x.choose(func(i int, a *Answer, q asked) {
			_, value, found := strings.Cut(text, marks[i])
			if !found {
				return
			}
			for _, mark := range marks {
				value, _, _ = strings.Cut(value, mark)
			}
			a.read(q, strings.TrimSpace(value))
		})
	},
}
