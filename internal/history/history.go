// Package history is what is over, as people read it: pages, entries, deletion, export and import. It knows nothing of what is
// open.
package history

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"go.uber.org/zap"

	"followup/internal/archive"
	"followup/internal/importing"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/render"
	"followup/internal/store"
	"followup/internal/store/words"
)

// The sizes of a page.
const (
	defaultPage = 50
	largestPage = 200
)

// longestText is how much of a text a page carries, in bytes; Get gives all of it.
const longestText = 4 << 10

// Options are what a history runs on.
type Options struct {
	// Log must not be nil.
	Log *zap.Logger
	// Store gives the store, or nil, and what is wrong with keeping things, in the user's words.
	Store func(context.Context) (store.Store, string)
	// Lost is told of an error of the store's, and tells whether that was lost: Store gives the one that was opened for it.
	Lost func(context.Context, store.Store, error) bool
	// For are the people and groups, and "" for everybody, whose questions may be read here; nil: all may.
	For []string
	// Locale gives the user's language.
	Locale func() locale.Tag
	// Places tells where other tools keep logs on this machine.
	Places func() []importing.Place
	// Background runs what cannot be told to end at once, so that nobody has to wait for its end.
	Background func(name string, run func())
}

// History is the history. Its methods give a locale.Refusal where the user is told what is wrong.
type History struct {
	Options
}

// New makes a history.
func New(o Options) *History { return &History{o} }

// Page reads a page of what a filter and a text let through. Where nothing is kept there is none, and the page says why.
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
	var found store.Page
	err = h.use(ctx, func(from store.Store) (err error) {
		found, err = from.History(ctx, h.filter(p.Filter, p.Text), before, limit)
		return err
	})
	finder := words.NewFinder(p.Text)
	for _, q := range found.Entries {
		entry, err := archive.Entry(q)
		if err != nil {
			h.Log.Error("an entry of the history cannot be read", zap.Error(err))
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
	if err == nil && p.ShortIDs {
		err = h.use(ctx, func(from store.Store) error { return addShortIDs(ctx, from, page.Entries) })
	}
	return page, err
}

// filter is a filter as the store takes it, of what may be read here.
func (h *History) filter(f protocol.HistoryFilter, text string) store.Filter {
	filter := archive.NewFilter(f, text)
	filter.For = h.For
	return filter
}

// sees reports whether what is for a person or a group may be read here.
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

// Get gives one entry with its images.
func (h *History) Get(ctx context.Context, id string) (protocol.HistoryEntry, error) {
	var q store.Question
	err := h.use(ctx, func(from store.Store) (err error) {
		q, err = from.Question(ctx, id)
		return err
	})
	if err != nil {
		return protocol.HistoryEntry{}, err
	}
	if q.Outcome == nil {
		return protocol.HistoryEntry{}, locale.Refuse(locale.HistoryUnknownEntry)
	}
	entry, err := archive.Entry(q)
	if err != nil {
		return protocol.HistoryEntry{}, err
	}
	if !h.sees(entry.To) {
		return protocol.HistoryEntry{}, locale.Refuse(locale.HistoryUnknownEntry)
	}
	entry.Rendered = render.Item(entry.Payload, entry.Envelope)
	return entry, nil
}

// Facets tells what the filters can name.
func (h *History) Facets(ctx context.Context) (protocol.HistoryFacetsResult, error) {
	result := protocol.HistoryFacetsResult{Agents: []string{}, Workspaces: []string{}}
	if from, _ := h.Store(ctx); from == nil {
		return result, nil
	}
	var facets store.Facets
	err := h.use(ctx, func(from store.Store) (err error) {
		facets, err = from.Facets(ctx, h.For)
		return err
	})
	if err != nil {
		return result, err
	}
	result.Agents = append(result.Agents, facets.Agents...)
	result.Workspaces = append(result.Workspaces, facets.Workspaces...)
	return result, nil
}

// store gives the store, or why there is none.
func (h *History) store(ctx context.Context) (store.Store, error) {
	from, problem := h.Store(ctx)
	if from == nil {
		return nil, locale.Refused(problem)
	}
	return from, nil
}

// use does something with the store. Where that is lost it is done once more, with the one that was opened for it.
func (h *History) use(ctx context.Context, do func(store.Store) error) error {
	for again := false; ; again = true {
		from, err := h.store(ctx)
		if err != nil {
			return err
		}
		if err = do(from); err == nil {
			return nil
		}
		if !h.Lost(ctx, from, err) || again {
			return h.unreadable(ctx, err)
		}
	}
}

// unreadable words an error of the store's for the user.
func (h *History) unreadable(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, store.ErrNotFound):
		return locale.Refuse(locale.HistoryUnknownEntry)
	}
	h.Log.Error("the history cannot be read or changed", zap.Error(err))
	return locale.Refuse("The history cannot be read: {0}", err)
}

// zone is where the user's times are told in.
func (h *History) zone() *time.Location { return time.Local }
