package httpapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
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

// link is an account's connection, shared by all of its requests.
type link struct {
	api   *API
	visit web.Visit
	conn  *rpc.Conn
	ctx   context.Context // ends with the connection
	end   context.CancelFunc
	// reader is the session that reads outcomes. It has asked nothing, so reading alone does not count as collecting.
	reader string
	waits  chan struct{} // a token for each request that waits for an outcome
	reads  atomic.Uint64 // the requests that read outcomes so far
	idle   *time.Timer   // if nil, an idle link is not closed

	mu     sync.Mutex
	active int
}

// link returns the connection of a request's account, and dials it if necessary. The caller must call leave.
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
	if other := a.links[key]; other != nil && other.enter() { // dialled meanwhile
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

// dial connects to the account's inbox.
func (a *API) dial(visit web.Visit) *link {
	l := &link{api: a, visit: visit, waits: make(chan struct{}, a.options.MaxWaits), active: 1}
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
		_ = fromUs.Close() // open questions stay open
	})
	if a.options.Idle > 0 {
		l.idle = time.AfterFunc(a.options.Idle, l.closeIdle)
	}
	return l
}

// begin performs the handshake, and opens the session that reads outcomes.
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

// enter registers a request. It returns false if the connection has ended.
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

// closeIdle closes the link if no request uses it.
func (l *link) closeIdle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active == 0 {
		l.end()
	}
}

// call sends a request, and waits at most patience for its result, because the inbox may hang.
func call[P, R any](ctx context.Context, l *link, m protocol.Request[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	result, err := rpc.Call(ctx, l.conn, m, params)
	return result, l.worded(err)
}

// ask asks a question, or joins an earlier one with the same id and content. It returns once the question is durable.
func (l *link) ask(ctx context.Context, asked request) (result protocol.AskResult, err error) {
	for range 3 { // the session may close between two calls
		if result, err = l.askOnce(ctx, asked); !isUnknown(err) {
			break
		}
	}
	return result, err
}

func (l *link) askOnce(ctx context.Context, asked request) (protocol.AskResult, error) {
	never := 0
	asked.session.MistakeLimit, asked.session.Limits = &never, &protocol.Limits{Questions: question.MaxRaised, Options: question.MaxRaised}
	opened, err := call(ctx, l, protocol.SessionOpen, asked.session)
	if err != nil {
		return protocol.AskResult{}, err
	}
	defer func() { go l.finish(opened.Session) }()
	asked.params.Session, asked.params.Deadline = opened.Session, 1 // 1 ms: only ask, do not wait
	answer, err := call(ctx, l, protocol.QuestionAsk, asked.params)
	if err == nil && answer.Outcome == protocol.OutcomeWaiting {
		var state protocol.SessionState
		state, err = call(ctx, l, protocol.SessionGet, protocol.SessionParams(opened))
		for _, item := range state.Conversation { // another request may already have found it invalid
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
		return protocol.AskResult{}, (*invalid)(cmp.Or(answer.Error, &protocol.CallError{Message: "not a valid question"}))
	}
	return archive.ResultOf(answer), nil
}

// await waits for a question's outcome. It holds one of the account's places for as long as the client is there.
func (l *link) await(ctx context.Context, id string, wait time.Duration) (protocol.AskResult, error) {
	select {
	case l.waits <- struct{}{}:
		defer func() { <-l.waits }()
	default:
		return protocol.AskResult{}, later(http.StatusTooManyRequests, "too many requests wait for outcomes")
	}
	return l.read(ctx, id, wait)
}

// read returns a question's outcome, or that it still waits after the given time. If ctx ends, it cancels the request.
func (l *link) read(ctx context.Context, id string, wait time.Duration) (protocol.AskResult, error) {
	ctx, cancel := context.WithTimeout(ctx, wait+patience)
	defer cancel()
	request := jsonrpc2.ID{Str: "read " + strconv.FormatUint(l.reads.Add(1), 10), IsString: true}
	answer, err := rpc.CallOrLeave(ctx, l.conn, request, protocol.QuestionAsk, l.awaiting(id, wait, false))
	err = l.worded(err)
	switch {
	case isWithdrawn(err):
		return protocol.AskResult{QuestionID: id, Outcome: protocol.OutcomeWithdrawn}, nil
	case err != nil:
		return protocol.AskResult{}, err
	case answer.Error != nil && answer.Error.Code == protocol.ErrorUnknownQuestion:
		return protocol.AskResult{}, unknown(id)
	}
	return archive.ResultOf(answer), nil
}

// awaiting returns the params for reading a question's outcome. If collects is set, the outcome counts as collected.
func (l *link) awaiting(id string, wait time.Duration, collects bool) protocol.AskParams {
	input, _ := json.Marshal(map[string]string{"await": id}) // a string
	return protocol.AskParams{
		Session: l.reader, QuestionID: uuid.Must(uuid.NewV7()).String(), Tool: question.ToolFollowup, Input: input,
		Deadline: max(1, int(wait.Milliseconds())), Rejoin: collects,
	}
}

// collected records that the program has received the outcome.
func (l *link) collected(id string) {
	_, _ = call(l.ctx, l, protocol.QuestionAsk, l.awaiting(id, 0, true)) // on failure, it stays uncollected
}

// finish closes a question's session as soon as the question is closed, whether a program reads the outcome or not.
func (l *link) finish(session string) {
	_, _ = call(l.ctx, l, protocol.SessionClose, protocol.SessionCloseParams{Session: session, Finish: true}) // on failure, the store drops the session when it is old
}

// isUnknown reports whether an error says that a session or a question does not exist.
func isUnknown(err error) bool {
	var refusal *web.Refusal
	return errors.As(err, &refusal) && refusal.Status == http.StatusNotFound
}

// isWithdrawn reports whether an error says that a question was withdrawn.
func isWithdrawn(err error) bool {
	var wrong *jsonrpc2.Error
	return errors.As(err, &wrong) && wrong.Code == protocol.CodeCancelled
}
