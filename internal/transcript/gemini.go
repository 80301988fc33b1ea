package transcript

// geminiChat reads a chat of Gemini CLI: a line for each message, written again when it changes, or, in older versions, one object with all
// messages. Made after google-gemini/gemini-cli 5411f113, packages/core/src/services/chatRecordingService.ts, chatRecordingTypes.ts and
// tools/ask-user.ts.
func (l *log) geminiChat(chat value) (isMine bool) {
	isMine = chat.get("sessionId").exists() && chat.get("projectHash").exists()
	for _, list := range []value{chat.get("messages"), chat.get("$set.messages")} {
		for _, message := range list.each() {
			isMine = l.geminiMessage(message) || isMine
		}
	}
	return l.geminiMessage(chat) || isMine
}

func (l *log) geminiMessage(message value) (isMine bool) {
	asked := message.get("timestamp").time()
	for _, c := range message.get("toolCalls").each() {
		id, name, status := c.get("id").text(), c.get("name").text(), c.get("status").text()
		if natives[Gemini][name] == nil {
			continue
		}
		l.source, isMine = Gemini, true
		l.ask(Gemini, id, name, c.get("args"), asked)
		r := result{content: c.get("result"), at: c.get("timestamp").time(), cancelled: status == "cancelled"}
		if r.at.IsZero() {
			r.at = asked
		}
		if r.cancelled || r.content.exists() && status != "" { // otherwise it still runs
			l.answer(id, r)
		}
	}
	return isMine
}
