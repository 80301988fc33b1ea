package push

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/webhook"
)

// Address is a webhook or an ntfy topic that gets notifications.
type Address struct {
	// URL is the webhook's URL, or ntfy://host/topic as in ntfy's own links, with ?secure=false for plain HTTP.
	URL string
	// Secret is the webhook's signing secret (whsec_…) or the ntfy access token. It may be empty.
	Secret string
	// Private permits plain HTTP, this machine and private networks.
	Private bool
	// Page is the URL of the page where the user answers. If empty, messages have no link.
	Page string
	// After is the delay before a question is notified, and Hidden omits its text, as in store.Subscription.
	After  time.Duration
	Hidden bool
	Locale string
}

// target is a named address, with its sender.
type target struct {
	Address
	id     string
	name   string
	by     int // the number of programs that named it
	sender *webhook.Sender
	send   send
}

// topicName matches valid ntfy topics.
var topicName = regexp.MustCompile(`^[-_A-Za-z0-9]{1,64}$`)

// Check returns an error if an address is invalid. It resolves no names. The error does not contain the address, which may be secret.
func (a Address) Check() error {
	_, err := a.parse(webhook.New(webhook.Options{Private: a.Private}))
	return err
}

func (a Address) parse(sender *webhook.Sender) (*target, error) {
	if err := checkAfter(a.After); err != nil {
		return nil, err
	}
	u, err := url.Parse(a.URL)
	if err != nil {
		return nil, errors.New("the address is not a URL")
	}
	// The same server and topic are the same receiver, whatever the token.
	sum := sha256.Sum256([]byte(a.URL))
	n := &target{Address: a, id: "address-" + hex.EncodeToString(sum[:16]), sender: sender}
	if u.Scheme == "ntfy" {
		return n, n.parseTopic(u)
	}
	var secret webhook.Secret
	if a.Secret != "" {
		if secret, err = webhook.ParseSecret(a.Secret); err != nil {
			return nil, err
		}
	}
	n.name = "Webhook · " + u.Host
	n.send = hook{n, secret}.send
	return n, sender.Check(a.URL)
}

