package httpapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/archive"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/web"
)

// link is the connection of an account, which all of its requests share.
type link struct {
	api   *API
	visit web.Visit
	conn  *rpc.Conn
	ctx   context.Context // ends with the connection
	end   context.CancelFunc
	// reader is the session that reads outcomes. It has asked nothing, so reading alone does not count as collecting.
	reader string
	waits  chan struct{} // holds a token for each request that waits for an outcome
	idle   *time.Timer   // nil: it never ends for that

	mu       sync.Mutex
	active   int
	sessions map[string]string // of the questions that were asked over it and not collected, by their ids
}

// link returns the connection of a request's account, which is made if need be. leave has to follow.
func (a *API) link(r *http.Request) (*link, error) {
	shown := web.BearerToken(r)
	key := sha256.Sum256([]byte(shown))
	a.mu.Lock()
	l := a.links[key]
	a.mu.Unlock()
	if l != nil && l.enter() {
		return l, nil
	}
	visit, refusal := a.options.Enter(shown)
	if refusal != nil {
		return nil, refusal
	}
	l = a.dial(visit)
	if err := l.begin(r.Context()); err != nil {
		l.end()
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if other := a.links[key]; other != nil && other.enter() { // made meanwhile
		l.end()
		return other, nil
	}
	a.links[key] = l
	context.AfterFunc(l.ctx, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.links[key] == l {
			delete(a.links, key)
		}
	})
	return l, nil
}

// dial connects.
func (a *API) dial(visit web.Visit) *link {
	l := &link{api: a, visit: visit, waits: make(chan struct{}, a.options.MaxWaits), active: 1, sessions: map[string]string{}}
	l.ctx, l.end = context.WithCancel(a.ctx)
	if visit.Over != nil {
		context.AfterFunc(visit.Over, l.end)
	}
	toSidecar, fromUs := io.Pipe()
	toUs, fromSidecar := io.Pipe()
	l.conn = rpc.Dial(l.ctx, &rpc.Router{}, rpc.Options{In: toUs, Out: fromUs, Log: a.options.Log})
	go func() {
		visit.Sidecar(context.WithoutCancel(l.ctx), toSidecar, fromSidecar) // it ends with its input
		_ = fromSidecar.Close()
		l.end()
		if visit.Leave != nil {
			visit.Leave()
		}
	}()
	context.AfterFunc(l.ctx, func() {
		_ = fromUs.Close() // what was asked stays
	})
	if a.options.Idle > 0 {
		l.idle = time.AfterFunc(a.options.Idle, l.rest)
	}
	return l
}

// begin shakes hands.
func (l *link) begin(ctx context.Context) error {
	never := -1
	_, err := call(ctx, l, protocol.Initialize, protocol.InitializeParams{ClientInfo: lsp.ClientInfo{Name: "HTTP"}, InitializationOptions: protocol.InitializationOptions{
		ProtocolVersion: protocol.Version, StorageFolder: l.api.options.StorageFolder, NotShownAfter: &never,
	}})
	if err != nil {
		return err
	}
	rpc.Notify(l.conn, protocol.Initialized, protocol.None{})
	opened, err := call(ctx, l, protocol.SessionOpen, protocol.SessionOpenParams{Agent: defaultAgent, Key: "reader"})
	l.reader = opened.Session
	return err
}

// enter counts a request in, unless the connection has ended.
func (l *link) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return false
	}
	l.active++
	return true
}

func (l *link) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active--; l.active == 0 && l.idle != nil {
		l.idle.Reset(l.api.options.Idle)
	}
}

// rest ends a connection that nobody uses.
func (l *link) rest() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active == 0 {
		l.end()
	}
}

