package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

// openParams are what an app knows about its call. Hosts provide different parts of it, at different times.
type openParams struct {
	// Call is the JSON-RPC id of the call; absent if the host does not send it.
	Call json.RawMessage `json:"call"`
	// Tool and Arguments are the call's; absent if the host has not sent them yet.
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// openResult has the question; it is empty until there is one.
type openResult struct {
	QuestionID string `json:"questionId"`
}

// openFor waits for the question of an app, which may open before the call has asked.
func (s *Server) openFor(ctx context.Context, req *sdk.CallToolRequest, app string, p openParams) (openResult, error) {
	within, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	looked := false
	for {
		s.mu.Lock()
		call, changed := s.callFor(app, p), s.changed
		if call != nil && call.put {
			call.app = app
			reserved := call.page
			call.page = nil
			question := call.question
			s.mu.Unlock()
			return openResult{question}, s.attach(ctx, app, question, reserved)
		}
		s.mu.Unlock()
		if call == nil && !looked && len(p.Arguments) > 0 {
			looked = true
			if id := s.openBefore(ctx, req, app, p); id != "" {
				return openResult{id}, nil
			}
		}
		select {
		case <-changed:
		case <-s.ending:
			return openResult{}, errNoPage
		case <-within.Done():
			return openResult{}, nil
		}
	}
}

// callFor returns the call of an app, or nil. The caller holds the lock.
func (s *Server) callFor(app string, p openParams) *appCall {
	var best *appCall
	rank := 0
	content := string(canonical(p.Arguments))
	for _, call := range s.calls {
		same := call.tool == p.Tool && call.content == content
		free := call.app == "" || call.app == app
		now := 0
		switch {
		case len(p.Call) > 0 && call.id == string(p.Call):
			now = 6
		case len(p.Arguments) > 0 && !same:
			continue
		case same && call.app == app:
			now = 5
		case same && free && !call.over:
			now = 4
		case same && free:
			now = 3
		case same:
			now = 2
		case free && !call.over:
			now = 1
		}
		if now > rank { // the oldest among the best matches
			best, rank = call, now
		}
	}
	return best
}

// openBefore returns an open question that the same agent asked in a conversation of this folder before this process started.
func (s *Server) openBefore(ctx context.Context, req *sdk.CallToolRequest, app string, p openParams) string {
	asked := textAsked(p.Arguments)
	if asked == "" {
		return ""
	}
	before, err := s.openPage(ctx)
	if err != nil {
		return ""
	}
	snapshot, err := rpc.Call(ctx, before.conn, protocol.InboxSubscribe, protocol.None{})
	if err != nil {
		before.end()
		return ""
	}
	agent, folders := s.known(req).name, s.folders()
	for _, item := range snapshot.Items {
		if item.InConversation && item.Agent == agent && item.Tool == p.Tool && slices.Equal(item.Workspaces, folders) && textOf(item.Payload) == asked {
			before.show(item.QuestionID)
			s.keepPage(app, before)
			return item.QuestionID
		}
	}
	before.end()
	return ""
}

// textAsked returns the first question in a call's arguments.
func textAsked(arguments json.RawMessage) string {
	var asked struct {
		Question  string `json:"question"`
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	_ = json.Unmarshal(arguments, &asked) // missing fields stay empty
	if len(asked.Questions) > 0 {
		asked.Question = asked.Questions[0].Question
	}
	return strings.TrimSpace(asked.Question)
}

func textOf(payload protocol.Payload) string {
	switch {
	case payload.Followup != nil:
		return payload.Question
	case len(payload.Questions) > 0:
		return payload.Questions[0].Question
	}
	return ""
}
