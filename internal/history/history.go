// Package history gives people access to closed questions: pages, entries, deletion, export and import. It does not know open ones.
package history

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"go.uber.org/zap"

	"followup/internal/agentfolder"
	"followup/internal/archive"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/render"
	"followup/internal/store"
	"followup/internal/store/words"
)

// Page sizes.
const (
	defaultPage = 50
	largestPage = 200
)

// longestText is how many bytes of a text a page has; Get returns all of it.
const longestText = 4 << 10

const historyUnreadable locale.Key = "The history cannot be read: {0}"

// Options are what a history depends on.
type Options struct {
	// Log must not be nil.
	Log *zap.Logger
	// Store returns the store, or nil, and the problem with saving in the user's language.
	Store func(context.Context) (store.Store, string)
	// Lost handles an error of the store, and reports whether the store was lost; then Store returns the reopened one.
	Lost func(context.Context, store.Store, error) bool
	// For are the people and groups, and "" for everybody, whose questions may be read. If nil, all may.
	For []string
	// Locale returns the user's language.
	Locale func() locale.Tag
	// Places returns where other tools keep logs on this machine.
	Places func() []agentfolder.Place
	// Background runs calls that ignore cancellation, so that nobody has to wait for them.
	Background func(name string, run func())
}

// History is the history. Its methods return a locale.Refusal if the user should see the error.
type History struct {
	Options
}

// New returns a history.
func New(o Options) *History { return &History{o} }

// Page returns a page of entries that match a filter and a text. If nothing is saved, the page is empty and has the reason.
func (h *History) Page(ctx context.Context, p protocol.HistorySearchParams) (protocol.HistoryPage, error) {
	page := protocol.HistoryPage{Entries: []protocol.HistoryEntry{}, Shared: h.For != nil}
	before, err := pageKey(p.After)
	if err != nil {
		return page, err
	}
	from, problem := h.Store(ctx)
	page.Saved, page.Problem = from != nil && problem == "", problem
	if from == nil {
		return page, nil
	}
	if p.Limit <= 0 {
		p.Limit = defaultPage
	}
	limit := min(p.Limit, largestPage)
	found, err := use(ctx, h, func(from store.Store) (store.Page, error) {
		return from.History(ctx, h.filter(p.Filter, p.Text), before, limit)
	})
	finder := words.NewFinder(p.Text)
	for _, q := range found.Entries {
		entry, err := archive.Entry(q)
		if err != nil {
			_ = h.odd(err)
			continue
		}
		entry.Images = nil
		if !p.Plain {
			mark(&entry, finder)
		}
		shorten(&entry)
		if !p.Plain {
			entry.Rendered = render.Item(entry.Payload, entry.Envelope)
		}
		page.Entries = append(page.Entries, entry)
	}
	if found.Next != 0 {
		page.Next = strconv.FormatInt(int64(found.Next), 10)
	}
	for i := 0; p.ShortIDs && i < len(page.Entries) && err == nil; i++ {
		page.Entries[i].ShortID, err = use(ctx, h, func(from store.Store) (string, error) {
			return shortID(ctx, from, page.Entries[i].QuestionID)
		})
	}
	return page, err
}

// odd logs that an entry cannot be read, and returns the error for the user.
func (h *History) odd(err error) error {
	h.Log.Error("an entry of the history cannot be read", zap.Error(err))
	return locale.Refuse(historyUnreadable, err)
}

// filter returns the store's filter, restricted to what may be read here.
func (h *History) filter(f protocol.HistoryFilter, text string) store.Filter {
	filter := archive.NewFilter(f, text)
	filter.For = h.For
	return filter
}

// sees reports whether questions for a person or a group may be read here.
func (h *History) sees(to string) bool { return h.For == nil || slices.Contains(h.For, to) }

func pageKey(after string) (store.Key, error) {
	if after == "" {
		return 0, nil
	}
	key, err := strconv.ParseInt(after, 10, 64)
	if err != nil || key <= 0 {
		return 0, locale.Refuse(`There is no page "{0}" of the history.`, after)
	}
	return store.Key(key), nil
}

// Get returns one entry with its images.
func (h *History) Get(ctx context.Context, id string) (protocol.HistoryEntry, error) {
	q, err := use(ctx, h, func(from store.Store) (store.Question, error) { return from.Question(ctx, id) })
	if err != nil {
		return protocol.HistoryEntry{}, err
	}
	if q.Outcome == nil || !h.sees(q.To) {
		return protocol.HistoryEntry{}, locale.Refuse(locale.HistoryUnknownEntry)
	}
	entry, err := archive.Entry(q)
	if err != nil {
		return protocol.HistoryEntry{}, h.odd(err)
	}
	entry.Rendered = render.Item(entry.Payload, entry.Envelope)
	return entry, nil
}

// Facets returns the values that filters can have.
func (h *History) Facets(ctx context.Context, _ protocol.None) (protocol.HistoryFacetsResult, error) {
	result := protocol.HistoryFacetsResult{Agents: []string{}, Workspaces: []string{}}
	if from, _ := h.Store(ctx); from == nil {
		return result, nil
	}
	facets, err := use(ctx, h, func(from store.Store) (store.Facets, error) { return from.Facets(ctx, h.For) })
	result.Agents = append(result.Agents, facets.Agents...)
	result.Workspaces = append(result.Workspaces, facets.Workspaces...)
	return result, err
}

