package transcript

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"followup/internal/question"
)

// Chats of Gemini CLI: JSONL with a line for each message, written again when it changes, or, before that, one object with messages. A
// message has toolCalls: {"id", "name", "args", "result", "status", "timestamp"}. Made after google-gemini/gemini-cli 5411f113,
// packages/core/src/services/chatRecordingService.ts, chatRecordingTypes.ts and tools/ask-user.ts.

// cancelled is the status of a call that the user cancelled.
const cancelled = "cancelled"

func (f *file) geminiMembers() members {
	b := &f.block
	call := f.piece(Gemini, members{
		"id": f.set(&b.id), "name": f.set(&b.name), "args": f.input, "result": f.result, "status": f.set(&b.status), "timestamp": f.set(&b.at),
	}, func() error {
		if f.native() == nil {
			return nil
		}
		b.given = b.status == cancelled || b.given && b.status != "" // otherwise it still runs
		return f.from(Gemini, f.callOrResult)()
	})
	return members{
		"toolCalls":   f.list(call),
		"projectHash": f.when(func() bool { return f.record.session }, f.flag(&f.known)),
	}
}

// geminiQuestions is ask_user; its result is {"answers": {place: label, labels with commas, or own words}}.
var geminiQuestions = &native{
	read: byPlace(nil),
	judge: func(r *result, x *Exchange) bool {
		var from struct{ Answers map[string]string }
		switch {
		case r.cancelled:
			return x.dismiss()
		case json.Unmarshal([]byte(r.first()), &from) != nil:
			return x.dismissed(r.first(), "User dismissed ask_user dialog", "[Operation Cancelled]")
		}
		return x.choose(func(i int, a *Answer, q question.Question) { a.read(q, from.Answers[r.call.keys[i]]) })
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
