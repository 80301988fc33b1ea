package push

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"
	"github.com/cenkalti/backoff/v5"

	"followup/internal/protocol"
	"followup/internal/store"
	"followup/internal/webhook"
)

const (
	// timeToLive is how long a push service keeps a message for an unreachable browser.
	timeToLive = 4 * time.Hour
	// defaultContact is the default of Options.Contact.
	defaultContact = "https://marketplace.visualstudio.com/items?itemName=followup.followup"
)

// errGone means that the browser has unsubscribed.
var errGone = errors.New("the browser has unsubscribed")

// keys are the VAPID keys, in base64url.
type keys struct{ private, public string }

// newKeys returns a store's keys, and creates them the first time.
func newKeys(ctx context.Context, in store.Store) (keys, error) {
	candidate, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return keys{}, err
	}
	private, err := in.PushKey(ctx, encode(candidate.Bytes()))
	if err != nil {
		return keys{}, err
	}
	bytes, err := base64.RawURLEncoding.DecodeString(private)
	if err != nil {
		return keys{}, fmt.Errorf("the stored key cannot be read: %w", err)
	}
	own, err := ecdh.P256().NewPrivateKey(bytes)
	if err != nil {
		return keys{}, fmt.Errorf("the stored key cannot be read: %w", err)
	}
	return keys{private, encode(own.PublicKey().Bytes())}, nil
}

func encode(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

// checkKeys returns an error if a browser's keys are invalid.
func checkKeys(p256dh, auth string) error {
	point, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(p256dh, "="))
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(point)
	}
	if err != nil {
		return errors.New("the browser's public key cannot be read")
	}
	if secret, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(auth, "=")); err != nil || len(secret) != 16 {
		return errors.New("the browser's secret cannot be read")
	}
	return nil
}

// CheckContact returns an error if a text is not valid for Options.Contact.
func CheckContact(text string) error {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "mailto" || !strings.Contains(u.Opaque, "@")) && (u.Scheme != "https" || u.Host == "") {
		return fmt.Errorf("the contact for push services is %q; it must be like mailto:you@example.com or https://example.com", text)
	}
	return nil
}

// sendWebPush sends a message to a browser.
func (r *receiver) sendWebPush(ctx context.Context, m protocol.PushMessage) error {
	s := r.service
	sender := s.sender(s.options.Private)
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	own, to := s.keys, webpush.Subscription{Endpoint: r.sub.Endpoint, Keys: webpush.Keys{P256dh: r.sub.P256dh, Auth: r.sub.Auth}}
	s.mu.Unlock()
	body, err := json.Marshal(m)
	if err != nil {
		return backoff.Permanent(err)
	}
	topic := sha256.Sum256([]byte(m.Tag)) // replaces a message that waits at the push service
	urgency := webpush.UrgencyHigh
	if m.Over {
		urgency = webpush.UrgencyNormal
	}
	response, err := webpush.SendNotificationWithContext(ctx, body, &to, &webpush.Options{
		HTTPClient: sender, Subscriber: strings.TrimPrefix(s.options.Contact, "mailto:"), TTL: int(timeToLive.Seconds()), Topic: encode(topic[:24]), Urgency: urgency,
		VAPIDPublicKey: own.public, VAPIDPrivateKey: own.private,
	})
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	err = sender.Outcome(response)
	if response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone {
		return backoff.Permanent(errGone)
	}
	return final(err)
}

// final makes an error permanent if its status would be the same for a retry.
func final(err error) error {
	var status webhook.StatusError
	if errors.As(err, &status) && status >= 300 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests {
		return backoff.Permanent(err)
	}
	return err
}