// store returns the store, or why there is none.
func (h *History) store(ctx context.Context) (store.Store, error) {
	from, problem := h.Store(ctx)
	if from == nil {
		return nil, locale.Refused(problem)
	}
	return from, nil
}

// use calls do with the store. If that is lost, it calls do once more with the reopened one.
func use[T any](ctx context.Context, h *History, do func(store.Store) (T, error)) (result T, err error) {
	for again := false; ; again = true {
		from, err := h.store(ctx)
		if err != nil {
			return result, err
		}
		if result, err = do(from); err == nil {
			return result, nil
		}
		if !h.Lost(ctx, from, err) || again {
			return result, h.unreadable(ctx, err)
		}
	}
}

// unreadable translates an error of the store for the user.
func (h *History) unreadable(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, store.ErrNotFound):
		return locale.Refuse(locale.HistoryUnknownEntry)
	}
	h.Log.Error("the history cannot be read or changed", zap.Error(err))
	return locale.Refuse(historyUnreadable, err)
}

// Limits of Find.
const (
	defaultFound = 10
	mostFound    = 50
)

// Find returns the open and closed questions whose ids have a prefix. A complete id only matches itself. A question that cannot be
// read is an error only if nothing else matches.
func (h *History) Find(ctx context.Context, p protocol.HistoryFindParams) (protocol.HistoryFindResult, error) {
	if p.Prefix == "" {
		return protocol.HistoryFindResult{}, locale.Refuse(locale.HistoryUnknownEntry)
	}
	if p.Limit <= 0 {
		p.Limit = defaultFound
	}
	limit := min(p.Limit, mostFound)
	var odd error
	result, err := use(ctx, h, func(from store.Store) (protocol.HistoryFindResult, error) {
		odd = nil
		result := protocol.HistoryFindResult{Questions: []protocol.FoundQuestion{}}
		ids, err := from.IDs(ctx, p.Prefix, limit+1)
		if err != nil {
			return result, err
		}
		if len(ids) > 0 && ids[0] == p.Prefix {
			ids = ids[:1]
		}
		result.More = len(ids) > limit
		for _, id := range ids[:min(limit, len(ids))] {
			q, session, err := stored(ctx, from, id)
			if errors.Is(err, store.ErrNotFound) { // deleted meanwhile
				continue
			} else if err != nil {
				return result, err
			}
			found, err := decode(q, session)
			if err != nil {
				odd = h.odd(err)
				continue
			}
			result.Questions = append(result.Questions, found)
		}
		return result, nil
	})
	if err == nil && len(result.Questions) == 0 {
		err = odd
	}
	return result, err
}

// stored returns a question and, if it is open, its session.
func stored(ctx context.Context, in store.Store, id string) (q store.Question, session store.Session, err error) {
	if q, err = in.Question(ctx, id); err != nil || q.Outcome != nil {
		return q, session, err
	}
	if session, err = in.Session(ctx, q.Session); errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return q, session, err
}

func decode(q store.Question, session store.Session) (found protocol.FoundQuestion, err error) {
	if q.Outcome != nil {
		entry, err := archive.Entry(q)
		found.Entry = &entry
		return found, err
	}
	item, err := archive.Item(q, session)
	found.Item = &item
	return found, err
}

// shortIDLength is the minimum length of a short id in bytes.
const shortIDLength = 8

// shortID returns the shortest unique prefix of an id.
func shortID(ctx context.Context, in store.Store, id string) (string, error) {
	for end := range id { // between characters
		if end < shortIDLength {
			continue
		}
		near, err := in.IDs(ctx, id[:end], 2)
		if err != nil || len(near) <= 1 {
			return id[:end], err
		}
	}
	return id, nil
}

// Delete hides entries at once; the store deletes them permanently when the time to undo has passed. With CountOnly it only counts
// them.
func (h *History) Delete(ctx context.Context, p protocol.HistoryDeleteParams) (protocol.HistoryDeleteResult, error) {
	what := store.Selection{IDs: p.QuestionIDs}
	switch {
	case p.All:
		what = store.Selection{Filter: archive.NewFilter(p.Filter, p.Text)}
	case len(p.QuestionIDs) == 0:
		return protocol.HistoryDeleteResult{}, locale.Refuse("No entries to delete were named.")
	}
	if p.CountOnly {
		count, err := use(ctx, h, func(in store.Store) (int, error) { return in.Count(ctx, what) })
		return protocol.HistoryDeleteResult{Count: count}, err
	}
	done, err := use(ctx, h, func(in store.Store) (store.Deletion, error) { return in.Delete(ctx, p.DeletionID, what) })
	result := protocol.HistoryDeleteResult{Count: done.Count}
	if done.Count > 0 { // even after a failure or a cancellation
		result.Undo, result.UndoUntil = done.ID, done.Until.UnixMilli()
	}
	return result, err
}

const historyUndoLapsed locale.Key = "It is too late to undo this: the entries were deleted permanently."

// Restore undoes a deletion in time.
func (h *History) Restore(ctx context.Context, p protocol.HistoryRestoreParams) (result protocol.HistoryDeleteResult, err error) {
	result.Count, err = use(ctx, h, func(in store.Store) (int, error) { return in.Restore(ctx, p.Undo) })
	if err == nil && result.Count == 0 {
		err = locale.Refuse(historyUndoLapsed)
	}
	return result, err
}
