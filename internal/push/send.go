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
	"io"
	"net/http"
	"strings"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"
	"github.com/cenkalti/backoff/v5"

	"followup/internal/protocol"
	"followup/internal/store"
)

const (
	// timeToLive is how long a push service keeps a message for a browser that it does not reach.
	timeToLive = 4 * time.Hour
	// contact is where the people of a push service find out who sends, as VAPID demands.
	contact = "https://marketplace.visualstudio.com/items?itemName=followup.followup"
	// maxResponse is how much of an answer is read, in bytes.
	maxResponse = 4 << 10
)

// errGone says that the browser has unsubscribed.
var errGone = errors.New("the browser has unsubscribed")

// keys are those that messages are signed with, in base64url.
type keys struct{ private, public string }

// newKeys returns a store's keys, which it makes at first.
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

// checkKeys returns an error if a browser's keys are not those of a browser.
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

// send sends a message once. An error that another try does not help against is permanent.
func (b *browser) send(ctx context.Context, m protocol.PushMessage) error {
	s := b.service
	if _, err := s.ready(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	own, to := s.keys, webpush.Subscription{Endpoint: b.sub.Endpoint, Keys: webpush.Keys{P256dh: b.sub.P256dh, Auth: b.sub.Auth}}
	s.mu.Unlock()
	body, err := json.Marshal(m)
	if err != nil {
		return backoff.Permanent(err)
	}
	topic := sha256.Sum256([]byte(m.Tag)) // a message that waits at the push service is replaced
	urgency := webpush.UrgencyHigh
	if m.Over {
		urgency = webpush.UrgencyNormal
	}
	response, err := webpush.SendNotificationWithContext(ctx, body, &to, &webpush.Options{
		HTTPClient: s.options.Sender, Subscriber: contact, TTL: int(timeToLive.Seconds()), Topic: encode(topic[:24]), Urgency: urgency,
		VAPIDPublicKey: own.public, VAPIDPrivateKey: own.private,
	})
	if err != nil {
		return err
	}
	_, _ = io.CopyN(io.Discard, response.Body, maxResponse)
	_ = response.Body.Close()
	refused := fmt.Errorf("the push service answered %d %s", response.StatusCode, http.StatusText(response.StatusCode))
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusNotFound || code == http.StatusGone:
		return backoff.Permanent(errGone)
	case code == http.StatusTooManyRequests || code >= 500:
		return refused
	default:
		return backoff.Permanent(refused)
	}
}

// problemOf words an error for the user.
func problemOf(err error) string {
	if permanent := (*backoff.PermanentError)(nil); errors.As(err, &permanent) {
		err = permanent.Err
	}
	return err.Error()
}
