package transcript

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"followup/internal/question"
)

type geminiMessage struct {
	Timestamp stamp
	ToolCalls []struct {
		ID, Name, Status string
		Args, Result     json.RawMessage
		Timestamp        stamp
	}
}

// geminiChat reads a chat of Gemini CLI: a line for each message, written again when it changes, or, in older versions, one object with all
// messages. Made after google-gemini/gemini-cli 5411f113, packages/core/src/services/chatRecordingService.ts, chatRecordingTypes.ts and
// tools/ask-user.ts.
func (l *log) geminiChat(raw []byte) (isMine bool) {
	var chat struct {
		geminiMessage
		SessionID, ProjectHash json.RawMessage
		Messages               []geminiMessage
		Set                    struct{ Messages []geminiMessage } `json:"$set"`
	}
	decodeInto(raw, &chat)
	isMine = chat.SessionID != nil && chat.ProjectHash != nil
	for _, m := range append(append(chat.Messages, chat.Set.Messages...), chat.geminiMessage) {
		for _, c := range m.ToolCalls {
			if n, _ := nativeOf(Gemini, c.Name); n == nil {
				continue
			}
			l.source, isMine = Gemini, true
			l.ask(Gemini, c.ID, c.Name, c.Args, m.Timestamp.Time)
			cancelled := c.Status == "cancelled"
			if cancelled || c.Result != nil && c.Status != "" { // otherwise it still runs
				at := c.Timestamp
				if at.IsZero() {
					at = m.Timestamp
				}
				l.answer(c.ID, result{content: c.Result, at: at.Time, cancelled: cancelled})
			}
		}
	}
	return isMine
}

// geminiQuestions is ask_user; its result is {"answers": {place: label, labels with commas, or own words}}.
var geminiQuestions = &native{
	read: byPlace(nil),
	judge: func(c *call, r *result) bool {
		var from struct{ Answers map[string]string }
		switch {
		case r.cancelled:
			return c.dismiss()
		case json.Unmarshal([]byte(r.first()), &from) != nil:
			return c.dismissed(r.first(), "User dismissed ask_user dialog", "[Operation Cancelled]")
		}
		return c.choose(func(i int, p *pick, q question.Question) { p.read(q, from.Answers[c.keys[i]]) })
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