// call sends a request. Its end is awaited for a time: what keeps the inbox may hang.
func call[P, R any](ctx context.Context, l *link, m protocol.Request[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	result, err := rpc.Call(ctx, l.conn, m, params)
	return result, worded(err)
}

// ask asks a question, or finds the one that was asked before with the same id and content. It returns once that is durable.
func (l *link) ask(ctx context.Context, asked request) (protocol.AskResult, error) {
	never := 0
	asked.session.MistakeLimit, asked.session.Limits = &never, &protocol.Limits{Questions: question.MaxRaised, Options: question.MaxRaised}
	opened, err := call(ctx, l, protocol.SessionOpen, asked.session)
	if err != nil {
		return protocol.AskResult{}, err
	}
	asked.params.Session, asked.params.Deadline = opened.Session, 1 // as soon as it is asked
	answer, err := call(ctx, l, protocol.QuestionAsk, asked.params)
	if err == nil && answer.Outcome == protocol.OutcomeWaiting {
		var state protocol.SessionState
		state, err = call(ctx, l, protocol.SessionGet, protocol.SessionParams(opened))
		for _, item := range state.Conversation { // which may have been read meanwhile, and be no question
			if item.QuestionID == asked.params.QuestionID && item.Error != nil {
				answer.Outcome, answer.Error = protocol.OutcomeInvalid, item.Error
			}
		}
	}
	switch {
	case isWithdrawn(err):
		return protocol.AskResult{QuestionID: asked.params.QuestionID, Outcome: protocol.OutcomeWithdrawn}, nil
	case err != nil:
		return protocol.AskResult{}, err
	case answer.Outcome == protocol.OutcomeInvalid:
		l.close(opened.Session)
		return protocol.AskResult{}, (*invalid)(cmp.Or(answer.Error, &protocol.CallError{Message: "not a valid question"}))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sessions[asked.params.QuestionID] = opened.Session
	return archive.ResultOf(answer), nil
}

// read waits for the outcome of a question. It waits on when the client has gone, since taking the request back would leave the question.
func (l *link) read(id string, wait time.Duration) (protocol.AskResult, error) {
	select {
	case l.waits <- struct{}{}:
		defer func() { <-l.waits }()
	default:
		return protocol.AskResult{}, later(http.StatusTooManyRequests, "too many requests wait for outcomes")
	}
	within, cancel := context.WithTimeout(l.ctx, wait+patience)
	defer cancel()
	answer, err := rpc.Call(within, l.conn, protocol.QuestionAsk, l.awaiting(id, wait, false))
	switch {
	case isWithdrawn(err):
		return protocol.AskResult{QuestionID: id, Outcome: protocol.OutcomeWithdrawn}, nil
	case err != nil:
		return protocol.AskResult{}, worded(err)
	case answer.Error != nil && answer.Error.Code == protocol.ErrorUnknownQuestion:
		return protocol.AskResult{}, unknown(id)
	}
	return archive.ResultOf(answer), nil
}

// awaiting are the params of a request for the outcome of a question. It counts as collected only if collects is set.
func (l *link) awaiting(id string, wait time.Duration, collects bool) protocol.AskParams {
	input, _ := json.Marshal(map[string]string{"await": id}) // a string
	return protocol.AskParams{
		Session: l.reader, QuestionID: uuid.Must(uuid.NewV7()).String(), Tool: question.ToolFollowup, Input: input,
		Deadline: max(1, int(wait.Milliseconds())), Rejoin: collects,
	}
}

// collected notes that the program has the outcome.
func (l *link) collected(id string) {
	_, _ = call(l.ctx, l, protocol.QuestionAsk, l.awaiting(id, 0, true)) // at worst it is taken for uncollected
	l.mu.Lock()
	session, asked := l.sessions[id]
	delete(l.sessions, id)
	l.mu.Unlock()
	if asked {
		l.close(session)
	}
}

// close ends the session of a question that is closed.
func (l *link) close(session string) {
	_, _ = call(l.ctx, l, protocol.SessionClose, protocol.SessionParams{Session: session}) // which leaves memory in any case
}

// isWithdrawn reports whether an error says that a question was withdrawn.
func isWithdrawn(err error) bool {
	var wrong *jsonrpc2.Error
	return errors.As(err, &wrong) && wrong.Code == protocol.CodeCancelled
}
