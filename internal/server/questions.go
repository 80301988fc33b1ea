package server

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/conversation"
	"followup/internal/protocol"
	"followup/internal/question"
	"followup/internal/rpc"
	"followup/internal/store"
)

// Limits of question/list.
const (
	defaultListed = 50
	maxListed     = 200
	// maxScanned limits how many entries of the history one page reads.
	maxScanned = 1000
)

// listable are the outcomes that question/list accepts besides waiting.
var listable = []question.Outcome{
	protocol.OutcomeAnswered, protocol.OutcomeDismissed, protocol.OutcomeReplied, protocol.OutcomeWithdrawn, protocol.OutcomeExpired,
	protocol.OutcomeDisconnected,
}

func (s *Server) questionList(ctx context.Context, p protocol.QuestionListParams) (page protocol.QuestionListResult, err error) {
	limit := cmp.Or(p.Limit, defaultListed)
	if limit < 1 || limit > maxListed {
		return page, rpc.Errorf(jsonrpc2.CodeInvalidParams, "limit is %d; it must be 1 to %d", limit, maxListed)
	}
	after := int64(0)
	if p.After != "" {
		if after, err = strconv.ParseInt(p.After, 10, 64); err != nil || after < 1 {
			return page, rpc.Errorf(jsonrpc2.CodeInvalidParams, "there is no page %q", p.After)
		}
	}
	page.Questions = []protocol.Answer{}
	switch {
	case p.Outcome == protocol.OutcomeWaiting:
		s.listOpen(&page, p.KeyPrefix, after, limit)
	case slices.Contains(listable, p.Outcome):
		err = s.listClosed(ctx, &page, p, store.Key(after), limit)
	default:
		err = rpc.Errorf(jsonrpc2.CodeInvalidParams, "outcome is %q; it must be waiting, answered, dismissed, replied, withdrawn, expired or disconnected", p.Outcome)
	}
	return page, err
}

// asked reports whether a question counts as the peer's own.
func (s *Server) asked(r *conversation.Record, keyPrefix string) bool {
	return r.Guidance == nil && s.owns(r.Conversation) && (s.guest != nil || strings.HasPrefix(r.Conversation.Key, keyPrefix))
}

// listOpen adds open questions, which are all in memory.
func (s *Server) listOpen(page *protocol.QuestionListResult, keyPrefix string, after int64, limit int) {
	s.registry.View(func() {
		var open []*conversation.Record
		for r := range s.registry.Records() {
			if !r.Announced() && r.Order > 0 && s.asked(r, keyPrefix) && (after == 0 || int64(r.Order) < after) {
				open = append(open, r)
			}
		}
		slices.SortFunc(open, func(a, b *conversation.Record) int { return b.Order - a.Order })
		if len(open) > limit {
			open = open[:limit]
			page.Next = strconv.Itoa(open[limit-1].Order)
		}
		for _, r := range open {
			page.Questions = append(page.Questions, protocol.Answer{QuestionID: r.AgentID(), Outcome: protocol.OutcomeWaiting, Images: []protocol.Image{}})
		}
	})
}

// listClosed adds questions of the history. It reads at most maxScanned entries, most of which may be other askers'.
func (s *Server) listClosed(ctx context.Context, page *protocol.QuestionListResult, p protocol.QuestionListParams, before store.Key, limit int) error {
	filter := store.Filter{Outcomes: []question.Outcome{p.Outcome}}
	from, problem := s.persister.Store(ctx)
	if from == nil {
		return rpc.Errorf(protocol.CodeBusy, "%s", problem)
	}
	suffix := ""
	if account := s.account(); account != "" {
		facets, err := from.Facets(ctx, nil)
		if err != nil {
			return err
		}
		suffix = nameAt("", account)
		for _, agent := range facets.Agents {
			if strings.HasSuffix(agent, suffix) {
				filter.Agents = append(filter.Agents, agent)
			}
		}
		if len(filter.Agents) == 0 {
			return nil
		}
	}
	for scanned := 0; ; {
		entries, err := from.History(ctx, filter, before, limit-len(page.Questions))
		if err != nil {
			return err
		}
		for _, q := range entries.Entries {
			if q.Source != "" || q.Session == "" { // imported
				continue
			}
			r, err := s.persister.Find(ctx, q.ID, false)
			if err != nil {
				return err
			}
			s.registry.View(func() {
				if r != nil && s.asked(r, p.KeyPrefix) {
					answer := r.Answer
					answer.QuestionID, answer.Images = r.AgentID(), []protocol.Image{}
					page.Questions = append(page.Questions, answer)
				}
			})
		}
		if before = entries.Next; before == 0 {
			return nil
		}
		if scanned += len(entries.Entries); len(page.Questions) == limit || scanned >= maxScanned {
			page.Next = strconv.FormatInt(int64(before), 10)
			return nil
		}
	}
}
