package server

import (
	"context"
	"fmt"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// phase is the connection's phase in the Language Server Protocol's lifecycle.
type phase int

const (
	fresh phase = iota
	running
	shutDown
)

// gate enforces the lifecycle: only initialize first, and only exit after shutdown. The first message after the handshake opens the store.
func (s *Server) gate(method string) error {
	<-s.dialed // a message may arrive before Dial returns
	if err := s.may(method); err != nil {
		return err
	}
	if err := s.allowed(method); err != nil || method == protocol.Initialize.Method || method == protocol.Exit.Method {
		return err
	}
	s.persister.Ready()
	return nil
}

func (s *Server) allowed(method string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case method == protocol.Exit.Method:
		return nil
	case method == protocol.Initialize.Method:
		if s.phase != fresh {
			return rpc.Errorf(jsonrpc2.CodeInvalidRequest, "initialize was sent twice")
		}
	case s.phase == fresh:
		return rpc.Errorf(protocol.CodeNotInitialized, "%s was sent before initialize", method)
	case s.phase == shutDown:
		return rpc.Errorf(jsonrpc2.CodeInvalidRequest, "%s was sent after shutdown", method)
	}
	return nil
}

func (s *Server) initialize(_ context.Context, p protocol.InitializeParams) (protocol.InitializeResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	theirs := p.InitializationOptions
	if theirs.ProtocolVersion != protocol.Version {
		mismatch := &jsonrpc2.Error{Code: protocol.CodeVersionMismatch, Message: fmt.Sprintf(
			"the editor's side speaks version %d of the protocol and followup %s speaks version %d; install matching versions of the two",
			theirs.ProtocolVersion, s.options.Version, protocol.Version)}
		mismatch.SetError(protocol.VersionMismatch{ProtocolVersion: protocol.Version})
		return protocol.InitializeResult{}, mismatch
	}
	s.client = p.ClientInfo.Name
	s.phase = running
	s.language.Store(new(locale.Match(theirs.Locale)))
	s.registry.View(func() {
		if s.folders = theirs.WorkspaceFolders; s.guest == nil {
			s.begin(p)
		}
	})
	s.log.Info("connected", zap.String("client", p.ClientInfo.Name), zap.String("clientVersion", p.ClientInfo.Version),
		zap.String("locale", theirs.Locale))
	result := protocol.InitializeResult{
		ProtocolVersion: protocol.Version,
		ServerInfo:      protocol.ServerInfo{Name: "followup", Version: s.options.Version, PID: s.options.PID},
	}
	if s.guest != nil {
		result.Hub = &s.guest.Hub
	}
	return result, nil
}

// begin applies a client's options. The caller holds both locks.
func (s *Server) begin(p protocol.InitializeParams) {
	theirs := p.InitializationOptions
	s.editor, s.storage, s.logVariables = theirs.EditorFolder, theirs.StorageFolder, theirs.LogVariables
	s.registry.Locale = s.locale()
	if theirs.NotShownAfter != nil {
		s.patience = new(time.Duration(*theirs.NotShownAfter) * time.Millisecond)
	}
	if p.Trace != "" {
		s.conn.SetTrace(p.Trace)
	}
}

func (s *Server) initialized(context.Context, protocol.None) error { return nil }

func (s *Server) shutdown(context.Context, protocol.None) (protocol.None, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = shutDown
	return protocol.None{}, nil
}

func (s *Server) exit(context.Context, protocol.None) error {
	s.end(errExit)
	return nil
}

func (s *Server) setTrace(_ context.Context, p protocol.SetTraceParams) error {
	s.conn.SetTrace(p.Value)
	return nil
}
