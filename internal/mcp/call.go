package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

const agentHubAway locale.Key = "The hub cannot be reached at the moment, and it is unknown whether it has the question. Call the " +
	"tool again with the same arguments: the question is asked only once, and you get the answer."

// call handles a call of one of the tools. It returns failures as results for the model, which would not see a protocol error.
func (s *Server) call(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	began := time.Now()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.ending:
			cancel()
		case <-ctx.Done():
		}
	}()
	who := s.known(req)
	progress := req.Params.GetProgressToken() != nil
	limit := s.limit(who, progress)
	c := &calling{Server: s, req: req, who: who, changed: make(chan struct{}, 1)}
	if progress {
		defer c.progress(ctx)()
	}
	var expired time.Time
	if limit > 0 {
		expired = began.Add(limit)
	}
	within := ctx
	if limit > 0 && s.options.Hub != nil { // an unreachable hub does not answer at the deadline
		var stop context.CancelFunc
		within, stop = context.WithDeadline(ctx, expired.Add(hubGrace))
		defer stop()
	}
	if s.apps(req) {
		c.beginCall(ctx)
		defer c.endCall()
	}
	answer, err := c.answer(within, expired)
	if c.linked && err == nil && answer.Outcome != protocol.OutcomeWaiting {
		c.pageDone(ctx)
	}
	var wrong *jsonrpc2.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err() // no call waits any more; the question stays open
	case err != nil && within.Err() != nil && c.put:
		s.setUndelivered(c.question, true)
		return s.result(who, protocol.Answer{
			QuestionID: c.question, Outcome: protocol.OutcomeWaiting, Text: s.text(locale.TicketWaiting, c.question),
		})
	case err != nil && within.Err() != nil:
		return failed(s.text(agentHubAway)), nil
	case errors.As(err, &wrong) && wrong.Code == protocol.CodeCancelled:
		return failed(s.text(locale.OutcomeWithdrawn)), nil
	case errors.As(err, &wrong):
		return failed(wrong.Message), nil
	case err != nil:
		s.log.Error("could not answer a call", zap.Error(err))
		return failed(err.Error()), nil
	}
	s.setUndelivered(c.question, false)
	result, err := s.result(who, answer)
	if c.app != nil && err == nil {
		result.Meta = outcomeOf(answer)
	}
	return result, err
}

// setUndelivered records whether a question's answer still has to reach the client. An answer that arrives together with a
// cancellation counts as collected, but the same call again gets it.
func (s *Server) setUndelivered(id string, undelivered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if undelivered {
		s.undelivered[id] = true
	} else {
		delete(s.undelivered, id)
	}
}

func (s *Server) text(key locale.Key, args ...any) string { return s.options.Locale.Text(key, args...) }

