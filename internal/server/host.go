package server

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/conversation"
	"followup/internal/inbox"
	"followup/internal/locale"
	"followup/internal/notice"
	"followup/internal/persistence"
	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/webhook"
)

// Host is the state that a process's connections share: the conversations and their store. An editor's sidecar has one connection;
// a hub has one per guest.
type Host struct {
	options    Options
	log        *zap.Logger
	background *background.Group
	registry   *conversation.Registry
	persister  *persistence.Persister
	inboxes    *inbox.Inboxes
	board      *notice.Board
	push       *push.Service
	linked     sync.WaitGroup                        // the links to hubs
	callbacks  map[bool]*webhook.Sender              // senders of callbacks, by whether they permit private addresses
	notOpened  atomic.Pointer[protocol.StoreFailure] // the last failure to open the store; nil if it is open

	// Guarded by the registry's lock.
	streams map[protocol.StreamParams]*Server // the connection that sends each stream; empty at a hub, where nothing streams
	clients map[*Server]bool                  // all connections
	links   map[*hubLink]bool
	closing bool // the host is closing its connections
}

// Guest is the account of a connection to a hub. It does not change during the connection.
type Guest struct {
	// Hub describes the hub and the account for the guest.
	Hub protocol.Hub
	// Sees reports whether the guest sees open questions for a person or a group, or for everybody (""). It is called under locks.
	Sees func(to string) bool
	// Reads are the people and groups, and "" for everybody, whose closed questions the guest may read.
	Reads []string
	// Token is the hash of the guest's token.
	Token []byte
	// Names reports whether a person or a group of that name exists.
	Names func(name string) bool
	// Callbacks is the policy for addresses of callbacks.
	Callbacks webhook.Policy
	// MayApprove reports whether the guest may decide requests for permission.
	MayApprove bool
	// Approvers returns the people who may decide, and who see questions for a person or a group, or for everybody (""). It is
	// called under locks.
	Approvers func(to string) []string
	// MaxOpen is how many open questions the account may have, and MaxBytes how many bytes of text in them. MaxTeamBytes and
	// MaxHubBytes limit the bytes of the team and of the hub, which HubBytes returns. Slots limits how many requests wait.
	MaxOpen, MaxBytes, MaxTeamBytes, MaxHubBytes int
	HubBytes                                     func() int
	Slots                                        chan struct{}
	// Received is called with the method of every message.
	Received func(method string)
}

// Limits for a peer: unsent bytes, beyond which no more of its requests are read, and large answers that are built concurrently, so that
// the questions of others do not wait behind its reads of the store.
const (
	mostQueued = 4 << 20
	mostLarge  = 2
)

// NewHost returns a host. It ignores options that apply to a single connection.
func NewHost(o Options) *Host {
	h := &Host{
		options: o, log: o.Log, background: background.New(o.Log), inboxes: &inbox.Inboxes{},
		callbacks: map[bool]*webhook.Sender{
			false: webhook.New(webhook.Options{Limit: callbackLimit}), true: webhook.New(webhook.Options{Private: true, Limit: callbackLimit}),
		},
		streams: map[protocol.StreamParams]*Server{}, clients: map[*Server]bool{}, links: map[*hubLink]bool{},
	}
	h.board = notice.New(func(in time.Duration, run func()) { h.background.After(in, "notice", run) }, time.Now)
	h.registry = conversation.New(conversation.Options{
		Log: o.Log, Background: h.background, NewID: o.NewID, PassText: h.passText, Now: o.Now,
		Cancelled: rpc.ErrCancelled,
	})
	h.registry.NotShownAfter = DefaultNotShownAfter
	h.persister = persistence.New(h.registry, persistence.Options{
		Log: o.Log, Background: h.background, Open: h.openStore, Grace: o.Grace, Slow: o.Slow, Strict: o.Strict, Deliver: h.deliver, Now: o.Now,
		Report: h.inboxes.SetStorage, Address: o.Address,
	})
	h.registry.Audience, h.registry.Persister = h.inboxes, h.persister
	o.Push.Log, o.Push.Background, o.Push.Board, o.Push.Store = o.Log, h.background, h.board, h.persister.Store
	h.push = push.New(o.Push)
	h.inboxes.Watch, h.inboxes.Reaches = h.watchPush(), h.push.Reaches
	return h
}

