package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// If nobody could see a question in an inbox, a client that can show forms or open the user's own page is asked to ask its user.
// The inbox also has the question, and the first answer counts: the client closes its form when the request is cancelled. A declined form
// dismisses the question, unless it is declined at once: then the client did not ask its user.

// inputRequests is the first version of the protocol in which a server requests input in its result, and the client calls again. A server
// cannot take such a form back: the agent would wait for its user although the question is answered in an inbox. So it is not used.
// https://modelcontextprotocol.io/seps/2322-MRTR
const inputRequests = "2026-07-28"

// Modes of elicitation: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
const (
	noMode   = ""
	formMode = "form"
	urlMode  = "url"
)

// mode returns how the client can ask its user until the question is closed. A form works without a page; a link requires that the page is served. At a hub
// there is no mode, since a team's questions are not only for the client's user.
func (c *calling) mode() string {
	can := c.req.ClientCapabilities()
	switch {
	case c.options.Hub != nil || can == nil || can.Elicitation == nil || c.req.ProtocolVersion() >= inputRequests:
		return noMode
	case can.Elicitation.Form != nil || can.Elicitation.URL == nil: // in older versions, an empty capability means forms
		return formMode
	case c.webPage() != "":
		return urlMode
	}
	return noMode
}

// webPage returns the address of the user's own page, if it is served. It has no secret, with which a client could log in.
func (c *calling) webPage() string {
	if c.options.WebPage == nil {
		return ""
	}
	return c.options.WebPage()
}

// elicit asks the client for its user's answer until stop is called. The question stays open in the inbox, too.
func (c *calling) elicit(ctx context.Context, id string) (stop func(), err error) {
	payload, err := c.payload(ctx, id)
	if err != nil || payload == nil {
		return func() {}, err
	}
	form := c.form(payload)
	if c.mode() == urlMode {
		c.linked = true
		form = &sdk.ElicitParams{Mode: urlMode, Message: form.Message, URL: c.webPage(), ElicitationID: id}
	}
	c.formShown(id)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var content map[string]any
		response, err := c.req.Session.Elicit(context.WithValue(ctx, contentKey{}, &content), form)
		switch {
		case err == nil:
			response.Content = content
			if !c.take(ctx, id, payload, response) {
				c.nobodySees(ctx, id)
			}
		case ctx.Err() == nil:
			c.log.Warn("could not ask the client's user", zap.Error(err))
			c.nobodySees(ctx, id)
		}
	}()
	return func() {
		cancel()
		<-done
	}, nil
}

// contentKey is the context's key of a *map[string]any, which receives what the user has filled in.
type contentKey struct{}

// keepContent moves a form's content past the library, which rejects a form with any value of another type, and loses the answer.
func keepContent(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		response, is := result.(*sdk.ElicitResult)
		if content, wanted := ctx.Value(contentKey{}).(*map[string]any); is && wanted && err == nil {
			*content, response.Content = response.Content, nil
		}
		return result, err
	}
}

// opened reports whether the client has opened the user's own page, where the question is answered.
func (c *calling) opened(response *sdk.ElicitResult) bool {
	return response.Action == "accept" && c.mode() == urlMode
}

// pageDone reports to the client that the user has answered on the page.
func (c *calling) pageDone(ctx context.Context) {
	done := &sdk.ElicitationCompleteParams{ElicitationID: c.question}
	if err := c.req.Session.NotifyElicitationComplete(ctx, done); err != nil && ctx.Err() == nil {
		c.log.Warn("could not report to the client that the question is answered", zap.Error(err))
	}
}

// payload returns the content of a question of this session; nil if it is closed or unknown.
func (c *calling) payload(ctx context.Context, id string) (*protocol.Payload, error) {
	item, err := c.open(ctx, id)
	return item.Payload, err
}

// open returns an open question of this session; the zero value if there is none.
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

// queueLook is how often an early answer checks whether its question is pending.
const queueLook = 100 * time.Millisecond

// defaultReaction is the shortest time in which a user can read a form and decline it.
const defaultReaction = time.Second

// formShown records when a question's form was sent to the client.
func (s *Server) formShown(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forms[id] = time.Now()
}

// declined reports whether the user, rather than the client, declined a form. Closing it, such as with Esc, decides nothing:
// https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#response-actions
func (s *Server) declined(id, action string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := s.forms[id]
	delete(s.forms, id)
	return action == "decline" && time.Since(shown) >= s.options.Reaction
}

