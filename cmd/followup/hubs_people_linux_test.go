//go:build soak && !nohub && !nopostgres

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/hubclient"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// ledger records what the agents and people of a team received.
type ledger struct {
	team string
	mu   sync.Mutex
	// asked has each question's addressee, and got the answer that its agent received.
	asked, got map[string]string
	// tried has the answers that each person sent, and accepted those that were accepted, by question.
	tried    map[string]map[string]bool
	accepted map[string][]protocol.ItemOutcome
	// outcomes are the distinct outcomes of each question that people received.
	outcomes map[string]map[string]protocol.ItemOutcome
	// wrong are messages that nobody should receive.
	wrong []string
	// progress receives a value with each answer that an agent gets.
	progress chan struct{}
	lost     int // answers without a response
	late     int // answers that were reported as too late
}

func newLedger(team string, progress chan struct{}) *ledger {
	return &ledger{
		team: team, progress: progress,
		asked: map[string]string{}, got: map[string]string{}, tried: map[string]map[string]bool{}, accepted: map[string][]protocol.ItemOutcome{},
		outcomes: map[string]map[string]protocol.ItemOutcome{},
	}
}

func (l *ledger) note(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

func (l *ledger) fault(format string, args ...any) {
	l.note(func() { l.wrong = append(l.wrong, fmt.Sprintf(format, args...)) })
}

// ended records an outcome of a question that somebody received.
func (l *ledger) ended(id string, o protocol.ItemOutcome) {
	l.note(func() {
		if l.outcomes[id] == nil {
			l.outcomes[id] = map[string]protocol.ItemOutcome{}
		}
		l.outcomes[id][o.Text+"\x00"+o.AnsweredBy] = o
	})
}

// ledgers are the ledgers of all teams.
type ledgers []*ledger

// answered returns how many questions got their answers.
func (all ledgers) answered() (count int) {
	for _, l := range all {
		l.note(func() { count += len(l.got) })
	}
	return count
}

// soul is an agent or a person that uses the hubs.
type soul struct {
	*ledger
	name, token string
	base        *url.URL
	first, last time.Duration // pauses between connections
}

// asks lets an agent ask a number of questions in each of its conversations, one after the other, over the program's own link to a hub.
func (s *soul) asks(ctx context.Context, conversations, each int) {
	toClient, fromAgent := io.Pipe()
	toAgent, fromClient := io.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		hubclient.Serve(ctx, hubclient.Options{
			In: toClient, Out: fromClient, Log: zap.NewNop(), URL: s.base, Version: "test", Locale: locale.English,
			Token: func() (string, error) { return s.token, nil }, First: s.first, Last: s.last,
		})
		_ = fromClient.Close()
	}()
	conn := rpc.Dial(context.WithoutCancel(ctx), &rpc.Router{}, rpc.Options{In: toAgent, Out: fromAgent, Log: zap.NewNop()})
	defer func() {
		conn.Close()
		_ = fromAgent.Close()
		<-served
	}()
	if _, err := rpc.Call(ctx, conn, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{ProtocolVersion: protocol.Version},
	}); err != nil {
		s.fault("%s was not greeted: %v", s.name, err)
		return
	}
	rpc.Notify(conn, protocol.Initialized, protocol.None{})
	var all sync.WaitGroup
	for n := range conversations {
		all.Go(func() {
			opened, err := rpc.Call(ctx, conn, protocol.SessionOpen, protocol.SessionOpenParams{Agent: "Test", Key: fmt.Sprint(n)})
			if err != nil {
				if ctx.Err() == nil {
					s.fault("%s has no session: %v", s.name, err)
				}
				return
			}
			for k := range each {
				id, to := newID(), []string{"", "ops", "Ann"}[(n+k)%3]
				s.note(func() { s.asked[id] = to })
				answer, err := rpc.Call(ctx, conn, protocol.QuestionAsk, protocol.AskParams{
					Envelope: protocol.Envelope{To: to}, Session: opened.Session, QuestionID: id, Tool: "ask_followup_question",
					Input: []byte(fmt.Sprintf(`{"question":"Question %d of %s?","follow_up":["A"]}`, k, s.name)),
				})
				if err != nil {
					if ctx.Err() == nil {
						s.fault("%s received %s: %v", s.name, id, err)
					}
					return
				}
				s.note(func() { s.got[id] = answer.Text })
				select {
				case s.progress <- struct{}{}:
				default:
				}
			}
		})
	}
	all.Wait()
}