// Open opens the store of a hub. Questions have no time limit. Closed ones are kept for the given time (0 = forever).
func (h *Host) Open(storage string, speak locale.Tag, kept time.Duration) {
	h.registry.View(func() {
		h.registry.Locale, h.registry.NotShownAfter = speak, -1
		h.persister.Start(storage)
	})
	if kept > 0 {
		h.persister.Retain(store.Retention{Age: kept})
	}
	h.persister.Ready()
}

// Notify notifies an address of questions for everybody.
func (h *Host) Notify(a push.Address) error {
	_, err := h.push.Notify(context.Background(), a)
	return err
}

// Keep makes this a person's host, whose clients connect through Serve. If storage is empty, everything stays in memory.
func (h *Host) Keep(storage string) {
	if storage != "" {
		h.registry.View(func() { h.persister.Start(storage) })
	}
}

// Due reports whether a timed choice is running. The process must not exit before it is made.
func (h *Host) Due() (due bool) {
	h.registry.View(func() {
		for r := range h.registry.Records() {
			due = due || r.Due() > 0 && h.registry.Timed() && !h.registry.Orphaned(r)
		}
	})
	return due
}

// Retire announces that the host will close its connections, so that their questions do not count as abandoned.
func (h *Host) Retire() { h.registry.View(func() { h.closing = true }) }

// Ready returns why the store is currently not usable; nil if it is.
func (h *Host) Ready(ctx context.Context) error {
	in, problem := h.persister.Store(ctx)
	switch {
	case in == nil:
		return errors.New("the store is not open")
	case problem != "":
		return errors.New("questions and answers are not being saved")
	}
	return in.Ping(ctx)
}

// Opened reports whether the store is open.
func (h *Host) Opened() bool   { return h.persister.Opened() }
func (h *Host) KeptBy() string { return h.persister.KeptBy() }

// DisconnectAccount closes the open questions of a hub's account, stops notifying its browsers, and returns the number of questions.
func (h *Host) DisconnectAccount(account string) (closed int) {
	h.push.Forget(context.Background(), account)
	h.section(func() { closed = h.registry.DisconnectAccount(account) })
	return closed
}

// OpenQuestions returns the number of open questions.
func (h *Host) OpenQuestions() (open int) {
	h.registry.View(func() {
		for r := range h.registry.Records() {
			if r.Shown() {
				open++
			}
		}
	})
	return open
}

// OpenBytes returns approximately how many bytes of text the open questions have. It takes no lock.
func (h *Host) OpenBytes() int { return h.registry.OpenBytes() }

// Close writes pending changes and closes the store. It blocks until the links to hubs have sent their last messages, or failed to.
func (h *Host) Close() {
	h.persister.Close()
	h.linked.Wait()
}

// depart removes a connection, and marks its questions as orphaned, unless another client has the same session open.
func (h *Host) depart(s *Server) {
	h.registry.View(func() {
		h.inboxes.Remove(s.inbox)
		delete(h.clients, s)
		s.setHub(nil, &inbox.Hub{})
	})
	s.desk.Close()
	h.section(func() {
		elsewhere := map[string]bool{}
		for other := range h.clients {
			maps.Copy(elsewhere, other.sessions)
		}
		for id := range s.sessions {
			if c := h.registry.Known(id); c != nil && !elsewhere[id] && !h.closing {
				h.registry.Disconnect(c)
			}
		}
	})
}

const hubForbidden locale.Key = "You may not do this at a hub: no single account can change or delete what everybody shares, and an " +
	"agent can reach its own questions only."

// may returns why a guest of a hub must not call a method; nil if it may.
func (s *Server) may(method string) error {
	if s.guest == nil {
		return nil
	}
	s.guest.Received(method)
	role := s.guest.Hub.Role
	if role.May(method) {
		return nil
	}
	refused := &jsonrpc2.Error{Code: protocol.CodeForbidden, Message: s.locale().Text(hubForbidden)}
	refused.SetError(protocol.RoleRefused{Role: role})
	return refused
}

const hubNotApprover locale.Key = "You may not decide on requests for permission at this hub. Its administrator can allow it: followup " +
	"hub invite NAME --renew --may-approve."

// mayClose returns an error if a guest of a hub must not close a question: only approvers may close requests for permission.
func (s *Server) mayClose(r *conversation.Record) error {
	if s.decides(r) {
		return nil
	}
	return rpc.Errorf(protocol.CodeForbidden, "%s", s.locale().Text(hubNotApprover))
}

func (s *Server) decides(r *conversation.Record) bool {
	return s.guest == nil || s.guest.MayApprove || r.Call.Approval == nil
}

