package transcript

import "strings"

// messagesSuffix ends the name of a file of one of Cline's sessions: SESSION/SESSION.messages.json.
const messagesSuffix = ".messages.json"

// clineSession reads a session of Cline, whose messages are like those of Anthropic's Messages API. Made after cline/cline 21cb8d25,
// sdk/packages/core/docs/messages-contract-v1.md and src/extensions/tools/definitions.ts.
func (l *log) clineSession(session value) (isMine bool) {
	if !session.get("agent").exists() && !strings.HasSuffix(l.real, messagesSuffix) || !session.get("sessionId").exists() {
		return false
	}
	l.source = Cline
	for _, m := range session.get("messages").each() {
		at := m.get("ts").time()
		l.blocks(Cline, m.get("content"), at, result{at: at})
	}
	return true
}
