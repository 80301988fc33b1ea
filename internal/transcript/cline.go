package transcript

import (
	"cmp"
	"encoding/json"
	"strings"
)

// messagesSuffix ends the name of a file of one of Cline's sessions: SESSION/SESSION.messages.json.
const messagesSuffix = ".messages.json"

// clineSession reads a session of Cline, whose messages are like those of Anthropic's Messages API. Made after cline/cline 21cb8d25,
// sdk/packages/core/docs/messages-contract-v1.md and src/extensions/tools/definitions.ts.
func (l *log) clineSession(raw []byte) (isMine bool) {
	var session struct {
		Agent, SessionID json.RawMessage
		Messages         []struct {
			TS      stamp
			Content json.RawMessage
		}
	}
	decodeInto(raw, &session)
	if (session.Agent == nil || session.SessionID == nil) && !strings.HasSuffix(l.real, messagesSuffix) {
		return false
	}
	l.source = Cline
	for _, m := range session.Messages {
		l.blocks(Cline, blocks(m.Content), m.TS.Time, result{at: m.TS.Time})
	}
	return true
}

// clineQuestion is ask_question: a question with two to five options, which are texts; the result is the answer alone.
var clineQuestion = &native{
	read: oneQuestion,
	judge: func(c *call, r *result) bool {
		// The result of a session that was ended is empty.
		return !r.failed && r.first() != "" && c.answer(r.first())
	},
}

// clineWorkspace returns the folder in which a session worked, which the file beside its messages names.
func clineWorkspace(real string) string {
	session, ok := strings.CutSuffix(real, messagesSuffix)
	if !ok {
		return ""
	}
	var item struct {
		Cwd  string
		Root string `json:"workspace_root"`
	}
	decodeInto(look(session+".json"), &item)
	return cmp.Or(item.Root, item.Cwd)
}
