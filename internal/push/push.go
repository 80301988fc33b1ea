// Package push notifies people of unseen questions. Browsers subscribe and get Web Push messages (RFC 8030), which are
// encrypted (RFC 8291) and signed (RFC 8292). Addresses that the user names get webhook requests or ntfy messages.
// Messages that are due at the same time are joined, and each delivery's outcome is stored.
package push

import (
	"cmp"
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
	// maxReceivers limits a person's browsers, and the remembered addresses. A new one replaces the oldest.
	maxReceivers = 16
	// maxAfter and maxName limit a subscription.
	maxAfter = 24 * time.Hour
	maxName  = 100
	// testPatience limits the time for a test.
	testPatience = 20 * time.Second
)

// Options configure a Service.
type Options struct {
	Log        *zap.Logger
	Background *background.Group
	Board      *notice.Board
	// Store returns the store, or nil and the reason.
	Store func(ctx context.Context) (store.Store, string)
	// Private permits push services with plain HTTP and in private networks.
	Private bool
	// Contact is the mailto or https URL by which a push service reaches the sender, as VAPID requires (default: this
	// program's page).
	Contact string
	// Sees reports whether a browser may be notified of a question. It is called under locks. If nil, every browser may.
	Sees func(s store.Subscription, q *protocol.InboxItem) bool
	// Gather is how long messages wait, to be joined with others (default 1 s).
	Gather time.Duration
	// First is the first pause before a retry (default 5 s), and Limit how long a message is retried (default 1 h). A
	// longer Retry-After takes precedence.
	First, Limit time.Duration
}

// Service has the subscriptions of everyone who shares a store. It is safe for concurrent use. The board's lock is taken before its own.
type Service struct {
	options Options

	loading sync.Mutex // serializes reads of the subscriptions
	saving  sync.Mutex // serializes writes
	mu      sync.Mutex
	keys    keys // zero until they are read
	loaded  bool
	// receivers are by subscription id.
	receivers       map[string]*receiver
	addresses       map[string]*target            // by receiver id
	kept            map[string]store.Subscription // the stored outcomes of addresses, by receiver id
	open            map[string]asked              // open questions, by id
	public, private *webhook.Sender
}

// asked is an open question.
type asked struct {
	item  protocol.InboxItem
	since time.Time
}

// New returns a Service without subscriptions; Load reads them.
func New(o Options) *Service {
	o.Gather = cmp.Or(o.Gather, time.Second)
	o.First = cmp.Or(o.First, 5*time.Second)
	o.Limit = cmp.Or(o.Limit, time.Hour)
	o.Contact = cmp.Or(o.Contact, defaultContact)
	s := &Service{
		options: o, receivers: map[string]*receiver{}, addresses: map[string]*target{}, kept: map[string]store.Subscription{}, open: map[string]asked{},
	}
	s.public = webhook.New(webhook.Options{First: o.First, Last: o.Limit, Limit: o.Limit})
	s.private = webhook.New(webhook.Options{First: o.First, Last: o.Limit, Limit: o.Limit, Private: true})
	return s
}

func (s *Service) sender(private bool) *webhook.Sender {
	if private {
		return s.private
	}
	return s.public
}

// Load replaces the subscriptions with those of a newly opened store.
func (s *Service) Load(ctx context.Context, from store.Store) error {
	s.loading.Lock()
	defer s.loading.Unlock()
	all, err := from.Subscriptions(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	was := s.receivers
	s.receivers, s.keys, s.loaded = map[string]*receiver{}, keys{}, true
	s.kept = map[string]store.Subscription{}
	for _, one := range all {
		if one.Address {
			s.kept[one.ID] = one
		}
	}
	addresses := slices.Collect(maps.Values(s.addresses))
	s.mu.Unlock()
	for _, r := range was {
		r.close()
	}
	for _, one := range all {
		if !one.Address {
			s.addBrowser(one)
		}
	}
	for _, a := range addresses {
		s.addAddress(a)
	}
	return nil
}

// ready returns the store, after reading its subscriptions and the key if necessary.
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

func (s *Service) addBrowser(one store.Subscription) {
	s.add(one, func(r *receiver) send { return r.sendWebPush })
}

// add starts notifying a receiver.
func (s *Service) add(one store.Subscription, by func(*receiver) send) {
	r := &receiver{service: s, sub: one, since: one.At, messages: map[string]*message{}}
	r.send = by(r)
	if one.LastAt.After(r.since) { // a restart repeats no message
		r.since = one.LastAt
	}
	r.ctx, r.end = context.WithCancel(context.Background())
	r.desk = s.options.Board.OpenLast(one.Person, notice.LastNotifier{After: one.After, Notify: r.notify, End: r.closed})
	s.mu.Lock()
	was := s.receivers[one.ID]
	s.receivers[one.ID] = r
	open := slices.Collect(maps.Values(s.open))
	s.mu.Unlock()
	if was != nil {
		was.close()
	}
	for _, q := range open {
		r.ask(q)
		s.mu.Lock()
		_, waits := s.open[q.item.QuestionID]
		s.mu.Unlock()
		if !waits { // it was closed before the board got it
			r.desk.Closed(q.item.QuestionID)
		}
	}
}

// Changed records that a question was opened or closed. item returns the question, and when it began to wait. The caller
// holds the conversations' lock.
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
	receivers := slices.Collect(maps.Values(s.receivers))
	s.mu.Unlock()
	for _, r := range receivers {
		if waits {
			r.ask(q)
		} else {
			r.desk.Closed(id)
		}
	}
}