// answers lets a person answer every question that the page shows, at once, until ctx ends. If the connection is lost, the person
// reconnects and answers the open questions.
func (s *soul) answers(ctx context.Context) {
	var cookie *http.Cookie
	attempts := map[string]int{} // by question
	for pause := s.first; ctx.Err() == nil; pause = min(2*pause, s.last) {
		if cookie == nil {
			cookie = s.login(ctx)
		}
		if cookie != nil && s.page(ctx, cookie, attempts) {
			pause = s.first
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// login logs in with the token in the page's address.
func (s *soul) login(ctx context.Context) *http.Cookie {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base.JoinPath("login").String(), strings.NewReader(s.token))
	if err != nil {
		return nil
	}
	r.Header.Set("Origin", s.base.String())
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return nil
	}
	_ = response.Body.Close()
	if cookies := response.Cookies(); len(cookies) > 0 {
		return cookies[0]
	}
	if response.StatusCode < 500 {
		s.fault("%s was not let in: %s", s.name, response.Status)
	}
	return nil
}

// page runs one connection of a page. It reports whether it connected.
func (s *soul) page(ctx context.Context, cookie *http.Cookie, attempts map[string]int) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dialing, dialed := context.WithTimeout(ctx, time.Minute)
	conn, response, err := websocket.Dial(dialing, s.base.JoinPath("page", "socket").String(), &websocket.DialOptions{ //nolint:bodyclose // the library has read it
		HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
		HTTPHeader: http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}, "Origin": {s.base.String()}},
	})
	dialed()
	if err != nil {
		if response != nil && response.StatusCode < 500 {
			s.fault("the page of %s was refused: %s", s.name, response.Status)
		}
		return false
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(-1)
	in, fromHub := io.Pipe()
	toHub, out := io.Pipe()
	var passing sync.WaitGroup
	passing.Go(func() {
		defer func() { _ = fromHub.Close() }()
		for {
			silent, heard := context.WithTimeout(ctx, 75*time.Second) // the page's own timeout
			_, body, err := conn.Read(silent)
			heard()
			if err != nil || rpc.WriteFrame(fromHub, body) != nil {
				return
			}
		}
	})
	passing.Go(func() {
		for frames := bufio.NewReader(toHub); ; {
			body, err := rpc.ReadFrame(frames)
			if err != nil || conn.Write(ctx, websocket.MessageText, body) != nil {
				_ = toHub.Close()
				_ = conn.CloseNow()
				return
			}
		}
	})
	router := &rpc.Router{}
	shown := make(chan []protocol.InboxItem, 1<<12)
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, p protocol.InboxChange) error {
		shown <- p.Items
		return nil
	})
	page := rpc.Dial(context.Background(), router, rpc.Options{In: in, Out: out, Log: zap.NewNop()})
	snapshot, err := rpc.Call(ctx, page, protocol.InboxSubscribe, protocol.None{})
	if err == nil {
		shown <- snapshot.Items
	}
	var sending sync.WaitGroup
	for here := map[string]bool{}; err == nil; {
		var items []protocol.InboxItem
		select {
		case items = <-shown:
		case <-page.Ended():
			err = io.EOF
		case <-ctx.Done():
			err = ctx.Err()
		}
		for _, item := range items {
			id := item.QuestionID
			if item.Outcome != nil {
				s.ended(id, *item.Outcome)
			}
			if item.State != protocol.ItemPending || here[id] {
				continue
			}
			here[id] = true
			attempts[id]++
			text := fmt.Sprintf("%s, %d", s.name, attempts[id])
			s.note(func() {
				if to, asked := s.asked[id]; !asked || to != item.To || to == "Ann" && s.name != "Ann" || to == "ops" && s.name == "Zoë" {
					s.wrong = append(s.wrong, fmt.Sprintf("%s was shown %s, which is for %q", s.name, id, to))
				}
				if s.tried[id] == nil {
					s.tried[id] = map[string]bool{}
				}
				s.tried[id][text] = true
			})
			sending.Go(func() { s.answer(ctx, page, id, text) })
		}
	}
	cancel()
	_ = conn.CloseNow()
	page.Close()
	_ = out.Close()
	_ = toHub.Close()
	for len(shown) > 0 {
		<-shown
	}
	sending.Wait()
	passing.Wait()
	return true
}

func (s *soul) answer(ctx context.Context, page *rpc.Conn, id, text string) {
	result, err := rpc.Call(ctx, page, protocol.QuestionAnswer, protocol.AnswerParams{QuestionID: id, Provenance: protocol.ProvenanceTyped, Text: text})
	var said *jsonrpc2.Error
	switch {
	case errors.As(err, &said):
		s.fault("%s received, for the answer %q to %s: %v", s.name, text, id, said)
	case err != nil:
		s.note(func() { s.lost++ })
	case !result.Accepted:
		s.note(func() { s.late++ })
		s.ended(id, result.Outcome)
	default:
		s.note(func() { s.accepted[id] = append(s.accepted[id], result.Outcome) })
		if result.Outcome.Text != text || result.Outcome.AnsweredBy != s.name {
			s.fault("%s received that %q was accepted, as %+v", s.name, text, result.Outcome)
		}
	}
}
