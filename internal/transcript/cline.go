package transcript

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	"followup/internal/question"
)

// Cline's sessions: SESSION/SESSION.messages.json is an object whose messages are like those of Anthropic's Messages API;
// SESSION/SESSION.json beside it names the folder in which the session worked. Made after cline/cline 21cb8d25,
// sdk/packages/core/docs/messages-contract-v1.md and src/extensions/tools/definitions.ts.
const messagesSuffix = ".messages.json"

// clineMembers are those of a session, of Cline or Gemini CLI.
func (f *file) clineMembers() members {
	r, agent := &f.record, false
	return members{
		"agent": f.flag(&agent),
		"messages": f.when(func() bool {
			return !f.nested && (f.known || r.session && agent || strings.HasSuffix(f.real, messagesSuffix))
		}, f.messages),
		"$set": f.object(members{"messages": f.when(func() bool { return f.known }, f.messages)}),
	}
}

// messages reads the messages of a session, each as a record of its own.
func (f *file) messages() error {
	before := f.nested
	f.nested = true
	err := f.inside('[', func() error { return f.records(true) })
	f.nested = before
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
		return followupCall(from.Question, from.Options...)
	},
	judge: func(r *result, x *Exchange) bool {
		// The result of a session that was ended is empty.
		return !r.failed && r.first() != "" && x.answer(r.first())
	},
}

// sessionWorkspace returns the folder in which a session worked, which the file beside its messages names.
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
	return cmp.Or(item.Root, item.Cwd)
}
