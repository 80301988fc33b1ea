package relay

import (
	"encoding/json"
	"reflect"
	"slices"

	"followup/internal/protocol"
)

// Answers are the methods by which a person decides something.
var Answers = map[string]bool{
	protocol.QuestionAnswer.Method: true, protocol.QuestionReply.Method: true, protocol.QuestionDismiss.Method: true,
}

// ownOutcome takes the result of an answer that an earlier link was sent, too. Where that one was taken, its result was lost, and the
// outcome that stands is this person's own: nobody else was first.
func (r *relay) ownOutcome(e *entry, result json.RawMessage) bool {
	var closed protocol.CloseResult
	var request struct {
		Params protocol.AnswerParams `json:"params"` // a reply has the same members, as far as they are read here
	}
	if json.Unmarshal(result, &closed) != nil || json.Unmarshal(e.body, &request) != nil {
		return false
	}
	is, sent := closed.Outcome, request.Params
	if closed.Accepted || is.AnsweredBy != r.account() {
		return false
	}
	same := false
	switch e.method {
	case protocol.QuestionDismiss.Method:
		same = is.Outcome == protocol.OutcomeDismissed
	case protocol.QuestionReply.Method:
		same = is.Outcome == protocol.OutcomeReplied && is.Text == sent.Text && is.Images == len(sent.Images)
	case protocol.QuestionAnswer.Method:
		same = is.Outcome == protocol.OutcomeAnswered && is.Images == len(sent.Images)
		switch {
		case len(sent.Picks) > 0:
			same = same && slices.EqualFunc(is.Picks, sent.Picks, func(a, b protocol.Pick) bool { return reflect.DeepEqual(a, b) })
		case sent.Provenance == protocol.ProvenanceClicked:
			same = same && reflect.DeepEqual(is.Suggestion, sent.Suggestion)
		default:
			same = same && is.Text == sent.Text && is.Mode == sent.Mode
		}
	}
	if same {
		closed.Accepted = true
		r.reply(json.RawMessage(e.id), closed)
	}
	return same
}

// account is whose answers the other end takes the peer's for.
func (r *relay) account() string {
	if r.Account == nil {
		return ""
	}
	return r.Account()
}
