package transcript

import (
	"encoding/json"
	"strings"
)

// Codex's rollouts: lines {"timestamp", "type", "payload"}; a payload of type function_call has name, arguments (JSON in a string) and
// call_id, one of type function_call_output call_id and output. Made after openai/codex 45c52926,
// codex-rs/protocol/src/request_user_input.rs, and 02a13c49, codex-rs/core/src/tools/handlers/request_user_input.rs.

// codexTypes are those of the lines of a rollout.
var codexTypes = map[string]bool{
	"session_meta": true, "response_item": true, "event_msg": true, "turn_context": true, "compacted": true,
}

// payload takes the payload of a line.
func (f *file) payload() error {
	if !codexTypes[f.record.kind] {
		return f.skip()
	}
	b := &f.block
	b.reset()
	f.record.source, f.record.live, f.known = Codex, true, true
	if err := f.object(f.payloadMember); err != nil {
		return err
	}
	switch b.kind {
	case "function_call":
		if n := natives[Codex][b.name]; n != nil {
			f.openNative(n, b.id, []byte(decode(b.input.raw)))
		}
	case "function_call_output":
		b.resultOf = b.id
		return f.gave()
	}
	return nil
}

func (f *file) payloadMember(key []byte) error {
	b := &f.block
	switch string(key) {
	case "type":
		return f.text(&b.kind)
	case "name":
		return f.text(&b.name)
	case "call_id":
		return f.text(&b.id)
	case "cwd":
		return f.text(&f.facts.workspace)
	case "arguments":
		return f.ofNative(Codex, &b.input)
	case "output":
		if b.id == "" && f.calls.len() > 0 || f.calls.open[f.key(b.id)] != nil {
			return f.resultContent()
		}
	}
	return f.skip()
}

// Words of Codex's.
const (
	codexNote      = "user_note: " // before a note, which stands among the answers
	codexCancelled = "was cancelled before receiving a response"
	codexAborted   = "aborted by user"
)

// codexQuestions is request_user_input; its result is {"answers": {id: {"answers": [labels, own words, a note]}}}.
var codexQuestions = &native{
	read: byPlace(func(q foreign) string { return q.ID }),
	judge: func(_ *file, r *result, x *Exchange) bool {
		var from struct {
			Answers map[string]struct{ Answers []string }
		}
		if json.Unmarshal([]byte(r.first()), &from) != nil {
			return x.dismissed(r.first(), codexCancelled, codexAborted)
		}
		return x.choose(func(i int, a *Answer, q asked) {
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
