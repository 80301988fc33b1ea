package webhook

import (
	"encoding/base64"
	"errors"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const secretPrefix = "whsec_"

// Secret signs messages. It prints without its key.
type Secret struct{ hook *standardwebhooks.Webhook }

// String hides the key.
func (Secret) String() string { return secretPrefix + "…" }

// GoString hides the key.
func (s Secret) GoString() string { return s.String() }

// ParseSecret reads a secret: whsec_ and the base64 of 24 to 64 bytes. Its error does not contain it.
func ParseSecret(text string) (Secret, error) {
	encoded, found := strings.CutPrefix(strings.TrimSpace(text), secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !found || err != nil || len(key) < 24 || len(key) > 64 {
		return Secret{}, errors.New("a webhook secret is whsec_ and the base64 of 24 to 64 bytes")
	}
	hook, err := standardwebhooks.NewWebhookRaw(key)
	return Secret{hook}, err
}
