package server

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
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

// Host is what the connections of one process share: the conversations, and what keeps them. An editor's sidecar has one connection;
// a hub has one for each of its guests.
type Host struct {
	options                     Options
	log                         *zap.Logger
	background                  *background.Group
	registry                    *conversation.Registry
	persister                   *persistence.Persister
	inboxes                     *inbox.Inboxes
	board                       *notice.Board
	push                        *push.Service
	linked                      sync.WaitGroup                        // the links to hubs
	publicSender, privateSender func() *webhook.Sender                // of callbacks
	notOpened                   atomic.Pointer[protocol.StoreFailure] // why the store could not be opened the last time; nil if it was

	// Guarded by the registry's lock.
	streams map[string]*Server // which connection gives a stream; empty at a hub, where nothing streams
	clients map[*Server]bool   // the connections of the person whose host this is
	views   map[*Server]view
	links   map[*hubLink]bool
	closing bool // connections end because the host does
}

// Guest is whom a connection to a hub belongs to. It does not change while that lasts.
type Guest struct {
	// Hub is what the guest is told of itself.
	Hub protocol.Hub
	// Sees tells whether an open question that is for a person or a group, or for everybody (""), is for this one. It is called under locks.
	Sees func(to string) bool
	// Reads are the people and groups, and "" for everybody, whose closed questions this one may read.
	Reads []string
	// Token is the hash of the token that the guest has shown.
	Token []byte
	// Names tells whether there is a person or a group of a name.
	Names func(name string) bool
	// Callbacks says where this one's questions may have their outcomes sent.
	Callbacks webhook.Policy
	// MayApprove says that this one may decide on requests for permission.
	MayApprove bool
	// Approvers returns the people who may, and who see what is for a person or a group, or for everybody (""). It is called under locks.
	Approvers func(to string) []string
	// MaxOpen is how many questions of the account may be open, and MaxBytes how many bytes of text they may have. MaxTeamBytes and
	// MaxHubBytes bound those of the team and of the hub, which has HubBytes. Waiting is how many of its requests may be under way.
	MaxOpen, MaxBytes, MaxTeamBytes, MaxHubBytes int
	HubBytes                                     func() int
	Waiting                                      *rpc.Bound
	// Came is told of every message by its method.
	Came func(method string)
}

// How much is held for a guest who does not read: bytes that are to be sent before no more requests are read, and large answers that are
// made at the same time.
const (
	guestQueued = 4 << 20
	guestLarge  = 4
)

// NewHost puts the rooms together that all connections share. Of the options, those of a connection are not read.
func NewHost(o Options) *Host {
	h := &Host{
		options: o, log: o.Log, background: background.New(o.Log), inboxes: &inbox.Inboxes{},
		publicSender: sync.OnceValue(newSender(false)), privateSender: sync.OnceValue(newSender(true)),
		streams: map[string]*Server{}, clients: map[*Server]bool{}, views: map[*Server]view{}, links: map[*hubLink]bool{},
	}
	h.board = notice.New(func(in time.Duration, run func()) { h.background.After(in, "notice", run) }, time.Now)
	h.registry = conversation.New(conversation.Options{
		Log: o.Log, Background: h.background, NewID: o.NewID, PassText: h.passText, Now: o.Now,
		Cancelled: rpc.ErrCancelled,
	})
	h.registry.NotShownAfter = DefaultNotShownAfter
	h.persister = persistence.New(h.registry, persistence.Options{
		Log: o.Log, Background: h.background, Open: h.openStore, Grace: o.Grace, Slow: o.Slow, Strict: o.Strict, Deliver: h.deliver,
		Report: h.inboxes.SetStorage, Address: o.Address,
	})
	h.registry.Audience, h.registry.Persister = h.inboxes, h.persister
	h.push = push.New(push.Options{
		Log: o.Log, Background: h.background, Board: h.board, Store: h.persister.Store, Sees: o.PushSees, Gather: o.PushGather, Now: time.Now,
		Sender: webhook.New(webhook.Options{Private: o.PushPrivate}),
	})
	h.inboxes.Watch, h.inboxes.Reaches = h.watchPush(), h.push.Reaches
	return h
}

// Open opens the store of a hub. What is asked there waits for good. What is over is kept for so long, 0 is for good.
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

// Keep makes this the host of a person, to which any number of clients connect by ServeClient. Everything is kept in the storage folder;
// if that is empty, in memory alone.
func (h *Host) Keep(storage string) {
	if storage != "" {
		h.registry.View(func() { h.persister.Start(storage) })
	}
}

// ServeClient serves a client of the person's until its input ends.
func (h *Host) ServeClient(ctx context.Context, in io.ReadCloser, out io.Writer) {
	h.serve(ctx, in, out, nil)
}

