package transcript

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"followup/internal/dialect"
	"followup/internal/question"
)

// Chats of VS Code, which are Copilot's. The lines of chatSessions/SESSION.jsonl are the chat, followed by changes: each has a
// path and its new value. In older versions SESSION.json is the chat. Based on microsoft/vscode 047238f9,
// src/vs/workbench/contrib/chat/common/model/objectMutationLog.ts, 05955351, chatQuestionCarouselData.ts, and 07710685,
// common/tools/builtinTools/askQuestionsTool.ts.
//
// A response has a part of the kind questionCarousel for each call of vscode_askQuestions, and another one after the answer. The
// result of a request has the agent's calls and their results. For ask_questions, which preceded vscode_askQuestions, a response
// has no part. Based on microsoft/vscode 2e5f7a6a, extensions/copilot/src/extension/prompt/common/conversation.ts, and 0488178c,
// toolCallRound.ts, and on microsoft/vscode-copilot-chat 454cfd9a, src/extension/tools/vscode-node/askQuestionsTool.ts.

// carousel is the kind of a part that contains a questionnaire.
const carousel = "questionCarousel"

// vscodeChat reads a line, or a whole chat.
func (l *log) vscodeChat(line value) (isMine bool) {
	switch v := line.get("v"); {
	case line.get("requests").exists():
		l.chat(line, maxChatDepth)
	case line.get("kind").json.Raw == "0", l.known && line.get("k.0").text() == "requests":
		l.chat(v, maxChatDepth)
	}
	return l.source == Copilot
}

// maxChatDepth limits how deeply parts may be nested in a line: chat, request, result, metadata.
const maxChatDepth = 4

// chat searches a chat, or parts of one, for questions.
func (l *log) chat(parts value, depth int) {
	if depth == 0 {
		return
	}
	for part := range parts.list(math.MaxInt) {
		if part.get("requests").exists() {
			l.source = Copilot
		}
		if at := part.get("timestamp").time(); part.get("requestId").exists() || !at.IsZero() {
			l.requested = at
		}
		if part.get("kind").text() == carousel {
			l.carousel(part)
		}
		for _, name := range []string{"requests", "response", "result", "metadata"} {
			l.chat(part.get(name), depth-1)
		}
		for round := range part.get("toolCallRounds").list(math.MaxInt) {
			for c := range round.get("toolCalls").list(math.MaxInt) {
				l.roundCall(ownID(c.get("id").text()), c.get("name").text(), c.get("arguments"), round.get("timestamp").time())
			}
		}
		for id, content := range part.get("toolCallResults").each() {
			l.answer(ownID(id), result{content: content})
		}
	}
}

// ownID returns a call's id as the model wrote it, without the chat extension's suffix.
func ownID(id string) string {
	own, _, _ := strings.Cut(id, "__vscode-")
	return own
}

// carousel reads a questionnaire, which is open, answered or skipped. If it has an id of its own, only its texts show which
// call it belongs to.
func (l *log) carousel(part value) {
	id, questions := ownID(part.get("resolveId").text()), part.get("questions")
	if uuid.Validate(id) == nil && !l.calls.isOver(id) && !l.isOpen(id) {
		asked, _, _ := carouselCall(questions)
		l.count(asked.Questionnaire, 1)
	}
	l.calls.take(l.key(id)) // after the answer, the part is written again
	if l.ask(Copilot, id, carousel, questions, l.requested); part.get("isUsed").isTrue() {
		l.answer(id, result{beside: part.get("data")})
	}
}

// roundCall opens a call of a round, unless a part with an id of its own has the same questions.
func (l *log) roundCall(id, name string, arguments value, at time.Time) {
	n := natives[Copilot][name]
	if n == nil || name == carousel || l.calls.isOver(id) {
		return
	}
	if asked, _, ok := n.read(parse(arguments.text())); ok && l.count(asked.Questionnaire, 0) > 0 {
		l.count(asked.Questionnaire, -1)
		l.calls.end(id)
		return
	}
	l.calls.take(l.key(id)) // its part is not complete yet
	l.ask(Copilot, id, name, arguments, at)
}

// count changes the number of a questionnaire's parts that have an id of their own, and returns the new number.
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

// carouselCall reads the questions as they were shown, with an option's description after a dash in its label.
func carouselCall(questions value) (question.Call, []string, bool) {
	var all []dialect.Asked
	for from := range questions.list(maxAnswers) {
		message, title := from.get("message"), from.get("title").text() // the message is a text, or {"value"}
		one := dialect.Asked{
			ID: from.get("id").text(), Question: cmp.Or(message.text(), message.get("value").text(), title), Header: title,
			Multi: from.get("type").text() == "multiSelect",
		}
		for o := range from.get("options").list(maxAnswers) {
			label := cmp.Or(o.get("value").text(), o.get("label").text())
			description, _ := strings.CutPrefix(strings.TrimPrefix(o.get("label").text(), label), " - ")
			one.Options = append(one.Options, dialect.AskedOption{Label: label, Description: description})
		}
		all = append(all, one)
	}
	return questionnaireCall(all, id)
}

// carouselAnswers judges the result of a questionnaire that was shown. Its values, {id: answer}, are beside the result.
// They are absent if the user skipped all questions.
func carouselAnswers(c *call, r *result) bool {
	isSkipped := !r.beside.json.IsObject() || r.beside.json.Raw == "{}"
	return isSkipped && c.end(question.Dismissed, "") || c.exact(parse(`{"answers":`+r.beside.json.Raw+`}`))
}