// take applies the client user's answer to a question, or dismisses the question if they declined. An earlier answer wins. If the
// form is closed or empty, or its answer is rejected, the question stays open. It reports whether the user has responded: the question is
// closed, or its page is open.
func (c *calling) take(ctx context.Context, id string, payload *protocol.Payload, response *sdk.ElicitResult) (seen bool) {
	if c.opened(response) {
		return true
	}
	params, filled := read(payload, response.Content)
	params.QuestionID = id
	declined := c.declined(id, response.Action)
	if !declined && (response.Action != "accept" || !filled) {
		return false
	}
	for { // the user may fill in several questions' forms in any order
		item, err := c.open(ctx, id)
		if err != nil || item.State != protocol.ItemQueued {
			break
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(queueLook):
		}
	}
	var err error
	if declined {
		_, err = rpc.Call(ctx, c.options.Sidecar, protocol.QuestionDismiss, protocol.QuestionParams{QuestionID: id})
	} else {
		_, err = rpc.Call(ctx, c.options.Sidecar, protocol.QuestionAnswer, params)
	}
	if err != nil && ctx.Err() == nil {
		c.log.Warn("the answer of the client's user was rejected", zap.Error(err))
	}
	return err == nil
}

// form returns a question as a form: a flat object, since clients show nothing else.
func (c *calling) form(payload *protocol.Payload) *sdk.ElicitParams {
	properties := map[string]any{}
	form := &sdk.ElicitParams{Mode: formMode, RequestedSchema: map[string]any{"type": "object", "properties": properties}}
	words := func(title string) map[string]any { return map[string]any{"type": "string", "title": title} }
	if asked := payload.Followup; asked != nil {
		form.Message = asked.Question
		properties["words"] = words(c.text("Or in your own words"))
		if len(asked.Suggest) > 0 {
			properties["choice"] = choice(c.text("Your choice"), answers(asked))
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
		properties[wordsOf(i)] = words(fmt.Sprintf("%d. %s", i+1, c.text("Or in your own words")))
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
		if !slices.Contains(all, suggestion.Answer) { // skips the same answer with another mode
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

// read parses a filled-in form; ok is false if it is empty. Clients return other types than the form's, and words beside a choice: what
// is not an option counts as the user's words, so that nothing is lost.
func read(payload *protocol.Payload, content map[string]any) (params protocol.AnswerParams, ok bool) {
	if asked := payload.Followup; asked != nil {
		var all []string
		for _, suggestion := range asked.Suggest {
			all = append(all, suggestion.Answer)
		}
		chosen, words := chosenOf(content["choice"], all, content["words"])
		if chosen < 0 {
			return protocol.AnswerParams{Provenance: protocol.ProvenanceTyped, Text: words}, words != ""
		}
		return protocol.AnswerParams{Provenance: protocol.ProvenanceClicked, Suggestion: &chosen, Text: words}, true
	}
	for i, q := range payload.Questions {
		var pick protocol.Pick
		if q.MultiSelect {
			words := []string{}
			for k, option := range q.Options {
				isChosen, other := isChecked(content[optionOf(i, k)], option.Label)
				if isChosen {
					pick.Options = append(pick.Options, k)
				}
				words = append(words, other)
			}
			pick.Other = joined(append(words, filled(content[wordsOf(i)]))...)
		} else if chosen, words := chosenOf(content[choiceOf(i)], labels(q), content[wordsOf(i)]); chosen >= 0 {
			pick = protocol.Pick{Options: []int{chosen}, Notes: words}
		} else {
			pick.Other = words
		}
		ok = ok || len(pick.Options) > 0 || pick.Other != ""
		params.Picks = append(params.Picks, pick)
	}
	return params, ok
}

// chosenOf returns the index of the chosen option, or -1, and the user's words: also a choice that is not an option.
func chosenOf(choice any, options []string, words any) (chosen int, text string) {
	named := strings.TrimSpace(filled(choice))
	chosen = slices.IndexFunc(options, func(option string) bool { return strings.TrimSpace(option) == named })
	if named == "" {
		chosen = -1
	}
	if text = filled(words); chosen < 0 {
		text = joined(filled(choice), text)
	}
	return chosen, text
}

// isChecked reports whether a field of an option is set. A text that is neither yes nor no is returned as words.
func isChecked(value any, label string) (isChosen bool, words string) {
	text := filled(value)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "1", strings.ToLower(strings.TrimSpace(label)):
		return text != "", ""
	case "", "false", "no", "off", "0":
		return false, ""
	}
	return false, text
}

// filled returns a field's value as text; empty if the user left it blank.
func filled(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		if strings.TrimSpace(value) == "" {
			return ""
		}
		return value
	case []any:
		var all []string
		for _, each := range value {
			all = append(all, filled(each))
		}
		return strings.Join(all, ", ")
	default:
		return fmt.Sprint(value)
	}
}

// joined joins texts that are not empty, with an empty line between them.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}