// readOnly returns who may decide an approval; nil if the peer may.
func (s *Server) readOnly(r *conversation.Record) *protocol.ReadOnly {
	if s.decides(r) {
		return nil
	}
	return &protocol.ReadOnly{Approvers: s.guest.Approvers(r.Call.To)}
}

// account returns the guest's account; empty outside a hub.
func (s *Server) account() string {
	if s.guest == nil {
		return ""
	}
	return s.guest.Hub.Account
}

// owns reports whether a conversation is the peer's.
func (s *Server) owns(c *conversation.Conversation) bool {
	return s.guest == nil || s.guest.Hub.Role == protocol.RoleAgent && c.Account == s.guest.Hub.Account
}

// reaches reports whether the peer sees a question: an agent sees its own, a person all but those for others.
func (s *Server) reaches(r *conversation.Record) bool {
	return s.owns(r.Conversation) || s.guest.Hub.Role == protocol.RolePerson && s.guest.Sees(r.Call.To)
}

// knows reports whether the peer sees a question and knows it by this id.
func (s *Server) knows(r *conversation.Record, id string) bool {
	return s.reaches(r) && (s.guest == nil || s.guest.Hub.Role == protocol.RolePerson || r.AgentID() == id)
}

// conversation returns an open session of the peer from memory. It is called in a section.
func (s *Server) conversation(id string) (*conversation.Conversation, error) {
	if c := s.registry.Known(id); c != nil && !s.owns(c) {
		return nil, conversation.NoSession(id)
	}
	return s.registry.Conversation(id)
}

// checkAddressee returns an error if a question's addressee does not exist.
func (s *Server) checkAddressee(p protocol.AskParams) error {
	if p.To != "" && (s.guest == nil || !s.guest.Names(p.To)) {
		return rpc.Errorf(jsonrpc2.CodeInvalidParams, "there is no person and no group %q here", p.To)
	}
	return nil
}

// checkRoom returns an error if the account, team or hub has no room for a question of that many bytes. It is called in a section.
func (s *Server) checkRoom(more int) error {
	if s.guest == nil {
		return nil
	}
	const wait = "; no more are accepted until some are answered or withdrawn"
	open, bytes := s.registry.OpenOf(s.guest.Hub.Account)
	if open >= s.guest.MaxOpen {
		return rpc.Errorf(protocol.CodeBusy, "%d questions of this account are open"+wait, open)
	}
	for _, budget := range []struct {
		of        string
		has, most int
	}{
		{"account", bytes, s.guest.MaxBytes}, {"team", s.registry.OpenBytes(), s.guest.MaxTeamBytes}, {"hub", s.guest.HubBytes(), s.guest.MaxHubBytes},
	} {
		if budget.has+more > budget.most {
			return rpc.Errorf(protocol.CodeBusy, "the open questions of this %s have %d KiB of text, and may have %d KiB with this one"+wait,
				budget.of, budget.has>>10, budget.most>>10)
		}
	}
	return nil
}

// person returns the name under which answers are recorded at a hub.
func (s *Server) person() string {
	if s.guest == nil || s.guest.Hub.Role != protocol.RolePerson {
		return ""
	}
	return s.guest.Hub.Account
}

// openStore opens the store, and records why that failed.
func (h *Host) openStore(ctx context.Context, place string, o store.Options) (store.Store, store.Report, error) {
	opened, report, err := h.options.OpenStore(ctx, place, o)
	var failure *protocol.StoreFailure
	if err != nil {
		failure = &protocol.StoreFailure{Reason: storeReason(err), Cause: err.Error()}
	}
	h.notOpened.Store(failure)
	if err == nil {
		h.background.Go("push", func() {
			if err := h.push.Load(context.WithoutCancel(ctx), opened); err != nil && !errors.Is(err, store.ErrClosed) {
				h.log.Warn("could not read the push subscriptions", zap.Error(err))
			}
		})
	}
	return opened, report, err
}

func storeReason(err error) protocol.StoreReason {
	for _, known := range []struct {
		is     error
		reason protocol.StoreReason
	}{
		{store.ErrNewer, protocol.StoreNewer},
		{syscall.ENOTDIR, protocol.StoreNotFolder},
		{fs.ErrPermission, protocol.StoreNotWritable},
		{syscall.EROFS, protocol.StoreNotWritable},
		{syscall.ENOSPC, protocol.StoreFull},
		{store.ErrUnavailable, protocol.StoreInUse},
	} {
		if errors.Is(err, known.is) {
			return known.reason
		}
	}
	return protocol.StoreOther
}
