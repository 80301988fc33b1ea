package transcript

import (
	"strconv"
	"strings"

	"followup/internal/question"
)

// qwenLine reads a line of a chat of Qwen Code. Made after QwenLM/qwen-code 015346f1, packages/core/src/services/chatRecordingService.ts, and
// 1190f0b0, packages/core/src/tools/askUserQuestion.ts.
func (l *log) qwenLine(line value) (isMine bool) {
	parts, at := line.get("message.parts"), line.get("timestamp").time()
	if !parts.json.IsArray() {
		return false
	}
	l.source, l.workspace = Qwen, line.get("cwd").text()
	for _, part := range parts.each() {
		c, r := part.get("functionCall"), part.get("functionResponse")
		l.ask(Qwen, c.get("id").text(), c.get("name").text(), c.get("args"), at)
		l.answer(r.get("id").text(), result{content: r.get("response"), at: at})
	}
	return true
}

// qwenAnswers is the judge of ask_user_question, whose result has a paragraph for each answer: **Header**: labels, or own words.
func qwenAnswers(c *call, r *result) bool {
	text, ok := strings.CutPrefix(r.first(), "User has provided the following answers:")
	if !ok {
		return strings.Contains(r.first(), "User declined to answer the questions") && c.dismiss()
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
}
