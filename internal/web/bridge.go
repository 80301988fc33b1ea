package web

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// handshake is the id of the pipe's own request.
const handshake = `"followup web"`

// alive is sent after each ping: pages cannot see pings, and a connection does not end by itself when its network is lost.
const alive = `{"jsonrpc":"2.0","method":"web/alive"}`

// socket connects a page to its own sidecar.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	if visit := s.admit(w, r); visit != nil {
		s.connect(w, r, &page{Visit: *visit})
	}
}

// rpc connects a program, which performs the handshake itself.
func (s *Server) rpc(w http.ResponseWriter, r *http.Request) {
	if visit := s.admitProgram(w, r); visit != nil {
		s.connect(w, r, &page{Visit: *visit, program: true})
	}
}

func (s *Server) connect(w http.ResponseWriter, r *http.Request, p *page) {
	if p.Leave != nil {
		defer p.Leave()
	}
	if !s.enter() {
		s.turnAway(w, r, &Refusal{Status: http.StatusServiceUnavailable, Why: "too many pages are open", After: time.Second})
		return
	}
	defer s.leave()
	// The origin was checked when the visitor was admitted. Behind a proxy it need not be the host.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		s.log.Warn("refused", zap.String("reason", "no WebSocket"), zap.Error(err))
		return
	}
	conn.SetReadLimit(cmp.Or(p.MaxMessage, s.options.MaxMessage))
	p.conn, p.log, p.patience = conn, s.log.With(zap.String("page", r.RemoteAddr)), s.options.Patience
	if p.Name != "" {
		p.log = p.log.With(zap.String("account", p.Name))
	}
	p.run(s.ended, s.options.StorageFolder, r.Header.Get("Accept-Language"))
}

// page is a connected page or program.
type page struct {
	Visit
	program bool
	conn    *websocket.Conn
	log     *zap.Logger
	// in is the sidecar's input. Each write is one message.
	in       *io.PipeWriter
	patience time.Duration
	// waits is when the current read from the page began; nil between reads.
	waits atomic.Pointer[time.Time]
}

// run serves a page until it is closed, or ctx ends.
func (p *page) run(ctx context.Context, folder, languages string) {
	ctx, cancel := context.WithCancelCause(ctx)
	if p.Over != nil {
		defer context.AfterFunc(p.Over, func() { cancel(context.Cause(p.Over)) })()
	}
	input, in := io.Pipe()
	output, out := io.Pipe()
	p.in = in
	var parts sync.WaitGroup
	parts.Go(func() {
		// It ends with its input, not with the page.
		p.Sidecar(context.WithoutCancel(ctx), input, out)
		_ = out.Close()
		_ = input.Close()
	})
	parts.Go(func() {
		cancel(p.cause(p.forward(ctx, bufio.NewReader(output))))
		_, _ = io.Copy(io.Discard, output) // a closed page must not block the sidecar
	})
	parts.Go(func() {
		<-ctx.Done()
		p.close(context.Cause(ctx)) // also ends the reader
	})
	err := p.begin(folder, languages)
	if err == nil {
		go p.ping(ctx, cancel)
		err = p.listen(ctx)
	}
	cancel(p.cause(err))
	_ = in.Close()
	parts.Wait()
}

// cause returns why the visit ended, if it has: the sidecar ended because of that. Otherwise it returns err.
func (p *page) cause(err error) error {
	if p.Over != nil && p.Over.Err() != nil {
		return context.Cause(p.Over)
	}
	return err
}

// begin performs the handshake for the page, which must not choose the storage.
func (p *page) begin(folder, languages string) error {
	if p.program {
		return nil
	}
	params := protocol.InitializeParams{
		ClientInfo: lsp.ClientInfo{Name: "browser"},
		InitializationOptions: protocol.InitializationOptions{
			ProtocolVersion: protocol.Version, StorageFolder: folder, Locale: preferred(languages),
		},
	}
	hello, err := rpc.Message(json.RawMessage(handshake), protocol.Initialize.Method, params)
	if err == nil {
		err = rpc.WriteFrame(p.in, hello)
	}
	if err == nil {
		err = rpc.WriteFrame(p.in, []byte(`{"jsonrpc":"2.0","method":"`+protocol.Initialized.Method+`","params":{}}`))
	}
	return err
}

// listen forwards the page's messages to the sidecar.
func (p *page) listen(ctx context.Context) error {
	for {
		body, err := p.receive(ctx)
		if err != nil {
			return err
		}
		if why := p.pass(body); why != nil {
			err = p.refuse(ctx, body, why)
		} else {
			err = rpc.WriteFrame(p.in, body)
		}
		if err != nil {
			return err
		}
	}
}

// receive reads a message.
func (p *page) receive(ctx context.Context) ([]byte, error) {
	received := p.awaiting()
	kind, message, err := p.conn.Reader(context.Background())
	received()
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageText {
		return nil, errBinary
	}
	if err := p.Await(ctx); err != nil {
		return nil, err
	}
	return p.ReadAll(ctx, incoming{p, message})
}

