package mcp

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

const (
	// appGrace is how long a call's page waits for an app. Until then the user gets no other notification.
	appGrace = 3 * time.Second
	// pollTime is how long a page's request for changes waits, well below the hosts' limits.
	pollTime = 20 * time.Second
	// pageIdle is the time without requests after which a page counts as closed.
	pageIdle = 3 * pollTime
	// maxNews is how many changes wait for a page that does not request them.
	maxNews = 256
	// maxPages limits the open pages.
	maxPages = 64
)

// codeNoPage means that this process does not know the page, which must then reopen.
const codeNoPage = -32001

// page is the connection of one app to the sidecar, limited to one question.
type page struct {
	conn  *rpc.Conn
	close func()
	ended sync.Once

	mu       sync.Mutex
	question string
	news     []message
	wake     chan struct{} // receives when there are changes
	lease    *time.Timer
}

// message is a notification for the app.
type message struct {
	Method string `json:"method"`
	Params any    `json:"params"`
}

// openPage returns a connection that sees no question yet.
func (s *Server) openPage(ctx context.Context) (*page, error) {
	p := &page{wake: make(chan struct{}, 1)}
	router := &rpc.Router{}
	rpc.OnNotification(router, protocol.InboxDidChange, func(_ context.Context, change protocol.InboxChange) error {
		p.add(change)
		return nil
	})
	for _, unused := range []protocol.Notification[json.RawMessage]{{Method: protocol.NoticeDidChange.Method}, {Method: protocol.HistoryDidChange.Method}} {
		rpc.OnNotification(router, unused, func(context.Context, json.RawMessage) error { return nil })
	}
	p.conn, p.close = s.options.App.Connect(router)
	never := -1
	_, err := rpc.Call(ctx, p.conn, protocol.Initialize, protocol.InitializeParams{
		InitializationOptions: protocol.InitializationOptions{
			ProtocolVersion: protocol.Version, Locale: string(s.options.Locale), StorageFolder: s.options.StorageFolder, NotShownAfter: &never,
		},
	})
	if err == nil {
		rpc.Notify(p.conn, protocol.Initialized, protocol.None{})
		rpc.Notify(p.conn, protocol.InboxDidShow, protocol.InboxDidShowParams{}) // it shows no other questions
		rpc.Notify(p.conn, protocol.NoticeConfigure, protocol.NoticeConfigureParams{})
		_, err = rpc.Call(ctx, p.conn, protocol.InboxSubscribe, protocol.None{})
	}
	if err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

func (p *page) end() {
	p.ended.Do(func() { go p.close() })
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lease != nil {
		p.lease.Stop()
	}
}

// waitFor closes the page after a time without requests.
func (p *page) waitFor(idle time.Duration, gone func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lease != nil {
		p.lease.Stop()
	}
	p.lease = time.AfterFunc(idle, gone)
}

// show limits the page to a question.
func (p *page) show(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.question, p.news = id, nil
}

// attend reports to the sidecar whether the user can see the question on this page.
func (p *page) attend(seen bool) {
	p.mu.Lock()
	params := protocol.NoticeAttendParams{CanNotify: seen, Focused: seen}
	if seen {
		params.Questions = []string{p.question}
	}
	p.mu.Unlock()
	rpc.Notify(p.conn, protocol.NoticeAttend, params)
}

// add queues the part of a change that concerns the page's question.
func (p *page) add(change protocol.InboxChange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change = p.own(change)
	if len(change.Items)+len(change.Removed)+len(change.Grown) == 0 && change.Storage == nil && change.More == 0 {
		return
	}
	if p.question == "" || len(p.news) == maxNews {
		return
	}
	p.news = append(p.news, message{protocol.InboxDidChange.Method, change})
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// own returns the part of a change that concerns the page's question. The caller holds the lock.
func (p *page) own(change protocol.InboxChange) protocol.InboxChange {
	change.Items = slices.DeleteFunc(change.Items, func(i protocol.InboxItem) bool { return i.QuestionID != p.question })
	change.Grown = slices.DeleteFunc(change.Grown, func(g protocol.InboxGrowth) bool { return g.QuestionID != p.question })
	change.Removed = slices.DeleteFunc(change.Removed, func(id string) bool { return id != p.question })
	change.Hub = nil
	return change
}

// take waits for changes and returns them.
func (p *page) take(ctx context.Context, ending <-chan struct{}) ([]message, error) {
	for {
		p.mu.Lock()
		news, full := p.news, len(p.news) == maxNews
		p.news = nil
		p.mu.Unlock()
		switch {
		case full: // changes were dropped
			return nil, errNoPage
		case len(news) > 0:
			return news, nil
		}
		select {
		case <-p.wake:
		case <-p.conn.Ended():
			return nil, errNoPage
		case <-ending:
			return nil, errNoPage
		case <-ctx.Done():
			return []message{}, nil
		}
	}
}

var errNoPage = &jsonrpc2.Error{Code: codeNoPage, Message: "there is no such page"}

// pageCall is a call of the app.
type pageCall struct {
	Key    string          `json:"key"`
	Page   string          `json:"page"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// readPageCall parses the arguments of the page's tool. ok is false if they do not come from the page.
func readPageCall(arguments json.RawMessage) (call pageCall, ok bool) {
	err := json.Unmarshal(arguments, &call)
	return call, err == nil && call.Page != "" && len(call.Page) <= maxName
}

// callPage handles a call of the app. It returns the sidecar's errors as JSON in a result, since hosts drop other errors.
func (s *Server) callPage(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	call, ok := readPageCall(req.Params.Arguments)
	if !ok {
		return failed("This tool is for Followup's page alone."), nil
	}
	if subtle.ConstantTimeCompare([]byte(call.Key), []byte(s.pageKey)) != 1 {
		s.log.Warn("refused a call of the page's tool without its key")
		return failed("This tool is for Followup's page alone. To ask the user, call ask_followup_question."), nil
	}
	result, err := s.serve(ctx, req, call)
	var answer struct {
		Result any             `json:"result,omitempty"`
		Error  *jsonrpc2.Error `json:"error,omitempty"`
	}
	if answer.Result = result; err != nil && !errors.As(err, &answer.Error) {
		answer.Error = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}, nil
}

func (s *Server) serve(ctx context.Context, req *sdk.CallToolRequest, call pageCall) (any, error) {
	switch call.Method {
	case "app/texts":
		var p struct {
			Locale string `json:"locale"`
		}
		_ = json.Unmarshal(call.Params, &p) // otherwise English
		return s.options.App.Texts(p.Locale), nil
	case "app/open":
		var p openParams
		if err := json.Unmarshal(call.Params, &p); err != nil {
			return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "%v", err)
		}
		return s.openFor(ctx, req, call.Page, p)
	case "app/close":
		s.closePage(call.Page)
		return protocol.None{}, nil
	}
	s.mu.Lock()
	p := s.pages[call.Page]
	s.mu.Unlock()
	if p == nil {
		return nil, errNoPage
	}
	if call.Method != "app/news" {
		return p.pass(ctx, call)
	}
	p.waitFor(pageIdle, func() { s.closePage(call.Page) })
	ctx, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	news, err := p.take(ctx, s.ending)
	if err != nil { // the page reopens
		s.closePage(call.Page)
	}
	return news, err
}

// pass forwards a request of the app, if an interface may send it and it concerns the app's question.
func (p *page) pass(ctx context.Context, call pageCall) (any, error) {
	var about struct {
		QuestionID string `json:"questionId"`
		Visible    bool   `json:"visible"`
	}
	if call.Params == nil {
		call.Params = json.RawMessage("{}")
	}
	if err := json.Unmarshal(call.Params, &about); err != nil {
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "%v", err)
	}
	p.mu.Lock()
	own := about.QuestionID == p.question
	p.mu.Unlock()
	switch {
	case call.Method == protocol.NoticeAttend.Method:
		p.attend(about.Visible)
		return protocol.None{}, nil
	case call.Method == protocol.InboxSubscribe.Method:
		return p.subscribe(ctx)
	case !slices.Contains(protocol.InterfaceMethods, call.Method):
		return nil, rpc.Errorf(jsonrpc2.CodeMethodNotFound, "%.100q is not a method of the interface", call.Method)
	case !own:
		return nil, rpc.Errorf(jsonrpc2.CodeInvalidParams, "%s is not about the question of this page", call.Method)
	}
	method := protocol.Request[json.RawMessage, json.RawMessage]{Method: call.Method}
	return rpc.Call(ctx, p.conn, method, call.Params)
}

// subscribe returns the part of the inbox that the app may see.
func (p *page) subscribe(ctx context.Context) (any, error) {
	snapshot, err := rpc.Call(ctx, p.conn, protocol.InboxSubscribe, protocol.None{})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.own(protocol.InboxChange{Items: snapshot.Items})
	return protocol.Inbox{Items: append([]protocol.InboxItem{}, own.Items...), More: snapshot.More, Storage: snapshot.Storage}, nil
}

// attach connects an app to its page.
func (s *Server) attach(ctx context.Context, app, question string, reserved *page) error {
	s.mu.Lock()
	p, count := s.pages[app], len(s.pages)
	s.mu.Unlock()
	if p != nil {
		if reserved != nil {
			reserved.end()
		}
		p.mu.Lock()
		same := p.question == question
		p.mu.Unlock()
		if !same {
			p.attend(false)
			p.show(question)
		}
		return nil
	}
	if count >= maxPages {
		if reserved != nil {
			reserved.end()
		}
		return rpc.Errorf(protocol.CodeBusy, "too many pages are open")
	}
	if p = reserved; p == nil {
		var err error
		if p, err = s.openPage(ctx); err != nil {
			return err
		}
		p.show(question)
	}
	s.keepPage(app, p)
	return nil
}

func (s *Server) keepPage(app string, p *page) {
	p.waitFor(pageIdle, func() { s.closePage(app) })
	s.mu.Lock()
	s.pages[app] = p
	s.mu.Unlock()
}

// closePage closes the page of an app that was closed.
func (s *Server) closePage(app string) {
	s.mu.Lock()
	p := s.pages[app]
	delete(s.pages, app)
	for _, call := range s.calls {
		if call.app == app {
			call.app = ""
		}
	}
	s.mu.Unlock()
	if p != nil {
		p.end()
	}
}

// closePages ends all pages.
func (s *Server) closePages() {
	s.mu.Lock()
	pages := make([]*page, 0, len(s.pages))
	for _, p := range s.pages {
		pages = append(pages, p)
	}
	for _, call := range s.calls {
		if call.page != nil {
			pages = append(pages, call.page)
		}
	}
	s.pages, s.calls = map[string]*page{}, nil
	s.mu.Unlock()
	for _, p := range pages {
		p.ended.Do(p.close)
	}
}
