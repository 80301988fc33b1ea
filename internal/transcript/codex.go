package transcript

import (
	"encoding/json"
	"strings"

	"followup/internal/question"
)

// Codex's rollouts: lines {"timestamp", "type", "payload"}; a payload of type function_call has name, arguments (JSON in a string) and
// call_id, one of type function_call_output call_id and output. Made after openai/codex 45c52926,
// codex-rs/protocol/src/request_user_input.rs, and 02a13c49, codex-rs/core/src/tools/handlers/request_user_input.rs.

// codexTypes are those of the lines of a rollout.
var codexTypes = map[string]bool{
	"session_meta": true, "response_item": true, "event_msg": true, "turn_context": true, "compacted": true,
}

func (f *file) codexMembers() members {
	b := &f.block
	payload := f.piece(Codex, members{
		"call_id": f.set(&b.id), "name": f.set(&b.name), "arguments": f.input, "output": f.result, "cwd": f.set(&f.workspace),
	}, f.callOrResult)
	return members{
		"payload":     f.when(func() bool { return codexTypes[f.record.kind] }, f.from(Codex, payload)),
		"record_type": f.flag(&f.known), // in 2025
	}
}

// Words of Codex's.
const (
	codexNote      = "user_note: " // before a note among the answers
	codexCancelled = "was cancelled before receiving a response"
	codexAborted   = "aborted by user"
)

// codexQuestions is request_user_input; its result is {"answers": {id: {"answers": [labels, own words, a note]}}}.
var codexQuestions = &native{
	read: byPlace(func(q foreign) string { return q.ID }),
	judge: func(r *result, x *Exchange) bool {
		var from struct {
			Answers map[string]struct{ Answers []string }
		}
		if json.Unmarshal([]byte(r.first()), &from) != nil {
			return x.dismissed(r.first(), codexCancelled, codexAborted)
		}
		return x.choose(func(i int, a *Answer, q question.Question) {
			for _, value := range from.Answers[r.call.keys[i]].Answers {
				if note, ok := strings.CutPrefix(value, codexNote); ok {
					a.Notes = note
				} else {
					a.choose(q, value)
				}
			}
		})
	},
}