// awaiting records that a read from the page begins; the returned function records its end.
func (p *page) awaiting() (received func()) {
	now := time.Now()
	p.waits.Store(&now)
	return func() { p.waits.Store(nil) }
}

// incoming is a message that is being read.
type incoming struct {
	page *page
	from io.Reader
}

func (m incoming) Read(b []byte) (int, error) {
	defer m.page.awaiting()()
	return m.from.Read(b)
}

var errBinary = errors.New("the page sent a binary message")

// pass returns why a message must not be forwarded; nil if it may.
func (p *page) pass(body []byte) error {
	if p.program { // the sidecar checks it
		return nil
	}
	head, err := rpc.ReadHead(body)
	switch {
	case err != nil:
		return err
	case head.Response:
		return rpc.Errorf(jsonrpc2.CodeInvalidRequest, "pages do not get requests, so they may not respond")
	case !slices.Contains(protocol.InterfaceMethods, head.Method):
		return rpc.Errorf(jsonrpc2.CodeMethodNotFound, "%.*s is not a method of the interface", maxName, head.Method)
	case string(head.ID) == handshake:
		return rpc.Errorf(jsonrpc2.CodeInvalidRequest, "the id %s is reserved", handshake)
	}
	return nil
}

// maxName limits how many characters of a method's name are quoted.
const maxName = 100

// refuse answers a request that is not forwarded, and drops other messages.
func (p *page) refuse(ctx context.Context, body []byte, why error) error {
	p.log.Warn("refused", zap.String("reason", why.Error()))
	head, err := rpc.ReadHead(body)
	if err == nil && (head.ID == nil || head.Response) {
		return nil
	}
	refusal, err := rpc.Response(head.ID, nil, why)
	if err != nil {
		return err
	}
	return p.write(ctx, refusal)
}

// forward forwards the sidecar's messages to the page: responses, and the interface's notifications.
func (p *page) forward(ctx context.Context, out *bufio.Reader) error {
	for {
		body, err := rpc.ReadFrame(out)
		if err != nil {
			return fmt.Errorf("the sidecar has ended: %w", err)
		}
		var head rpc.Head
		if !p.program {
			head, err = rpc.ReadHead(body)
		}
		switch {
		case err != nil:
		case head.Response && string(head.ID) == handshake:
			err = begun(body)
		case p.program || head.Response || slices.Contains(protocol.InterfaceNotifications, head.Method):
			err = p.write(ctx, body)
		}
		if err != nil {
			return err
		}
	}
}

// begun returns an error if the sidecar rejected the handshake.
func begun(body []byte) error {
	var answer struct {
		Error *jsonrpc2.Error `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("the sidecar did not begin: %w", answer.Error)
	}
	return nil
}

// write sends the page a message. It ignores the end of ctx, which would close the connection before the page gets the reason.
func (p *page) write(ctx context.Context, body []byte) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), p.patience, errNotRead)
	defer cancel()
	if err := p.conn.Write(ctx, websocket.MessageText, body); err != nil {
		return errors.Join(context.Cause(ctx), err)
	}
	return nil
}

var errNotRead = errors.New("the page does not read its messages")

// ping closes a page whose browser is gone, and notifies the others that the server is alive. A browser also counts as
// alive if its pong may be queued behind unread bytes.
func (p *page) ping(ctx context.Context, gone context.CancelCauseFunc) {
	tick := time.NewTicker(p.patience)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			asked := time.Now()
			within, cancel := context.WithTimeoutCause(ctx, p.patience, errNotRead)
			err := p.conn.Ping(within)
			if since := p.waits.Load(); within.Err() != nil && (since == nil || since.After(asked)) {
				err = nil
			}
			cancel()
			if err == nil && !p.program {
				err = p.write(ctx, []byte(alive))
			}
			if err != nil {
				gone(err)
				return
			}
		}
	}
}

// close sends the page the reason, if it is still there.
func (p *page) close(why error) {
	code, reason := websocket.StatusGoingAway, "the server is stopping"
	var farewell *Farewell
	switch {
	case errors.As(why, &farewell):
		code, reason = farewell.Code, farewell.Reason
		p.log.Info("a page was closed", zap.String("reason", reason))
	case errors.Is(why, errBinary):
		code, reason = websocket.StatusUnsupportedData, "only text is accepted"
		p.log.Warn("refused", zap.Error(why))
	case errors.Is(why, websocket.ErrMessageTooBig):
		p.log.Warn("refused", zap.Error(why))
	case websocket.CloseStatus(why) >= 0:
		p.log.Info("a page disconnected", zap.Int("status", int(websocket.CloseStatus(why))))
	case !errors.Is(why, context.Canceled):
		code, reason = websocket.StatusInternalError, "the log has the details"
		p.log.Warn("a page was closed", zap.Error(why))
	}
	_ = p.conn.Close(code, reason)
}
