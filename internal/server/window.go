package server

import (
	"context"
	"slices"
	"time"

	"followup/internal/notice"
	"followup/internal/protocol"
)

// window is what an editor's window shows outside its page. The registry's lock guards it.
type window struct {
	sent *protocol.Waiting // nil if none was
	next protocol.NoticeChange
}

// isHere reports whether a question with these folders belongs to this window: it has one of them open, or the question has none,
// as at a hub.
func (s *Server) isHere(of []protocol.WorkspaceFolder) bool {
	return len(of) == 0 || slices.ContainsFunc(of, func(folder protocol.WorkspaceFolder) bool {
		return slices.ContainsFunc(s.defaults.folders, func(own protocol.WorkspaceFolder) bool { return own.URI == folder.URI })
	})
}

// arrived receives a new or changed open question. The caller holds the registry's lock.
func (s *Server) arrived(item protocol.InboxItem, since time.Time) {
	pending := item.State == protocol.ItemPending
	if s.window == nil || !pending && item.State != protocol.ItemStreaming || !s.isHere(workspacesOf(item)) {
		return
	}
	if next := &s.window.next; !item.InConversation { // if the conversation does not show it, a notification does
		next.Reveals = append(next.Reveals, item.QuestionID)
	}
	// Questions older than the window are opened only by the user.
	if pending && !since.Before(s.desk.Opened()) && hasPreview(item) {
		s.window.next.Wide = append(s.window.next.Wide, entryOf(item))
	}
}

// nextNotice returns what the peer must show and remove now; false if there is nothing.
func (s *Server) nextNotice() (change protocol.NoticeChange, any bool) {
	change, any = s.desk.Next()
	s.registry.View(func() {
		w := s.window
		if w == nil {
			return
		}
		var now protocol.Waiting
		s.inbox.EachOpen(func(state protocol.ItemState, of []protocol.WorkspaceFolder) {
			if state != protocol.ItemStreaming && s.isHere(of) {
				now.Count++
			}
			now.Answerable = now.Answerable || state == protocol.ItemPending
		})
		if w.sent == nil || *w.sent != now {
			w.sent, change.Waiting = &now, &now
		}
		change.Reveals, change.Wide = w.next.Reveals, w.next.Wide
		w.next = protocol.NoticeChange{}
	})
	return change, any || change.Waiting != nil || len(change.Reveals)+len(change.Wide) > 0
}

func (s *Server) inboxList(context.Context, protocol.None) (protocol.InboxListResult, error) {
	pending := func(item protocol.InboxItem) bool { return item.State == protocol.ItemPending }
	var open []protocol.InboxItem
	var here []bool
	s.registry.View(func() {
		open = s.inbox.Open()
		for _, item := range open {
			here = append(here, pending(item) && s.isHere(workspacesOf(item)))
		}
	})
	others := !slices.Contains(here, true)
	result := protocol.InboxListResult{Questions: []protocol.InboxEntry{}}
	for i, item := range open {
		entry := entryOf(item)
		entry.Answerable = here[i] || others && pending(item)
		result.Questions = append(result.Questions, entry)
	}
	return result, nil
}

func entryOf(item protocol.InboxItem) protocol.InboxEntry {
	return protocol.InboxEntry{QuestionID: item.QuestionID, Agent: item.Agent, Title: notice.Title(item)}
}

func hasPreview(item protocol.InboxItem) bool {
	q := item.Payload.Questionnaire
	return q != nil && slices.ContainsFunc(q.Questions, func(one protocol.Question) bool {
		return slices.ContainsFunc(one.Options, func(option protocol.Option) bool { return option.Preview != "" })
	})
}
