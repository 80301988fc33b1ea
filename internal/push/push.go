// Package push notifies people by Web Push of questions that nobody sees: it keeps their browsers' subscriptions, joins what is due at the
// same time, and delivers messages (RFC 8030) that are encrypted (RFC 8291) and signed (RFC 8292).
package push

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"followup/internal/background"
	"followup/internal/notice"
	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/webhook"
)

const (
	// maxBrowsers is how many browsers a person may have. Another one replaces the oldest.
	maxBrowsers = 16
	// maxAfter and maxName bound a subscription.
	maxAfter = 24 * time.Hour
	maxName  = 100
	// testPatience is how long a test may take.
	testPatience = 20 * time.Second
)

// Options are those of a Service.
type Options struct {
	Log        *zap.Logger
	Background *background.Group
	Board      *notice.Board
	// Store returns the store, or nil and why there is none.
	Store func(ctx context.Context) (store.Store, string)
	// Sender makes the requests. It decides which addresses may be called.
	Sender *webhook.Sender
	// Sees reports whether a browser may be notified of a question for a person or a group. It is called under locks. If nil, it may.
	Sees func(s store.Subscription, to string) bool
	// Gather is how long messages wait for others that are due at the same time (default 1 s).
	Gather time.Duration
	// First and Limit are the first pause before a message is sent again (default 5 s), and how long that is tried (default 1 h).
	First, Limit time.Duration
	Now          func() time.Time
}

// Service keeps the subscriptions of all people who share a store. It is safe for concurrent use. Its lock is taken behind the board's.
type Service struct {
	options Options

	loading sync.Mutex // one reads the subscriptions
	saving  sync.Mutex // one writes them
	mu      sync.Mutex
	keys    keys // zero before they were read
	loaded  bool
	// browsers are by their subscriptions' ids.
	browsers map[string]*browser
	open     map[string]asked // questions that wait, by their ids
}

// asked is a question that waits.
type asked struct {
	item  protocol.InboxItem
	since time.Time
}

// New returns a Service without subscriptions.
func New(o Options) *Service {
	for value, standard := range map[*time.Duration]time.Duration{&o.Gather: time.Second, &o.First: 5 * time.Second, &o.Limit: time.Hour} {
		if *value == 0 {
			*value = standard
		}
	}
	return &Service{options: o, browsers: map[string]*browser{}, open: map[string]asked{}}
}

// Load reads the subscriptions of a store that was opened, in the place of those before.
func (s *Service) Load(ctx context.Context, from store.Store) error {
	s.loading.Lock()
	defer s.loading.Unlock()
	all, err := from.Subscriptions(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	was := s.browsers
	s.browsers, s.keys, s.loaded = map[string]*browser{}, keys{}, true
	s.mu.Unlock()
	for _, b := range was {
		b.close()
	}
	for _, one := range all {
		s.add(one)
	}
	return nil
}

// ready returns the store, once its subscriptions were read, with the key.
func (s *Service) ready(ctx context.Context) (store.Store, error) {
	in, problem := s.options.Store(ctx)
	if in == nil {
		return nil, errors.New(problem)
	}
	s.mu.Lock()
	loaded, has := s.loaded, s.keys != keys{}
	s.mu.Unlock()
	if !loaded {
		if err := s.Load(ctx, in); err != nil {
			return nil, err
		}
	}
	if !has {
		own, err := newKeys(ctx, in)
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.keys = own
		s.mu.Unlock()
	}
	return in, nil
}

// add begins to notify a browser.
func (s *Service) add(one store.Subscription) {
	b := &browser{service: s, sub: one, since: one.At, messages: map[string]*message{}}
	if one.LastAt.After(b.since) { // a restart repeats nothing
		b.since = one.LastAt
	}
	b.ctx, b.end = context.WithCancel(context.Background())
	b.desk = s.options.Board.OpenLast(one.Person, notice.LastNotifier{After: one.After, Notify: b.notify, End: b.closed})
	s.mu.Lock()
	was := s.browsers[one.ID]
	s.browsers[one.ID] = b
	open := slices.Collect(maps.Values(s.open))
	s.mu.Unlock()
	if was != nil {
		was.close()
	}
	for _, q := range open {
		b.ask(q)
		s.mu.Lock()
		_, waits := s.open[q.item.QuestionID]
		s.mu.Unlock()
		if !waits { // it was closed before the board knew it
			b.desk.Closed(q.item.QuestionID)
		}
	}
}

// Changed takes a question in its new state, which it has had since a time. The caller holds the lock on the conversations.
func (s *Service) Changed(id string, waits bool, item func() (protocol.InboxItem, time.Time)) {
	s.mu.Lock()
	_, known := s.open[id]
	if waits == known {
		s.mu.Unlock()
		return
	}
	var q asked
	if waits {
		q.item, q.since = item()
		s.open[id] = q
	} else {
		delete(s.open, id)
	}
	browsers := slices.Collect(maps.Values(s.browsers))
	s.mu.Unlock()
	for _, b := range browsers {
		if waits {
			b.ask(q)
		} else {
			b.desk.Closed(id)
		}
	}
}

// Reaches reports whether a message would reach somebody, as far as the last ones show.
func (s *Service) Reaches() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.browsers {
		if b.sub.Problem == "" {
			return true
		}
	}
	return false
}

