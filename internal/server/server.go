// Package server is the sidecar: it implements the protocol's methods on top of the other packages. Each group of methods has its own file.
package server

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/history"
	"followup/internal/inbox"
	"followup/internal/locale"
	"followup/internal/notice"
	"followup/internal/persistence"
	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/relay"
	"followup/internal/rpc"
)

// DefaultNotShownAfter is how long a pending question waits for an interface to subscribe.
const DefaultNotShownAfter = 10 * time.Second

// maxBacklog is how many bytes may wait for a peer that does not read before its connection is closed.
const maxBacklog = 64 << 20

// flushGrace bounds how long the end of a connection waits for handlers, and for a peer that does not read.
const flushGrace = 2 * time.Second

// Options are what a server depends on. Only main touches the process; tests pass their own.
type Options struct {
	// Log must not be nil.
	Log *zap.Logger
	// Version is the sidecar's version, for the handshake.
	Version string
	// PID is the process's id, for the handshake.
	PID int
	// NewID returns ids for questions in streams: UUIDs of version 7.
	NewID func() string
	// Env returns environment variables that locate other tools' logs. If nil, no logs are found.
	Env func(name string) string
	// OpenStore opens the store in a folder.
	OpenStore persistence.Open
	// Grace is as in persistence.Options.
	Grace time.Duration
	// Slow is how long a write may take before work continues in memory: 2 s by default.
	Slow time.Duration
	// Now is the clock for questions and outcomes. If nil, it is the system's.
	Now func() time.Time
	// Push has Private, Contact, Sees and Gather; the host sets the others.
	Push push.Options
	// Strict and Address are as in persistence.Options.
	Strict  bool
	Address string
}

// Server is one connection's sidecar.
type Server struct {
	*Host
	guest   *Guest // nil except at a hub
	conn    *rpc.Conn
	dialed  chan struct{} // closed when conn is set
	end     context.CancelCauseFunc
	inbox   *inbox.Inbox
	desk    *notice.Desk
	history *history.History
	large   chan struct{} // limits the large answers that are built concurrently
	hub     *hubLink      // nil without a hub; guarded by the registry's lock

	language atomic.Pointer[locale.Tag] // the peer's

	mu      sync.Mutex
	phase   phase
	client  string // the peer's name for itself
	storage string // the storage folder
	editor  string // the editor's own folder
	// logVariables are the client's variables that locate other tools' logs; nil if it sends none.
	logVariables map[string]string
	importing    func() // stops importing new logs; nil if there is no import

	// Guarded by the registry's lock.
	folders  []protocol.WorkspaceFolder // the peer's
	patience *time.Duration             // how long its questions wait for an interface; if nil, the registry's time limit applies
	sessions map[string]bool            // opened by the peer; false for those that only finish
	forgetAt int                        // the number of sessions at which finished ones are forgotten
	hides    bool                       // the user cannot see the inbox here
	window   *window                    // what the peer shows outside its page; nil unless it is an editor's window
}

// errExit means that the peer sent exit.
var errExit = errors.New("the editor sent exit")

// newServer returns a connection's sidecar.
func newServer(h *Host, guest *Guest, end context.CancelCauseFunc) *Server {
	s := &Server{
		Host: h, guest: guest, end: end, dialed: make(chan struct{}), sessions: map[string]bool{}, large: make(chan struct{}, mostLarge),
	}
	s.language.Store(new(locale.English))
	s.inbox = inbox.New(s.registry, s.inboxes, func() { rpc.NotifyLater(s.conn, protocol.InboxDidChange, "", s.inbox.Next) })
	s.desk = s.board.Open(s.account(), s.wakeNotice, s.notifyOutside)
	s.inbox.Watch = s.notice
	past := history.Options{
		Log: s.log, Store: s.persister.Store, Lost: s.persister.Lost, Locale: s.locale, Background: s.background.Go, Places: s.places,
	}
	if guest != nil {
		s.inbox.Sees, s.inbox.ReadOnly, s.inbox.Account, past.For = s.reaches, s.readOnly, guest.Hub.Account, guest.Reads
	}
	s.history = history.New(past)
	return s
}

// Serve serves one connection, of a person's client or of a hub's guest, until its input ends or the peer sends exit. It does
// not wait for requests that hang.
func (h *Host) Serve(ctx context.Context, in io.ReadCloser, out io.Writer, guest *Guest) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := newServer(h, guest, end)
	h.registry.View(func() {
		h.clients[s] = true
		h.inboxes.Add(s.inbox)
	})
	options := rpc.Options{In: in, Out: out, Log: h.log, MaxBacklog: maxBacklog, MaxQueued: mostQueued}
	if guest != nil {
		options.Slots = guest.Slots
	}
	s.conn = rpc.Dial(ctx, s.router(), options)
	close(s.dialed)

	<-s.conn.Ended()
	h.cutStreams(s)
	select {
	case <-s.conn.Done():
	case <-time.After(flushGrace):
		h.log.Warn("no longer waiting for unfinished requests")
	}
	s.keepImporting(false)
	h.depart(s)
	select {
	case <-s.conn.Flushed():
	case <-time.After(flushGrace):
		h.log.Warn("the editor did not read the last messages")
	}
	switch err := s.conn.Err(); {
	case err != nil:
		s.log.Error("the connection failed", zap.Error(err))
	default:
		s.log.Info("a connection ended", zap.NamedError("cause", context.Cause(ctx)))
	}
}

// clientName returns the peer's name for itself.
func (s *Server) clientName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// locale returns the peer's language.
func (s *Server) locale() locale.Tag { return *s.language.Load() }

