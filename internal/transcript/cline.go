package transcript

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"followup/internal/question"
)

// Cline's sessions: SESSION/SESSION.messages.json is an object whose messages are like those of Anthropic's Messages API; in
// SESSION/SESSION.json beside it stands where the session worked. Made after cline/cline 21cb8d25,
// sdk/packages/core/docs/messages-contract-v1.md and src/extensions/tools/definitions.ts.
const messagesSuffix = ".messages.json"

// messages reads the messages of a session.
func (f *file) messages() error {
	c, err := f.peek()
	if err != nil {
		return err
	}
	if c != '[' {
		return f.skip()
	}
	before := f.inSession
	f.inSession = true
	err = f.list()
	f.inSession = before
	f.record.reset() // it was that of the last message
	return err
}

// clineQuestion is ask_question: a question with two to five options, which are texts; the result is the answer alone.
var clineQuestion = &native{
	read: func(input []byte) (question.Call, []string, bool) {
		var from struct {
			Question string
			Options  []string
		}
		_ = json.Unmarshal(input, &from)
		return followupCall(from.Question, from.Options)
	},
	judge: func(_ *file, r *result, x *Exchange) bool {
		if r.failed || r.first() == "" { // an empty one is that of a session that was ended
			return false
		}
		x.Outcome, x.AnswerText = question.Answered, r.first()
		return true
	},
}

// sessionWorkspace learns from the file beside a session's messages where it worked.
func sessionWorkspace(real string) string {
	session, ok := strings.CutSuffix(real, messagesSuffix)
	if !ok {
		return ""
	}
	var item struct {
		Cwd  string
		Root string `json:"workspace_root"`
	}
	_ = json.Unmarshal(look(filepath.Clean(session+".json")), &item)
	if item.Root != "" {
		return item.Root
	}
	return item.Cwd
}