// of returns the browsers of a person, oldest first. The caller holds mu.
func (s *Service) of(person string) (own []*browser) {
	for _, b := range s.browsers {
		if b.sub.Person == person {
			own = append(own, b)
		}
	}
	slices.SortFunc(own, func(a, b *browser) int { return a.sub.At.Compare(b.sub.At) })
	return own
}

// named returns the browsers of a person with an endpoint.
func (s *Service) named(person, endpoint string) []*browser {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(s.of(person), func(b *browser) bool { return b.sub.Endpoint != endpoint })
}

// List returns the browsers of a person.
func (s *Service) List(ctx context.Context, person string) (protocol.PushListResult, error) {
	result := protocol.PushListResult{Browsers: []protocol.PushBrowser{}}
	if _, err := s.ready(ctx); err != nil {
		return result, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	result.Key = s.keys.public
	for _, b := range s.of(person) {
		one := protocol.PushBrowser{Name: b.sub.Name, After: int(b.sub.After.Milliseconds()), Hidden: b.sub.Hidden, Problem: b.sub.Problem}
		one.Endpoint = b.sub.Endpoint
		if !b.sub.LastAt.IsZero() {
			one.LastAt = b.sub.LastAt.UnixMilli()
		}
		result.Browsers = append(result.Browsers, one)
	}
	return result, nil
}

// Subscribe adds a browser of a person's, or changes it. A browser belongs to the last person who has subscribed with it.
func (s *Service) Subscribe(ctx context.Context, one store.Subscription) error {
	in, err := s.ready(ctx)
	if err != nil {
		return err
	}
	if err := s.check(one); err != nil {
		return err
	}
	one.ID = store.SubscriptionID(one.Endpoint, one.P256dh, one.Auth)
	if name := []rune(one.Name); len(name) > maxName {
		one.Name = string(name[:maxName])
	}
	one.At = s.options.Now()
	s.mu.Lock()
	if was := s.browsers[one.ID]; was != nil && was.sub.Person == one.Person {
		one.At, one.LastAt, one.Problem = was.sub.At, was.sub.LastAt, was.sub.Problem
	}
	own := slices.DeleteFunc(s.of(one.Person), func(b *browser) bool { return b.sub.ID == one.ID })
	s.mu.Unlock()
	if err := s.save(ctx, in, one); err != nil {
		return err
	}
	s.add(one)
	for _, b := range own[:max(len(own)+1-maxBrowsers, 0)] {
		s.remove(ctx, b)
	}
	return nil
}

// check returns why a subscription cannot be taken.
func (s *Service) check(one store.Subscription) error {
	if one.After < 0 || one.After > maxAfter {
		return fmt.Errorf("a question may wait up to %d hours, not %s", maxAfter/time.Hour, one.After)
	}
	if err := s.options.Sender.Check(one.Endpoint); err != nil {
		return err
	}
	return checkKeys(one.P256dh, one.Auth)
}

func (s *Service) save(ctx context.Context, in store.Store, one store.Subscription) error {
	s.saving.Lock()
	defer s.saving.Unlock()
	return in.PutSubscription(ctx, one)
}

// Unsubscribe removes a browser of a person's.
func (s *Service) Unsubscribe(ctx context.Context, person, endpoint string) error {
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	for _, b := range s.named(person, endpoint) {
		s.remove(ctx, b)
	}
	return nil
}

// Forget removes all browsers of a person.
func (s *Service) Forget(ctx context.Context, person string) {
	s.mu.Lock()
	own := s.of(person)
	s.mu.Unlock()
	for _, b := range own {
		s.remove(ctx, b)
	}
}

// remove stops notifying a browser.
func (s *Service) remove(ctx context.Context, b *browser) {
	s.mu.Lock()
	current := s.browsers[b.sub.ID] == b
	if current {
		delete(s.browsers, b.sub.ID)
	}
	s.mu.Unlock()
	b.close()
	if in, _ := s.options.Store(ctx); in != nil && current {
		s.saving.Lock()
		defer s.saving.Unlock()
		if err := in.RemoveSubscription(ctx, b.sub.ID); err != nil {
			s.options.Log.Warn("a browser that is not notified any more is still stored", zap.Error(err))
		}
	}
}

// Test sends a message to a browser of a person's, once. How that went is in the list.
func (s *Service) Test(ctx context.Context, person, endpoint string) error {
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, testPatience)
	defer cancel()
	for _, b := range s.named(person, endpoint) {
		b.record(b.send(ctx, b.test()))
	}
	return nil
}

// Dismiss notes that a browser of a person's has removed a notification itself.
func (s *Service) Dismiss(person, endpoint, tag string) {
	for _, b := range s.named(person, endpoint) {
		s.mu.Lock()
		maps.DeleteFunc(b.messages, func(_ string, m *message) bool { return m.Tag == tag })
		s.mu.Unlock()
	}
}
