package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// A client that can show forms is asked to ask its user where nobody could see the question in an inbox. The question stands in the
// inbox all the same. What the client's user declines is not taken for the user's answer: there are clients that decline by themselves.

// inputRequests is the first version of the protocol in which a server asks for input in its result, and the client calls again:
// https://modelcontextprotocol.io/seps/2322-MRTR
const inputRequests = "2026-07-28"

// inputName names the one input that is asked for.
const inputName = "answer"

// needsInput is the error of a call that goes on when the client brings an input.
type needsInput struct{ result *sdk.CallToolResult }

func (*needsInput) Error() string { return "the client is asked for an input" }

// elicits tells whether the client can show forms. A hub's questions are not its user's alone.
func (c *calling) elicits() bool {
	if c.options.Hub != nil {
		return false
	}
	can := c.req.ClientCapabilities()
	if can == nil || can.Elicitation == nil {
		return false
	}
	return can.Elicitation.Form != nil || can.Elicitation.URL == nil // neither: an older version's form
}

// elicit asks the client for its user's answer, beside those who may see the question elsewhere. It is stopped when there is one.
func (c *calling) elicit(ctx context.Context, id string) (stop func(), err error) {
	payload, err := c.payload(ctx, id)
	if err != nil || payload == nil {
		return func() {}, err
	}
	form := c.form(payload)
	if c.req.ProtocolVersion() >= inputRequests {
		return nil, &needsInput{&sdk.CallToolResult{InputRequests: sdk.InputRequestMap{inputName: form}, RequestState: id}}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		response, err := c.req.Session.Elicit(ctx, form)
		switch {
		case err == nil:
			c.take(ctx, id, payload, response)
		case ctx.Err() == nil:
			c.log.Warn("the client did not ask its user", zap.Error(err))
		}
	}()
	return func() {
		cancel()
		<-done
	}, nil
}

// takeResponse takes the answer that a client has brought along with its call.
func (c *calling) takeResponse(ctx context.Context, id string) error {
	response, _ := c.req.Params.InputResponses[inputName].(*sdk.ElicitResult)
	if response == nil {
		return nil
	}
	payload, err := c.payload(ctx, id)
	if err != nil || payload == nil {
		return err
	}
	c.take(ctx, id, payload, response)
	return nil
}

// payload is what a question of this session asks; nil where it is over, or none.
func (c *calling) payload(ctx context.Context, id string) (*protocol.Payload, error) {
	item, err := c.open(ctx, id)
	return item.Payload, err
}

// open is a question of this session that is open; the zero value where it is not.
func (c *calling) open(ctx context.Context, id string) (protocol.ConversationItem, error) {
	state, err := rpc.Call(ctx, c.options.Sidecar, protocol.SessionGet, protocol.SessionParams{Session: c.session})
	if err != nil {
		return protocol.ConversationItem{}, err
	}
	for _, item := range state.Conversation {
		if item.QuestionID == id && item.Outcome == nil && item.Guidance == nil {
			return item, nil
		}
	}
	return protocol.ConversationItem{}, nil
}

// queueLook is how often an answer that has come early looks whether its question's turn has come.
const queueLook = 100 * time.Millisecond

// take gives a question the answer of the client's user. An answer from elsewhere that was first stands; where there is none in the
// form, or it is refused, the question waits on.
func (c *calling) take(ctx context.Context, id string, payload *protocol.Payload, response *sdk.ElicitResult) {
	params, filled := read(payload, response.Content)
	if response.Action != "accept" || !filled {
		return
	}
	params.QuestionID = id
	for { // an agent may ask several at once; their forms are filled in in any order
		item, err := c.open(ctx, id)
		if err != nil || item.State != protocol.ItemQueued {
			break
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(queueLook):
		}
	}
	if _, err := rpc.Call(ctx, c.options.Sidecar, protocol.QuestionAnswer, params); err != nil && ctx.Err() == nil {
		c.log.Warn("the answer of the client's user was not taken", zap.Error(err))
	}
}

// form is a question as a form: a flat object, which is all that clients can show.
func (c *calling) form(payload *protocol.Payload) *sdk.ElicitParams {
	properties := map[string]any{}
	form := &sdk.ElicitParams{Mode: "form", RequestedSchema: map[string]any{"type": "object", "properties": properties}}
	words := func(title string) map[string]any { return map[string]any{"type": "string", "title": title} }
	if asked := payload.Followup; asked != nil {
		form.Message = asked.Question
		properties["words"] = words(c.text(locale.AgentOwnWords))
		if len(asked.Suggest) > 0 {
			properties["choice"] = choice(c.text(locale.AgentChoice), answers(asked))
		}
		return form
	}
	var message []string
	for i, q := range payload.Questions {
		text := fmt.Sprintf("%d. %s", i+1, q.Question)
		for _, option := range q.Options {
			text += "\n   - " + option.Label
			if option.Description != "" {
				text += ": " + option.Description
			}
		}
		message = append(message, text)
		title := fmt.Sprintf("%d. %s", i+1, q.Header)
		if !q.MultiSelect {
			properties[choiceOf(i)] = choice(title, labels(q))
		} else {
			for k, option := range q.Options {
				properties[optionOf(i, k)] = map[string]any{"type": "boolean", "title": fmt.Sprintf("%s: %s", title, option.Label)}
			}
		}
		properties[wordsOf(i)] = words(fmt.Sprintf("%d. %s", i+1, c.text(locale.AgentOwnWords)))
	}
	form.Message = strings.Join(message, "\n\n")
	return form
}

func choiceOf(i int) string    { return fmt.Sprintf("choice%02d", i+1) }
func optionOf(i, k int) string { return fmt.Sprintf("option%02d_%02d", i+1, k+1) }
func wordsOf(i int) string     { return fmt.Sprintf("words%02d", i+1) }

func choice(title string, values []string) map[string]any {
	return map[string]any{"type": "string", "title": title, "enum": values}
}

func answers(asked *protocol.Followup) (all []string) {
	for _, suggestion := range asked.Suggest {
		if !slices.Contains(all, suggestion.Answer) { // those with another mode
			all = append(all, suggestion.Answer)
		}
	}
	return all
}

func labels(q protocol.Question) (all []string) {
	for _, option := range q.Options {
		all = append(all, option.Label)
	}
	return all
}

// read reads a form that was filled in; not ok where nothing was.
func read(payload *protocol.Payload, content map[string]any) (params protocol.AnswerParams, ok bool) {
	text := func(name string) string {
		value, _ := content[name].(string)
		if strings.TrimSpace(value) == "" {
			return ""
		}
		return value
	}
	if asked := payload.Followup; asked != nil {
		if words := text("words"); words != "" {
			return protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words}, true
		}
		chosen := slices.IndexFunc(asked.Suggest, func(s protocol.Suggestion) bool { return s.Answer == content["choice"] })
		return protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &chosen}, chosen >= 0
	}
	for i, q := range payload.Questions {
		pick := protocol.Pick{Other: text(wordsOf(i))}
		for k, option := range q.Options {
			if q.MultiSelect && content[optionOf(i, k)] == true || !q.MultiSelect && pick.Other == "" && content[choiceOf(i)] == option.Label {
				pick.Options = append(pick.Options, k)
			}
		}
		ok = ok || len(pick.Options) > 0 || pick.Other != ""
		params.Picks = append(params.Picks, pick)
	}
	return params, ok
}