// progress sends progress notifications to the client until stop is called. It reports at once that nobody can see the question.
func (c *calling) progress(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(c.options.Progress)
		defer ticker.Stop()
		for n := 1.0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			case <-c.changed:
			}
			message := c.text("Waiting for the user's answer")
			if c.hidden(ctx) {
				message = c.text(locale.AgentNotShown, c.options.Program)
			}
			err := c.req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: c.req.Params.GetProgressToken(), Progress: n, Message: message,
			})
			if err != nil && ctx.Err() == nil {
				c.log.Warn("could not send progress", zap.Error(err))
				return
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// calling is the state of a running call.
type calling struct {
	*Server
	req     *sdk.CallToolRequest
	who     client
	session string
	// question is the question's id; empty until it is known.
	question string
	// put means that the question was asked.
	put bool
	// rejoined means that another session asked the question, before the agent was restarted.
	rejoined bool
	// app is the call's entry for the page in the conversation; nil if the client shows none.
	app *appCall
	// unseen means that no inbox was open when the question was asked, and that the client cannot ask its user.
	unseen atomic.Bool
	// linked means that the client got the address of the user's own page.
	linked bool
	// changed receives a value when there is progress to report.
	changed chan struct{}
}

// hubGrace is how long after its deadline a hub may respond.
const hubGrace = time.Second

// answer returns the user's answer, or a ticket at the time expired. If expired is zero, there is no limit.
func (c *calling) answer(ctx context.Context, expired time.Time) (protocol.Answer, error) {
	input := c.req.Params.Arguments
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	id, asked := awaited(input)
	c.question, c.put = id, asked
	opened, err := rpc.Call(ctx, c.options.Sidecar, protocol.SessionOpen, protocol.SessionOpenParams{
		Agent: c.who.name, Key: c.key(c.req), WorkspaceFolders: c.folders(), Locale: string(c.options.Locale),
		Strict: c.options.Reading.Strict, MistakeLimit: c.options.Reading.MistakeLimit, Limits: c.options.Reading.Limits,
	})
	if err != nil {
		return protocol.Answer{}, err
	}
	c.session = opened.Session
	if !asked {
		if id, err = c.id(ctx, input); err != nil {
			return protocol.Answer{}, err
		}
	}
	c.question = id
	c.setUndelivered(id, true)
	if c.app != nil {
		c.askFor(id)
	}
	shown, err := c.shown(ctx)
	if err != nil && !asked { // an earlier question may still exist, even if nothing can be saved now
		return protocol.Answer{}, err
	}
	if !asked {
		// Cancelling the request would withdraw the question. So this request only asks, and another one waits.
		asks := protocol.AskParams{Session: c.session, QuestionID: id, Tool: c.req.Params.Name, Input: input, Deadline: 1, Rejoin: true}
		if c.options.Hub != nil {
			asks.To = c.options.Hub.To
		}
		asks.InConversation, asks.NoCancel, asks.Beside = c.app != nil, c.who.noCancel, !shown && c.mode() == formMode
		asking := ctx
		if c.options.Hub == nil { // a cancellation must reach the waiting request, so that the question is orphaned
			asking = context.WithoutCancel(ctx)
		}
		answer, err := rpc.Call(asking, c.options.Sidecar, protocol.QuestionAsk, asks)
		if err == nil && answer.QuestionID != id { // the question was asked before the restart
			c.setUndelivered(id, false)
			id = answer.QuestionID
			c.question, c.rejoined = id, true
			c.setUndelivered(id, true)
		}
		if err != nil || answer.Outcome != protocol.OutcomeWaiting {
			return answer, err
		}
		c.put = true
	}
	if c.app != nil {
		c.wasPut()
	}
	return c.wait(ctx, id, shown, expired)
}

// awaited returns the id of an earlier question if a call's arguments only consist of that id.
func awaited(input json.RawMessage) (id string, ok bool) {
	var fields map[string]json.RawMessage
	ok = json.Unmarshal(input, &fields) == nil && len(fields) == 1 && json.Unmarshal(fields["await"], &id) == nil
	return id, ok
}

// idNamespace derives questions' ids from their content.
var idNamespace = uuid.MustParse("0d8fb7a5-1c0e-4a3b-9c5e-6c1f4f2f6b51")

// id returns the id of a call's question. Until the agent has received its answer, a repeated call means the same question, since
// a client repeats a call after it gave up or crashed.
func (c *calling) id(ctx context.Context, input json.RawMessage) (string, error) {
	state, err := rpc.Call(ctx, c.options.Sidecar, protocol.SessionGet, protocol.SessionParams{Session: c.session})
	if err != nil {
		return "", err
	}
	over := map[string]bool{}
	for _, item := range state.Conversation {
		over[item.QuestionID] = item.Outcome != nil && c.isOver(item)
	}
	content := canonical(input)
	for n := 0; ; n++ {
		id := uuid.NewSHA1(idNamespace, fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", c.session, c.req.Params.Name, n, content)).String()
		if !over[id] {
			return id, nil
		}
	}
}

// isOver reports whether a repeated call must ask a new question instead of finding this closed one. If the agent does not identify
// its conversation, an earlier agent may have had the same process id.
func (c *calling) isOver(item protocol.ConversationItem) bool {
	c.mu.Lock()
	undelivered := c.undelivered[item.QuestionID]
	c.mu.Unlock()
	return item.Collected && !undelivered || !slices.Contains(joinable, item.Outcome.Outcome) ||
		c.conversation(c.req) == "" && item.Outcome.At <= c.began
}

// joinable are the outcomes that a repeated call may still collect.
var joinable = []protocol.Outcome{protocol.OutcomeAnswered, protocol.OutcomeReplied, protocol.OutcomeDismissed}

// canonical returns JSON without insignificant spaces, and with sorted keys.
func canonical(input json.RawMessage) []byte {
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return input
	}
	same, err := json.Marshal(value)
	if err != nil {
		return input
	}
	return same
}

// shown reports whether somebody could see the question in an inbox. If nothing can be saved, nobody ever could; that is an error
// unless the client can ask its user.
func (c *calling) shown(ctx context.Context) (bool, error) {
	status, err := rpc.Call(ctx, c.options.Sidecar, protocol.InboxStatus, protocol.None{})
	if err != nil {
		return false, err
	}
	if (status.Storage == nil || !status.Storage.Saved) && c.mode() == noMode {
		why := c.text(locale.AgentNoHome)
		if status.Storage != nil {
			why = status.Storage.Problem
		}
		return false, errors.New(c.text("The question was not asked, because nobody could see it. {0}", why))
	}
	return (status.Shown || c.app != nil) && status.Storage != nil && status.Storage.Saved, nil
}

// wait waits for the answer to a question. If nobody can see it, the client is also asked to ask its user; the first answer wins.
func (c *calling) wait(ctx context.Context, id string, shown bool, expired time.Time) (protocol.Answer, error) {
	switch {
	case !shown && c.mode() != noMode:
		stop, err := c.elicit(ctx, id)
		if err != nil {
			return protocol.Answer{}, err
		}
		defer stop()
	case !shown:
		c.nobodySees(ctx, id)
	}
	params := protocol.AskParams{
		Session: c.session, QuestionID: id, Tool: c.req.Params.Name, Rejoin: c.rejoined,
	}
	params.Input, _ = json.Marshal(map[string]string{"await": id})
	for !shown && c.goesOn() { // the client may decline an open form later
		soon := time.Now().Add(c.options.NotShownAfter)
		if !expired.IsZero() && expired.Before(soon) {
			break
		}
		answer, err := c.await(ctx, params, soon)
		if err != nil || answer.Outcome != protocol.OutcomeWaiting || c.hidden(ctx) {
			return c.worded(ctx, answer), err
		}
		shown = c.inboxShown(ctx)
	}
	answer, err := c.await(ctx, params, expired)
	return c.worded(ctx, answer), err
}

// await sends a request. When ctx ends, it cancels the request.
func (c *calling) await(ctx context.Context, params protocol.AskParams, expired time.Time) (protocol.Answer, error) {
	if !expired.IsZero() {
		params.Deadline = max(1, int(time.Until(expired).Milliseconds()))
	}
	request := jsonrpc2.ID{Str: fmt.Sprint("wait-", c.lastID.Add(1)), IsString: true}
	if c.options.Hub != nil {
		return rpc.CallOrLeave(ctx, c.options.Sidecar, request, protocol.QuestionAsk, params)
	}
	return rpc.CallUntil(ctx, c.options.Sidecar, request, protocol.QuestionAsk, params)
}
