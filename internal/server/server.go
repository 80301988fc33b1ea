// Package server is the sidecar: it joins the protocol to the readers and to the state of every session. It is the only
// package that knows them all; each method has a file of its own.
package server

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
)

// DefaultNotShownAfter is how long a pending question waits for an interface to subscribe.
const DefaultNotShownAfter = 10 * time.Second

// flushGrace bounds how long the end of the process waits for a peer that does not read.
const flushGrace = 2 * time.Second

// Options are what a server runs on. Only main touches the process; tests give their own.
type Options struct {
	// In and Out carry the protocol.
	In  io.ReadCloser
	Out io.Writer
	// Log must not be nil.
	Log *zap.Logger
	// Version is the sidecar's own, for the handshake.
	Version string
	// PID is the process's id, for the handshake.
	PID int
	// WatchParent calls gone once when the process is no more, unless it is stopped before. Nil: nobody watches.
	WatchParent func(pid int, gone func()) (stop func())
	// NewID makes the ids of questions that are found in streams: UUIDs of version 7.
	NewID func() string
	// Lease is how long a window that has died is taken to live; 0: DefaultLease.
	Lease time.Duration
}

// Server is one sidecar.
type Server struct {
	options Options
	log     *zap.Logger
	conn    *rpc.Conn
	end     context.CancelCauseFunc

	// mu guards everything below. Sending only queues; what is done under it waits for nothing but the disk, once a section.
	mu            sync.Mutex
	phase         phase
	unwatch       func() // ends the watch over the parent; nil while there is none
	locale        locale.Tag
	notShownAfter time.Duration
	folders       []protocol.WorkspaceFolder
	sessions      map[string]*conversation
	records       map[string]*record // by question id
	streams       map[string]*stream // by stream id
	asked         int                // how many questions there have been; gives each its order
	inbox         inbox
	owner         string // this process, among those that share the store
	storage       storage
	store         store.Store // nil while there is none, or it cannot be opened
	revision      store.Revision
	unsaved       unsaved
	finished      []*record // those that have ended in this section
	undos         map[string]*undo
	retention     *store.Retention // nil until the editor has said what is kept
	retainNow     chan struct{}
}

// Why serving ended, besides the end of the input.
var (
	errExit       = errors.New("the editor said exit")
	errParentGone = errors.New("the parent process is gone")
)

// Serve runs a sidecar until its input ends, the editor says exit, or the parent is gone. It returns the exit status: 0
// after a clean shutdown or a clean end of the input, 1 otherwise.
func Serve(ctx context.Context, o Options) int {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := &Server{
		options: o, log: o.Log, end: end, notShownAfter: DefaultNotShownAfter, locale: locale.English,
		sessions: map[string]*conversation{}, records: map[string]*record{}, streams: map[string]*stream{},
		undos: map[string]*undo{}, retainNow: make(chan struct{}, 1),
	}
	s.inbox.dirty = map[string]*record{}
	s.nothingUnsaved()
	router := s.router()
	// A message may be handled before Dial has returned; handlers wait for the lock, so they find conn set.
	s.mu.Lock()
	s.conn = rpc.Dial(ctx, router, rpc.Options{In: o.In, Out: o.Out, Log: o.Log})
	s.mu.Unlock()

	<-s.conn.Done()
	s.closeStorage()
	select {
	case <-s.conn.Flushed():
	case <-time.After(flushGrace):
		o.Log.Warn("the last messages were not read by the editor")
	}
	return s.status(ctx)
}

func (s *Server) status(ctx context.Context) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unwatch != nil {
		s.unwatch()
	}
	cause := context.Cause(ctx)
	switch err := s.conn.Err(); {
	case err != nil:
		s.log.Error("the connection was given up", zap.Error(err))
		return 1
	case errors.Is(cause, errExit):
		if s.phase != shutDown {
			s.log.Warn("exit without shutdown")
			return 1
		}
		return 0
	case cause != nil:
		s.log.Info("ending", zap.Error(cause))
		return 1
	default:
		s.log.Info("ending: the input has ended")
		return 0
	}
}

func (s *Server) router() *rpc.Router {
	r := &rpc.Router{Gate: s.gate}
	rpc.On(r, protocol.Initialize, s.initialize)
	rpc.OnNotification(r, protocol.Initialized, s.initialized)
	rpc.On(r, protocol.Shutdown, s.shutdown)
	rpc.OnNotification(r, protocol.Exit, s.exit)
	rpc.OnNotification(r, protocol.SetTrace, s.setTrace)
	rpc.On(r, protocol.SessionOpen, s.sessionOpen)
	rpc.On(r, protocol.SessionGet, s.sessionGet)
	rpc.On(r, protocol.SessionClose, s.sessionClose)
	rpc.OnWaiting(r, protocol.QuestionAsk, s.questionAsk)
	rpc.OnWaiting(r, protocol.QuestionAwait, s.questionAwait)
	rpc.On(r, protocol.QuestionWithdraw, s.questionWithdraw)
	rpc.On(r, protocol.QuestionAnswer, s.questionAnswer)
	rpc.On(r, protocol.QuestionReply, s.questionReply)
	rpc.On(r, protocol.QuestionDismiss, s.questionDismiss)
	rpc.OnNotification(r, protocol.StreamAppend, s.streamAppend)
	rpc.OnNotification(r, protocol.StreamAppendToolInput, s.streamAppendToolInput)
	rpc.On(r, protocol.StreamEnd, s.streamEnd)
	rpc.On(r, protocol.QuestionSaveDraft, s.questionSaveDraft)
	rpc.On(r, protocol.InboxSubscribe, s.inboxSubscribe)
	rpc.OnWaiting(r, protocol.HistoryList, beside(s.historyList))
	rpc.OnWaiting(r, protocol.HistorySearch, beside(s.historySearch))
	rpc.OnWaiting(r, protocol.HistoryFacets, beside(s.historyFacets))
	rpc.OnWaiting(r, protocol.HistoryGet, beside(s.historyGet))
	rpc.OnWaiting(r, protocol.HistoryDelete, beside(s.historyDelete))
	rpc.OnWaiting(r, protocol.HistoryRestore, beside(s.historyRestore))
	rpc.OnWaiting(r, protocol.HistoryExport, beside(s.historyExport))
	rpc.OnWaiting(r, protocol.HistoryImport, beside(s.historyImport))
	rpc.On(r, protocol.HistoryConfigure, s.historyConfigure)
	return r
}
