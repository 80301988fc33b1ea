package store

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Subscription is a browser that receives push messages for a person, or the delivery record of a --notify address.
type Subscription struct {
	// ID is from SubscriptionID, or the address's.
	ID string
	// Address reports that this is a --notify address, not a browser: it has no person and no keys, and Endpoint is a name without secrets.
	Address bool `json:",omitempty"`
	// Person is the browser's account at a hub; empty in a person's own store.
	Person string
	// Token is the hash of the hub's token that the browser had. Without a valid one, the browser receives nothing.
	Token []byte `json:",omitempty"`
	// Endpoint is the browser's address at its push service. P256dh and Auth are its public key and its secret, in base64url.
	Endpoint, P256dh, Auth string
	Name                   string // the display name
	Locale                 string
	// After is how long a question waits before a message is sent.
	After time.Duration
	// Hidden means that a message names the agent and omits the question.
	Hidden bool
	// Silent means that the browser can replace a notification without a sound.
	Silent bool
	At     time.Time // when it subscribed
	// LastAt is when the last message was delivered or failed; zero if there was none. Problem is why it failed; empty if it did not.
	LastAt  time.Time
	Problem string
}

// SubscriptionID returns an id derived from a subscription's endpoint and keys, so that another browser with the same endpoint
// replaces nothing.
func SubscriptionID(endpoint, p256dh, auth string) string {
	sum := sha256.Sum256([]byte(endpoint + "\n" + p256dh + "\n" + auth))
	return hex.EncodeToString(sum[:])
}
