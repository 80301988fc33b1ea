package conversation

import (
	"followup/internal/dialect"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/question"
)

// askForGuidance puts a request for guidance in the inbox. It stands beside the questions, not in their queue.
func (g *Registry) askForGuidance(failed *Record, id string) {
	c := failed.Conversation
	count := c.State.Mistakes.Count()
	r := g.newRecord(c, id, "")
	r.State = protocol.ItemPending
	r.Guidance = &protocol.Guidance{ConsecutiveMistakes: count, Error: *failed.Error()}
	r.Call.Followup = &question.Followup{
		Question: g.Locale.Text(locale.GuidanceQuestion, c.Agent, count), Suggest: []question.Suggestion{},
	}
	r.Call.To = failed.Call.To
	g.Touch(r)
	g.Show(r)
	g.watchNotShown(r)
}

// held notes that an invalid call is not answered before the user has given guidance.
func (g *Registry) held(r, guidance *Record) {
	if r.State == protocol.ItemHeld && r.GuidedBy == guidance {
		return
	}
	if r.State == protocol.ItemStreaming {
		g.hide(r)
	}
	r.State, r.GuidedBy = protocol.ItemHeld, guidance
	g.Touch(r)
}

// guided adds the user's guidance to what the agent is told of its invalid call.
func guided(r *Record) {
	if r.GuidedBy == nil || r.GuidedBy.Outcome.Outcome != protocol.OutcomeAnswered {
		return
	}
	r.Answer.Text += "\n\n" + dialect.Result(string(r.Conversation.ResultTag), r.GuidedBy.Outcome.Text)
	if added := r.GuidedBy.Answer.Quoted; added != "" {
		r.Answer.Text += "\n\n" + added
	}
	r.Answer.Images = r.GuidedBy.Answer.Images
}
