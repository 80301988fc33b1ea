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

// Address is a webhook or a topic of ntfy that is notified.
type Address struct {
	// URL is that of the webhook, or ntfy://host/topic as in ntfy's own links, with ?secure=false for a server without encryption.
	URL string
	// Secret signs the requests of the webhook (whsec_…), or is an access token of ntfy. It may be empty.
	Secret string
	// Private permits addresses of this machine and of private networks, and without encryption.
	Private bool
	// Page is the address of the page where the user answers, which messages link to. If empty, they do not.
	Page string
	// After is how long a question waits for an answer, and Hidden leaves it out, as in store.Subscription.
	After  time.Duration
	Hidden bool
	Locale string
}

// target is an address that programs have named.
type target struct {
	Address
	id     string
	name   string
	by     int // how many programs
	sender *webhook.Sender
	send   send
}

// topicName is what ntfy takes for a topic.
var topicName = regexp.MustCompile(`^[-_A-Za-z0-9]{1,64}$`)

// Check returns why an address cannot be notified, as far as it itself shows. The error does not contain it: all of it may be a secret.
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
	// The same server and topic are the same receiver, whatever token is shown.
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

// Notify notifies an address until end is called. Several programs may name one: the last one says how it is notified.
func (s *Service) Notify(ctx context.Context, a Address) (end func(), err error) {
	n, err := a.parse(s.sender(a.Private))
	if err != nil {
		return nil, err
	}
	if _, err := s.ready(ctx); err != nil {
		s.options.Log.Info("what was sent to an address before is not known", zap.Error(err))
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

// leave ends the notification of an address when the last program that named it ends.
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

// remember keeps the outcome of an address for the next time that it is named.
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

// link returns the address of what a message is about on the user's page; empty if there is none.
func (n *target) link(m protocol.PushMessage) string {
	if n.Page == "" || m.QuestionID == "" {
		return n.Page
	}
	return n.Page + "?question=" + url.QueryEscape(m.QuestionID)
}

// hook is the way to a webhook.
type hook struct {
	*target
	secret webhook.Secret
}

func (h hook) send(ctx context.Context, m protocol.PushMessage) error {
	event := protocol.NotifyEvent{Type: protocol.NotifyWaiting, Timestamp: time.Now().UTC().Format(time.RFC3339), Data: m}
	id := m.Tag // the same after a restart, so that the receiver drops what comes twice
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

// ntfy is the way to a topic of ntfy. Its messages carry nothing that answers a question, since the server and everybody who knows the topic
// can read them.
type ntfy struct {
	*target
	server, topic string
}

// ntfyMessage is what ntfy takes (https://docs.ntfy.sh/publish/#publish-as-json).
type ntfyMessage struct {
	Topic      string       `json:"topic"`
	Title      string       `json:"title"`
	Message    string       `json:"message"`
	Click      string       `json:"click,omitempty"`
	Actions    []ntfyAction `json:"actions,omitempty"`
	SequenceID string       `json:"sequence_id"` // by which the message is deleted
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
	if message.Message == "" { // ntfy would say "triggered"
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

// delete removes a message from the phones. Servers before 2.16 cannot.
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