// Due reports whether a choice is about to be made for the user: the process must not end before.
func (h *Host) Due() (due bool) {
	h.registry.View(func() {
		for r := range h.registry.Records() {
			due = due || r.Due() > 0 && h.registry.Timed() && !h.registry.Orphaned(r)
		}
	})
	return due
}

// Retire announces that the host ends its connections itself: what was asked over them is not taken for left.
func (h *Host) Retire() { h.registry.View(func() { h.closing = true }) }

// Serve serves a guest of a hub until the input ends.
func (h *Host) Serve(ctx context.Context, in io.ReadCloser, out io.Writer, guest Guest) {
	h.serve(ctx, in, out, &guest)
}

// Ready tells why the store cannot be used at the moment; nil where it can.
func (h *Host) Ready(ctx context.Context) error {
	in, problem := h.persister.Store(ctx)
	switch {
	case in == nil:
		return errors.New("the store is not open")
	case problem != "":
		return errors.New("what is asked and answered is not kept at the moment")
	}
	return in.Ping(ctx)
}

// Opened reports whether the store is open. KeptBy returns the address of the process that has it in this one's place, if it has told.
func (h *Host) Opened() bool   { return h.persister.Opened() }
func (h *Host) KeptBy() string { return h.persister.KeptBy() }

// Withdraw withdraws the open questions of a hub's account, and returns how many they were. Its browsers are not notified any more.
func (h *Host) Withdraw(account string) int {
	h.push.Forget(context.Background(), account)
	h.registry.Enter()
	defer h.registry.Leave()
	return h.registry.WithdrawOf(account)
}

// Waiting tells how many questions are open.
func (h *Host) Waiting() (open int) {
	h.registry.View(func() {
		for r := range h.registry.Records() {
			if r.Shown() {
				open++
			}
		}
	})
	return open
}

// OpenBytes returns about how many bytes of text the open questions have. It takes no lock.
func (h *Host) OpenBytes() int { return h.registry.OpenBytes() }

// Close writes what could wait, and closes the store. It blocks until the links to hubs have sent their last messages, or cannot.
func (h *Host) Close() {
	h.persister.Close()
	h.linked.Wait()
}

func (h *Host) arrive(s *Server) {
	h.registry.View(func() {
		h.views[s] = view{}
		if s.guest == nil {
			h.clients[s] = true
		}
		h.inboxes.Add(s.inbox)
	})
}

func (h *Host) depart(s *Server) {
	h.registry.View(func() {
		h.inboxes.Remove(s.inbox)
		delete(h.views, s)
		s.setHub(nil, &inbox.Hub{})
	})
	s.desk.Close()
	if s.guest == nil {
		h.disconnect(s)
	}
}

// view is what a connection has told of its inbox.
type view struct{ shows, hides bool }

// look changes what is known of a connection's inbox. Its last messages are handled behind its end.
func (s *Server) look(change func(*view)) {
	s.registry.View(func() {
		if v, here := s.views[s]; here {
			change(&v)
			if s.views[s] = v; s.hub != nil {
				s.hub.show()
			}
		}
	})
}

// shown reports whether an inbox can be seen in any client, or somebody is notified without one.
func (h *Host) shown() (shown bool) {
	h.registry.View(func() {
		for _, v := range h.views {
			shown = shown || v.shows && !v.hides
		}
	})
	return shown || h.push.Reaches()
}

// disconnect marks what a client has asked, unless another client has the same session open.
func (h *Host) disconnect(s *Server) {
	h.registry.Enter()
	defer h.registry.Leave()
	delete(h.clients, s)
	if h.closing {
		return
	}
	elsewhere := map[string]bool{}
	for other := range h.clients {
		maps.Copy(elsewhere, other.sessions)
	}
	for id := range s.sessions {
		if c := h.registry.Known(id); c != nil && !elsewhere[id] {
			h.registry.Disconnect(c)
		}
	}
}

// cutStreams forgets the streams that a client was giving when it disconnected.
func (h *Host) cutStreams(s *Server) {
	h.registry.Enter()
	defer h.registry.Leave()
	for id := range s.streams {
		delete(h.streams, id)
		if s.guest == nil && !h.closing {
			h.registry.Cut(id)
		}
	}
}

// givesMore is gives outside of sections.
func (s *Server) givesMore(streamID string) {
	s.registry.Enter()
	defer s.registry.Leave()
	s.gives(streamID)
}

// gives notes that a client gives a stream. One that another client was giving begins anew. It is called in a section.
func (s *Server) gives(streamID string) {
	before := s.Host.streams[streamID]
	if before == s {
		return
	}
	if before != nil {
		delete(before.streams, streamID)
		s.registry.Cut(streamID)
	}
	s.Host.streams[streamID], s.streams[streamID] = s, true
}