func (s *Server) router() *rpc.Router {
	r := &rpc.Router{Gate: s.gate, Word: s.localize}
	rpc.On(r, protocol.Initialize, s.initialize)
	rpc.OnNotification(r, protocol.Initialized, s.initialized)
	rpc.On(r, protocol.Shutdown, s.shutdown)
	rpc.OnNotification(r, protocol.Exit, s.exit)
	rpc.OnNotification(r, protocol.SetTrace, s.setTrace)
	rpc.OnBegun(r, protocol.SessionOpen, s.sessionOpen)
	rpc.OnBegun(r, protocol.SessionGet, s.sessionGet)
	rpc.OnBegun(r, protocol.SessionClose, s.sessionClose)
	rpc.OnBegun(r, protocol.QuestionAsk, s.questionAsk)
	rpc.OnBegun(r, protocol.QuestionAwait, s.questionAwait)
	rpc.OnBegun(r, protocol.QuestionWithdraw, s.questionWithdraw)
	rpc.OnBegun(r, protocol.QuestionConfirm, s.questionConfirm)
	rpc.OnWaiting(r, protocol.QuestionList, reading(s, s.questionList))
	rpc.OnBegun(r, protocol.QuestionAnswer, s.questionAnswer)
	rpc.OnBegun(r, protocol.QuestionReply, s.questionReply)
	rpc.OnBegun(r, protocol.QuestionDecide, s.questionDecide)
	rpc.OnBegun(r, protocol.QuestionDismiss, s.questionDismiss)
	rpc.OnNotification(r, protocol.StreamResume, s.streamResume)
	rpc.OnNotification(r, protocol.StreamAppend, s.streamAppend)
	rpc.OnNotification(r, protocol.StreamAppendToolInput, s.streamAppendToolInput)
	rpc.OnBegun(r, protocol.StreamEnd, s.streamEnd)
	rpc.OnBegun(r, protocol.QuestionSaveDraft, s.questionSaveDraft)
	rpc.OnBegun(r, protocol.QuestionTouch, s.questionTouch)
	rpc.On(r, protocol.TimerConfigure, s.timerConfigure)
	rpc.OnLate(r, protocol.InboxSubscribe, s.inboxSubscribe)
	rpc.OnNotification(r, protocol.InboxDidShow, s.inboxDidShow)
	rpc.OnNotification(r, protocol.NoticeAttend, s.noticeAttend)
	rpc.OnNotification(r, protocol.NoticeConfigure, s.noticeConfigure)
	rpc.On(r, protocol.InboxList, s.inboxList)
	rpc.OnWaiting(r, protocol.InboxStatus, s.inboxStatus)
	rpc.OnWaiting(r, protocol.HistoryList, reading(s, s.historyList))
	rpc.OnWaiting(r, protocol.HistorySearch, reading(s, s.history.Page))
	rpc.OnWaiting(r, protocol.HistoryFacets, reading(s, s.history.Facets))
	rpc.OnWaiting(r, protocol.HistoryGet, reading(s, s.historyGet))
	rpc.OnWaiting(r, protocol.HistoryFind, reading(s, s.history.Find))
	rpc.OnWaiting(r, protocol.HistoryDelete, onceOpen(s, s.historyDelete))
	rpc.OnWaiting(r, protocol.HistoryRestore, onceOpen(s, s.history.Restore))
	rpc.OnWaiting(r, protocol.HistoryText, reading(s, s.history.Text))
	rpc.OnWaiting(r, protocol.HistoryExport, onceOpen(s, s.history.Export))
	rpc.OnWaiting(r, protocol.HistoryImport, onceOpen(s, s.historyImport))
	rpc.OnWaiting(r, protocol.HistoryCountLogs, onceOpen(s, s.historyCountLogs))
	rpc.OnWaiting(r, protocol.HistoryFindLogs, onceOpen(s, s.history.FindLogs))
	rpc.On(r, protocol.HistoryConfigure, s.historyConfigure)
	rpc.OnBegun(r, protocol.HubConnect, s.hubConnect)
	rpc.On(r, protocol.MailDescribe, s.mailDescribe)
	rpc.OnWaiting(r, protocol.PlaceFind, s.placeFind)
	rpc.OnWaiting(r, protocol.PushList, s.pushList)
	rpc.OnWaiting(r, protocol.PushSubscribe, s.pushSubscribe)
	rpc.OnWaiting(r, protocol.PushUnsubscribe, s.pushUnsubscribe)
	rpc.OnWaiting(r, protocol.PushTest, s.pushTest)
	rpc.OnNotification(r, protocol.PushDismiss, s.pushDismiss)
	rpc.OnWaiting(r, protocol.PushNotify, s.pushNotify)
	rpc.On(r, relay.Ping, s.ping)
	return r
}

// ping returns once it has acquired the lock on the conversations.
func (s *Server) ping(context.Context, protocol.None) (protocol.None, error) {
	s.registry.View(func() {})
	return protocol.None{}, nil
}

// isUnknown reports whether err means that the question does not exist.
func isUnknown(err error) bool {
	var wrong *jsonrpc2.Error
	return errors.As(err, &wrong) && wrong.Code == protocol.CodeUnknown
}

// localize translates errors for the user.
func (s *Server) localize(err error) error {
	var refusal *locale.Refusal
	if errors.As(err, &refusal) {
		return rpc.Errorf(protocol.CodeRefused, "%s", refusal.In(s.locale()))
	}
	return err
}
