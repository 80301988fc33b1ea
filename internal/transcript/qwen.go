package transcript

import (
	"encoding/json"
	"strconv"
	"strings"

	"followup/internal/question"
)

// qwenLine reads a line of a chat of Qwen Code. Made after QwenLM/qwen-code 015346f1, packages/core/src/services/chatRecordingService.ts, and
// 1190f0b0, packages/core/src/tools/askUserQuestion.ts.
func (l *log) qwenLine(raw []byte) (isMine bool) {
	type function struct {
		ID, Name       string
		Args, Response json.RawMessage
	}
	var line struct {
		Cwd       string
		Timestamp stamp
		Message   struct {
			Parts []struct{ FunctionCall, FunctionResponse function }
		}
	}
	decodeInto(raw, &line)
	l.source, l.workspace = Qwen, line.Cwd
	for _, part := range line.Message.Parts {
		l.ask(Qwen, part.FunctionCall.ID, part.FunctionCall.Name, part.FunctionCall.Args, line.Timestamp.Time)
		l.answer(part.FunctionResponse.ID, result{content: part.FunctionResponse.Response, at: line.Timestamp.Time})
	}
	return line.Message.Parts != nil
}

// qwenQuestions is ask_user_question; its result has a paragraph for each answer: **Header**: labels, or own words.
var qwenQuestions = &native{
	read: byPlace(func(q foreign) string { return q.Header }),
	judge: func(c *call, r *result) bool {
		text, ok := strings.CutPrefix(r.first(), "User has provided the following answers:")
		if !ok {
			return c.dismissed(r.first(), "User declined to answer the questions")
		}
		marks := make([]string, len(c.keys))
		for i, header := range c.keys {
			if strings.TrimSpace(header) == "" {
				header = "Question " + strconv.Itoa(i+1)
			}
			marks[i] = "\n**" + header + "**: "
		}
		return c.choose(func(i int, p *pick, q question.Question) {
			_, value, _ := strings.Cut(text, marks[i])
			for _, mark := range marks {
				value, _, _ = strings.Cut(value, mark)
			}
			p.read(q, strings.TrimSpace(value))
		})
	},
}
