package server

import (
	"context"
	"errors"
	"strconv"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
)

// The sizes of a page of the history.
const (
	defaultPage = 50
	largestPage = 200
)

// beside runs all of a request beside the reading of messages, which goes on meanwhile.
func beside[P, R any](handle func(context.Context, P) (R, error)) func(context.Context, P) (rpc.Waiting[R], error) {
	return func(_ context.Context, p P) (rpc.Waiting[R], error) {
		return func(ctx context.Context) (R, error) { return handle(ctx, p) }, nil
	}
}

// historyPage reads a page. Where nothing is kept there is none, and the page says why.
func (s *Server) historyPage(ctx context.Context, f store.Filter, after string, limit int) (protocol.HistoryPage, error) {
	page := protocol.HistoryPage{Entries: []protocol.HistoryEntry{}}
	before, err := s.pageKey(after)
	if err != nil {
		return page, err
	}
	from, problem := s.historyStore()
	page.Saved, page.Problem = from != nil && problem == "", problem
	if from == nil {
		return page, nil
	}
	if limit <= 0 {
		limit = defaultPage
	}
	found, err := from.History(ctx, f, before, min(limit, largestPage))
	if err != nil {
		return page, s.unreadable(ctx, err)
	}
	for _, q := range found.Entries {
		entry, err := archive.Entry(q)
		if err != nil {
			s.log.Error("an entry of the history cannot be read", zap.Error(err))
			continue
		}
		entry.Images, entry.Rendered = nil, rendered(entry.Payload)
		page.Entries = append(page.Entries, entry)
	}
	if found.Next != 0 {
		page.Next = strconv.FormatInt(int64(found.Next), 10)
	}
	return page, nil
}

// historyStore gives the store, or nil, and what is wrong with keeping things.
func (s *Server) historyStore() (store.Store, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.store == nil:
		return nil, s.whyNot()
	case s.storage.failing:
		return s.store, s.storage.told.Problem
	default:
		return s.store, ""
	}
}

func (s *Server) pageKey(after string) (store.Key, error) {
	if after == "" {
		return 0, nil
	}
	key, err := strconv.ParseInt(after, 10, 64)
	if err != nil || key <= 0 {
		return 0, s.refused(locale.HistoryUnknownKey, after)
	}
	return store.Key(key), nil
}

// unreadable words an error of the store's for the user.
func (s *Server) unreadable(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, store.ErrNotFound):
		return s.refused(locale.HistoryUnknownEntry)
	}
	s.log.Error("the history cannot be read or changed", zap.Error(err))
	return s.refused(locale.HistoryNotAvailable, err)
}

// refused is an error with words for the user.
func (s *Server) refused(key locale.Key, args ...any) error {
	return rpc.Errorf(protocol.CodeRefused, "%s", s.locale.Text(key, args...))
}

// zone is where the user's times are told in.
func (s *Server) zone() *time.Location { return time.Local }
