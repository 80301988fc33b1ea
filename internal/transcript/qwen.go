package transcript

import (
	"strconv"
	"strings"

	"followup/internal/question"
)

// Chats of Qwen Code: lines {"sessionId", "timestamp", "cwd", "message"}, whose message has parts with functionCall {"id", "name", "args"}
// and functionResponse {"id", "name", "response": {"output"}}. Made after QwenLM/qwen-code 015346f1,
// packages/core/src/services/chatRecordingService.ts, and 1190f0b0, packages/core/src/tools/askUserQuestion.ts.

// qwenParts takes the parts of a message.
func (f *file) qwenParts() take {
	b := &f.block
	part := f.piece(Qwen, members{
		"id": f.set(&b.id), "name": f.set(&b.name), "args": f.input, "response": f.result,
	}, f.callOrResult)
	return f.list(f.object(members{"functionCall": part, "functionResponse": part}))
}

// qwenQuestions is ask_user_question; its result has a paragraph for each answer: **Header**: labels, or own words.
var qwenQuestions = &native{
	read: byPlace(func(q foreign) string { return q.Header }),
	judge: func(r *result, x *Exchange) bool {
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
		return x.choose(func(i int, a *Answer, q question.Question) {
			_, value, _ := strings.Cut(text, marks[i])
			for _, mark := range marks {
				value, _, _ = strings.Cut(value, mark)
			}
			a.read(q, strings.TrimSpace(value))
		})
	},
}