// resumes is gives for a stream that begins anew, unless this client gives it already. It is called in a section.
func (s *Server) resumes(streamID string) {
	if s.Host.streams[streamID] == nil {
		s.registry.Cut(streamID)
	}
	s.gives(streamID)
}

// given notes that a stream has ended. It is called in a section.
func (s *Server) given(streamID string) {
	if s.Host.streams[streamID] == s {
		delete(s.Host.streams, streamID)
		delete(s.streams, streamID)
	}
}

// passText has text outside calls handed back to the client that gives the stream.
func (h *Host) passText(st *conversation.Stream) {
	if s := h.streams[st.ID]; s != nil {
		s.passText(st)
	}
}

const hubForbidden locale.Key = "A hub does not take this from you: what all share is not changed or deleted by one, and an agent " +
	"reaches its own questions alone."

// may tells a guest of a hub why a method is not for it.
func (s *Server) may(method string) error {
	if s.guest == nil {
		return nil
	}
	s.guest.Came(method)
	role := s.guest.Hub.Role
	if role.May(method) {
		return nil
	}
	refused := &jsonrpc2.Error{Code: protocol.CodeForbidden, Message: s.locale().Text(hubForbidden)}
	refused.SetError(protocol.RoleRefused{Role: role})
	return refused
}

const hubNotApprover locale.Key = "You may not decide on requests for permission at this hub. Whoever runs it can let you: followup " +
	"hub invite NAME --renew --may-approve."

// mayClose returns an error if a guest of a hub may not end a question: a request for permission is for those who may approve.
func (s *Server) mayClose(r *conversation.Record) error {
	if s.decides(r) {
		return nil
	}
	return rpc.Errorf(protocol.CodeForbidden, "%s", s.locale().Text(hubNotApprover))
}

func (s *Server) decides(r *conversation.Record) bool {
	return s.guest == nil || s.guest.MayApprove || r.Call.Approval == nil
}

// readOnly returns who may decide an approval in place of the peer's user; nil if they may themselves.
func (s *Server) readOnly(r *conversation.Record) *protocol.ReadOnly {
	if s.decides(r) {
		return nil
	}
	return &protocol.ReadOnly{Approvers: s.guest.Approvers(r.Call.To)}
}

// account is whose a hub's guest is; empty where nobody shares the process.
func (s *Server) account() string {
	if s.guest == nil {
		return ""
	}
	return s.guest.Hub.Account
}

// owns tells whether a conversation is the peer's.
func (s *Server) owns(c *conversation.Conversation) bool {
	return s.guest == nil || s.guest.Hub.Role == protocol.RoleAgent && c.Account == s.guest.Hub.Account
}

// reaches tells whether a question is the peer's to see: an agent's own, a person's unless it is for somebody else.
func (s *Server) reaches(r *conversation.Record) bool {
	return s.owns(r.Conversation) || s.guest.Hub.Role == protocol.RolePerson && s.guest.Sees(r.Call.To)
}

// calls reports whether a question is the peer's to see, and has this id for it.
func (s *Server) calls(r *conversation.Record, id string) bool {
	return s.reaches(r) && (s.guest == nil || s.guest.Hub.Role == protocol.RolePerson || r.AgentID() == id)
}

// conversation finds a session of the peer's that is in memory and not over; it is called in a section.
func (s *Server) conversation(id string) (*conversation.Conversation, error) {
	if c := s.registry.Known(id); c != nil && !s.owns(c) {
		return nil, conversation.NoSession(id)
	}
	return s.registry.Conversation(id)
}

// addressed tells why a question cannot be asked: whom it is for is not there.
func (s *Server) addressed(p protocol.AskParams) error {
	if p.To != "" && (s.guest == nil || !s.guest.Names(p.To)) {
		return rpc.Errorf(jsonrpc2.CodeInvalidParams, "there is no person and no group %q here", p.To)
	}
	return nil
}

// crowded returns an error if there is no room for a question beside those that are open. It is called in a section.
func (s *Server) crowded(more int) error {
	if s.guest == nil {
		return nil
	}
	const wait = "; no more are taken until some are answered or withdrawn"
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

// person is whom answers are noted as, at a hub.
func (s *Server) person() string {
	if s.guest == nil || s.guest.Hub.Role != protocol.RolePerson {
		return ""
	}
	return s.guest.Hub.Account
}

// asGuest is how a guest's session is opened: nobody passes for another's agent, and what was asked outlives the connection.
func (s *Server) asGuest(p protocol.SessionOpenParams) protocol.SessionOpenParams {
	if s.guest == nil {
		return p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p.Agent += " · " + s.guest.Hub.Account
	p.Bound = nil
	if p.Locale == "" {
		p.Locale = string(s.language)
	}
	if p.WorkspaceFolders == nil {
		p.WorkspaceFolders = slices.Clone(s.folders)
	}
	return p
}
