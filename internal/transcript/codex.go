package transcript

import (
	"encoding/json"
	"strings"

	"followup/internal/question"
)

// codexLine reads a line of a rollout of Codex. The payload is a call, with its arguments as JSON in a string, a result, or about the
// session. Made after openai/codex 45c52926, codex-rs/protocol/src/request_user_input.rs, and 02a13c49,
// codex-rs/core/src/tools/handlers/request_user_input.rs.
func (l *log) codexLine(raw []byte) (isMine bool) {
	var line struct {
		Type       string
		RecordType json.RawMessage `json:"record_type"` // in 2025
		Timestamp  stamp
		Payload    *struct {
			CallID            string `json:"call_id"`
			Name, Cwd         string
			Arguments, Output json.RawMessage
		}
	}
	decodeInto(raw, &line)
	l.known = l.known || line.RecordType != nil
	if line.Payload == nil {
		return false
	}
	switch line.Type {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
		l.source = Codex
	default:
		return false
	}
	p := line.Payload
	if p.Cwd != "" {
		l.workspace = p.Cwd
	}
	l.ask(Codex, p.CallID, p.Name, p.Arguments, line.Timestamp.Time)
	if p.Output != nil {
		l.answer(p.CallID, result{content: p.Output, at: line.Timestamp.Time})
	}
	return true
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
	judge: func(c *call, r *result) bool {
		var from struct {
			Answers map[string]struct{ Answers []string }
		}
		if json.Unmarshal([]byte(r.first()), &from) != nil {
			return c.dismissed(r.first(), codexCancelled, codexAborted)
		}
		return c.choose(func(i int, p *pick, q question.Question) {
			for _, value := range from.Answers[c.keys[i]].Answers {
				if note, ok := strings.CutPrefix(value, codexNote); ok {
					p.Notes = note
				} else {
					p.choose(q, value)
				}
			}
		})
	},
}