func (n *target) parseTopic(u *url.URL) error {
	scheme := "https"
	if u.Query().Get("secure") == "false" {
		scheme = "http"
	}
	topic := strings.TrimPrefix(u.Path, "/")
	switch server := scheme + "://" + u.Host; {
	case u.User != nil:
		return errors.New("the address must not contain an ntfy access token")
	case !topicName.MatchString(topic):
		return errors.New("an ntfy address is like ntfy://ntfy.sh/topic; the topic has up to 64 letters, digits, - and _")
	case strings.ContainsFunc(n.Secret, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("the ntfy access token contains invalid characters")
	default:
		n.name = "ntfy · " + u.Host
		n.send = ntfy{n, server, topic}.send
		return n.sender.Check(server)
	}
}

// Notify notifies an address until end is called. If several programs name one, the last one's options apply.
func (s *Service) Notify(ctx context.Context, a Address) (end func(), err error) {
	n, err := a.parse(s.sender(a.Private))
	if err != nil {
		return nil, err
	}
	if _, err := s.ready(ctx); err != nil {
		s.options.Log.Info("cannot read what an address received before", zap.Error(err))
	}
	s.mu.Lock()
	was := s.addresses[n.id]
	if n.by = 1; was != nil {
		n.by += was.by
	}
	same := was != nil && was.Address == a
	if same {
		was.by, n = n.by, was
	}
	s.addresses[n.id] = n
	s.mu.Unlock()
	if !same {
		s.addAddress(n)
	}
	return func() { s.leave(n.id) }, nil
}

func (s *Service) addAddress(n *target) {
	s.mu.Lock()
	one, known := s.kept[n.id]
	s.mu.Unlock()
	if !known {
		one.At = time.Now()
	}
	one.ID, one.Endpoint, one.Address = n.id, n.id, true
	one.Name, one.Locale, one.After, one.Hidden, one.Silent = n.name, n.Locale, n.After, n.Hidden, true
	s.add(one, func(*receiver) send { return n.send })
}

// leave stops notifying an address once all programs that named it have left.
func (s *Service) leave(id string) {
	s.mu.Lock()
	n := s.addresses[id]
	n.by--
	var r *receiver
	if n.by == 0 {
		delete(s.addresses, id)
		r = s.receivers[id]
		delete(s.receivers, id)
	}
	s.mu.Unlock()
	if r != nil {
		r.close()
	}
}

// remember stores the outcome of an address for the next start. Beyond maxReceivers, it removes the oldest unused one.
func (s *Service) remember(ctx context.Context, in store.Store, one store.Subscription) error {
	s.mu.Lock()
	s.kept[one.ID] = one
	var oldest store.Subscription
	for _, other := range s.kept {
		if s.addresses[other.ID] == nil && (oldest.ID == "" || other.LastAt.Before(oldest.LastAt)) {
			oldest = other
		}
	}
	tooMany := len(s.kept) > maxReceivers && oldest.ID != ""
	if tooMany {
		delete(s.kept, oldest.ID)
	}
	s.mu.Unlock()
	if err := s.save(ctx, in, one); err != nil || !tooMany {
		return err
	}
	return in.RemoveSubscription(ctx, oldest.ID)
}

// link returns the message's URL on the user's page; empty if there is no page.
func (n *target) link(m protocol.PushMessage) string {
	if n.Page == "" || m.QuestionID == "" {
		return n.Page
	}
	return n.Page + "?question=" + url.QueryEscape(m.QuestionID)
}

// hook sends to a webhook.
type hook struct {
	*target
	secret webhook.Secret
}

func (h hook) send(ctx context.Context, m protocol.PushMessage) error {
	event := protocol.NotifyEvent{Type: protocol.NotifyWaiting, Timestamp: time.Now().UTC().Format(time.RFC3339), Data: m}
	id := m.Tag // the same after a restart, so that the receiver can deduplicate
	switch {
	case m.Over:
		event.Type, id = protocol.NotifyOver, id+".over"
	case m.Tag == testTag:
		event.Type, id = protocol.NotifyTest, rand.Text()
	}
	event.Data.URL = h.link(m)
	body, err := json.Marshal(event)
	if err != nil {
		return backoff.Permanent(err)
	}
	return h.sender.Send(ctx, webhook.Message{URL: h.URL, ID: id, Body: body, Secret: h.secret})
}

// ntfy sends to an ntfy topic. Its messages have no buttons for answers, because the server and everyone who knows the
// topic can read them.
type ntfy struct {
	*target
	server, topic string
}

// ntfyMessage is a message to ntfy (https://docs.ntfy.sh/publish/#publish-as-json).
type ntfyMessage struct {
	Topic      string       `json:"topic"`
	Title      string       `json:"title"`
	Message    string       `json:"message"`
	Click      string       `json:"click,omitempty"`
	Actions    []ntfyAction `json:"actions,omitempty"`
	SequenceID string       `json:"sequence_id"` // identifies the message for deletion
}

type ntfyAction struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	URL    string `json:"url"`
	Clear  bool   `json:"clear"`
}

func (t ntfy) send(ctx context.Context, m protocol.PushMessage) error {
	if m.Over {
		return t.delete(ctx, m.Tag)
	}
	link := t.link(m)
	message := ntfyMessage{Topic: t.topic, Title: m.Title, Message: m.Text, Click: link, SequenceID: m.Tag}
	if message.Message == "" { // ntfy would show "triggered"
		message.Title, message.Message = "Followup", m.Title
	}
	if link != "" && m.Ask != protocol.AskApproval {
		message.Actions = []ntfyAction{{Action: "view", Label: locale.Match(t.Locale).Text("Open"), URL: link, Clear: true}}
	}
	body, err := json.Marshal(message)
	if err != nil {
		return backoff.Permanent(err)
	}
	return final(t.sender.Send(ctx, webhook.Message{URL: t.server, ID: m.Tag, Body: body, Header: t.header()}))
}

// delete deletes a message from the phones. Servers before 2.16 do not support it.
func (t ntfy) delete(ctx context.Context, tag string) error {
	address := fmt.Sprintf("%s/%s/%s", t.server, t.topic, url.PathEscape(tag))
	err := t.sender.Send(ctx, webhook.Message{Method: http.MethodDelete, URL: address, ID: tag, Header: t.header()})
	if status := webhook.StatusError(0); errors.As(err, &status) && (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) {
		return nil
	}
	return final(err)
}

func (t ntfy) header() http.Header {
	h := http.Header{}
	if t.Secret != "" {
		h.Set("Authorization", "Bearer "+t.Secret)
	}
	return h
}