// Reaches reports whether any receiver works, judging by the last messages.
func (s *Service) Reaches() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.receivers {
		if r.sub.Problem == "" {
			return true
		}
	}
	return false
}

// sorted returns the wanted receivers, oldest first. The caller holds mu.
func (s *Service) sorted(wanted func(store.Subscription) bool) (all []*receiver) {
	for _, r := range s.receivers {
		if wanted(r.sub) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *receiver) int { return a.sub.At.Compare(b.sub.At) })
	return all
}

// of returns a person's browsers, oldest first. The caller holds mu.
func (s *Service) of(person string) []*receiver {
	return s.sorted(func(one store.Subscription) bool { return !one.Address && one.Person == person })
}

// named returns a person's browsers with an endpoint.
func (s *Service) named(person, endpoint string) []*receiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(s.of(person), func(r *receiver) bool { return r.sub.Endpoint != endpoint })
}

// List returns a person's browsers, and the addresses, which all people share.
func (s *Service) List(ctx context.Context, person string) (protocol.PushListResult, error) {
	if _, err := s.ready(ctx); err != nil {
		return protocol.PushListResult{Browsers: []protocol.PushReceiver{}}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return protocol.PushListResult{
		Key: s.keys.public, Browsers: listed(s.of(person)), Addresses: listed(s.sorted(func(one store.Subscription) bool { return one.Address })),
	}, nil
}

func listed(all []*receiver) []protocol.PushReceiver {
	list := []protocol.PushReceiver{}
	for _, r := range all {
		one := protocol.PushReceiver{Name: r.sub.Name, After: int(r.sub.After.Milliseconds()), Hidden: r.sub.Hidden, Problem: r.sub.Problem}
		one.Endpoint = r.sub.Endpoint
		if !r.sub.LastAt.IsZero() {
			one.LastAt = r.sub.LastAt.UnixMilli()
		}
		list = append(list, one)
	}
	return list
}

// Subscribe adds or updates a person's browser. A browser belongs to the last person who subscribed with it.
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
	one.At = time.Now()
	s.mu.Lock()
	if was := s.receivers[one.ID]; was != nil && was.sub.Person == one.Person {
		one.At, one.LastAt, one.Problem = was.sub.At, was.sub.LastAt, was.sub.Problem
	}
	own := slices.DeleteFunc(s.of(one.Person), func(r *receiver) bool { return r.sub.ID == one.ID })
	s.mu.Unlock()
	if err := s.save(ctx, in, one); err != nil {
		return err
	}
	s.addBrowser(one)
	for _, r := range own[:max(len(own)+1-maxReceivers, 0)] {
		s.remove(ctx, r)
	}
	return nil
}

// check returns an error if a subscription is invalid.
func (s *Service) check(one store.Subscription) error {
	if err := checkAfter(one.After); err != nil {
		return err
	}
	if err := s.sender(s.options.Private).Check(one.Endpoint); err != nil {
		return err
	}
	return checkKeys(one.P256dh, one.Auth)
}

func checkAfter(after time.Duration) error {
	if after < 0 || after > maxAfter {
		return fmt.Errorf("a question can wait at most %d hours, not %s", maxAfter/time.Hour, after)
	}
	return nil
}

func (s *Service) save(ctx context.Context, in store.Store, one store.Subscription) error {
	s.saving.Lock()
	defer s.saving.Unlock()
	return in.PutSubscription(ctx, one)
}

// Unsubscribe removes a person's browser.
func (s *Service) Unsubscribe(ctx context.Context, person, endpoint string) error {
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	for _, r := range s.named(person, endpoint) {
		s.remove(ctx, r)
	}
	return nil
}

// Forget removes all browsers of a person.
func (s *Service) Forget(ctx context.Context, person string) {
	s.mu.Lock()
	own := s.of(person)
	s.mu.Unlock()
	for _, r := range own {
		s.remove(ctx, r)
	}
}

// remove stops notifying a browser.
func (s *Service) remove(ctx context.Context, r *receiver) {
	s.mu.Lock()
	current := s.receivers[r.sub.ID] == r
	if current {
		delete(s.receivers, r.sub.ID)
	}
	s.mu.Unlock()
	r.close()
	if in, _ := s.options.Store(ctx); in != nil && current {
		s.saving.Lock()
		defer s.saving.Unlock()
		if err := in.RemoveSubscription(ctx, r.sub.ID); err != nil {
			s.options.Log.Warn("cannot remove a browser's subscription", zap.Error(err))
		}
	}
}

// Test sends one message to a person's browser or to an address. List then has the outcome.
func (s *Service) Test(ctx context.Context, person, endpoint string) error {
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, testPatience)
	defer cancel()
	s.mu.Lock()
	tested := s.sorted(func(one store.Subscription) bool {
		return one.Endpoint == endpoint && (one.Address || one.Person == person)
	})
	s.mu.Unlock()
	for _, r := range tested {
		r.record(r.send(ctx, r.test()))
	}
	return nil
}

// Dismiss records that a person has removed a notification in a browser.
func (s *Service) Dismiss(person, endpoint, tag string) {
	for _, r := range s.named(person, endpoint) {
		s.mu.Lock()
		maps.DeleteFunc(r.messages, func(_ string, m *message) bool { return m.Tag == tag })
		s.mu.Unlock()
	}
}
